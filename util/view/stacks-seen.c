/* Stacks-seen: see stacks-seen.h. */
#include "stacks-seen.h"

#include <stdlib.h>

#define MAX_BYTES (64u << 20)

struct stacks_seen {
	struct strtab text;
	struct { VEC(struct stacks_known); } known;	/* by text */
	size_t bytes;
};

const struct stacks_known *stacks_find_seen(const struct stacks *s, const char *text, size_t len)
{
	u32 id = s->seen ? strtab_find(&s->seen->text, text, len) : HIDX_NONE;

	return id == HIDX_NONE ? NULL : &s->seen->known.v[id];
}

void stacks_add_seen(struct stacks *s, const char *text, size_t len, struct stacks_known known)
{
	u32 id;

	if (!s->seen)
		s->seen = xcalloc(1, sizeof(*s->seen));
	if (s->seen->bytes + len > MAX_BYTES)
		return;
	s->seen->bytes += len;
	id = strtab_addn(&s->seen->text, text, len);
	while (s->seen->known.nr <= id)		/* the first text is "" */
		vec_push(&s->seen->known, known);
}

void stacks_seen_free(struct stacks_seen *seen)
{
	if (!seen)
		return;
	strtab_release(&seen->text);
	vec_release(&seen->known);
	free(seen);
}
