/* Wall-places: see wall-places.h. */
#include "wall-places.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* words after the head of a record; those of an old place are told without them */
static u32 words_of(const struct wall_switch *s)
{
	return s->nr_kernel + s->nr_user + (s->has_file ? sizeof(struct wall_file) / sizeof(u64) : 0);
}

static bool is_whole(const struct wall_switch *s, u32 len)
{
	const u32 head = offsetof(struct wall_switch, ip);
	bool is_old = len >= head && s->flags & WALL_OLD_PLACE;

	return len >= head && s->nr_kernel <= WALL_MAX_KERNEL && s->nr_user <= WALL_MAX_USER &&
	       (is_old || (len - head) / sizeof(u64) >= words_of(s));
}

static struct told_place *place_at(struct wall_places *p, u32 nr)
{
	while (p->place.nr <= nr)
		vec_add(&p->place);
	return &p->place.v[nr];
}

const u64 *wall_places_take(struct wall_places *p, const struct wall_switch *s, u32 len)
{
	struct told_place *to;

	if (!is_whole(s, len) || s->place >= WALL_NR_PLACES)
		return NULL;
	if (!words_of(s))
		return s->ip;
	to = place_at(p, s->place);
	if (s->flags & WALL_OLD_PLACE)
		return to->nr_kernel == s->nr_kernel && to->nr_user == s->nr_user &&
		       to->has_file == !!s->has_file ? to->word.v : NULL;
	to->nr_kernel = s->nr_kernel;
	to->nr_user = s->nr_user;
	to->has_file = s->has_file;
	to->word.nr = 0;
	vec_reserve(&to->word, words_of(s));
	memcpy(to->word.v, s->ip, words_of(s) * sizeof(u64));
	return to->word.v;
}

void wall_places_release(struct wall_places *p)
{
	vec_foreach(&p->place, place)
		vec_release(&place->word);
	vec_release(&p->place);
}
