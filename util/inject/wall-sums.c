/* Wall-sums: see wall-sums.h. */
#include "wall-sums.h"
#include "../base/search.h"

#include <string.h>

_Static_assert(sizeof(struct wall_sum_key) == 40, "it has no padding");

static u64 key_hash(const struct wall_sum_key *key)
{
	u64 word[sizeof(*key) / sizeof(u64)], hash = 0;

	memcpy(word, key, sizeof(*key));
	for (size_t i = 0; i < ARRAY_SIZE(word); i++)
		hash = hash_mix(hash, word[i]);
	return hash_u64(hash);
}

static bool is_sum_of(const struct wall_sum *s, const struct wall_sum_key *key)
{
	return !memcmp(&s->key, key, sizeof(*key));
}

static bool find_sum(struct wall_sums *w, const struct wall_sum_key *key)
{
	u32 i;

	if (w->last < w->sum.nr && is_sum_of(&w->sum.v[w->last], key))
		return true;
	HIDX_FOREACH(&w->idx, key_hash(key), i) {
		if (!is_sum_of(&w->sum.v[i], key))
			continue;
		w->last = i;
		return true;
	}
	return false;
}

u32 wall_sums_epoch(const struct wall_sums *w, u64 time)
{
	/* mostly the present one */
	if (!w->change.nr || time >= w->change.v[w->change.nr - 1])
		return w->change.nr;
	return LOWER_BOUND(w->change.nr, i, w->change.v[i] <= time);
}

bool wall_sums_add(struct wall_sums *w, const struct event *ev, const struct wall_sum_key *key, u64 ns)
{
	if (!find_sum(w, key))
		return false;
	wall_event_add(w->records.buf + w->sum.v[w->last].at, ev, ns);
	return true;
}

void wall_sums_keep(struct wall_sums *w, const struct wall_sum_key *key, size_t at)
{
	w->last = w->sum.nr;
	hidx_insert(&w->idx, key_hash(key), w->sum.nr);
	vec_push(&w->sum, (struct wall_sum){ .key = *key, .at = at });
}

void wall_sums_reset(struct wall_sums *w, u64 time)
{
	if (!w->change.nr || time > w->change.v[w->change.nr - 1])
		vec_push(&w->change, time);
	if (!w->sum.nr)
		return;
	w->sum.nr = 0;
	hidx_release(&w->idx);
	strbuf_reset(&w->records);
}

void wall_sums_release(struct wall_sums *w)
{
	vec_release(&w->sum);
	vec_release(&w->change);
	hidx_release(&w->idx);
	strbuf_release(&w->records);
}
