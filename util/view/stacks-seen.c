/* Stacks-seen: see stacks-seen.h. */
#include "stacks-seen.h"

#include <stdlib.h>
#include <string.h>

#define MAX_BYTES (64u << 20)
#define MAX_LINES 4u	/* of a text that are fetched: the processor sees by then what comes next */

struct seen_text {
	u64 hash;
	const char *text;
	u32 len;
	struct stacks_known known;
};

struct stacks_seen {
	struct { VEC(struct seen_text); } text;
	struct hidx by_text;
	struct arena arena;
	size_t bytes;
};

/* each loop waits for one access to memory, which all of its look-ups share */
void stacks_fetch_seen(const struct stacks *s, const struct stacks_seen_key *key, u32 nr)
{
	const struct stacks_seen *seen = s->seen;

	if (!seen)
		return;
	for (u32 i = 0; i < nr; i++)
		hidx_prefetch(&seen->by_text, key[i].hash);
	for (u32 i = 0; i < nr; i++) {
		u32 id = hidx_first(&seen->by_text, key[i].hash);

		if (id != HIDX_NONE)
			__builtin_prefetch(&seen->text.v[id]);
	}
	for (u32 i = 0; i < nr; i++) {
		u32 id = hidx_first(&seen->by_text, key[i].hash);
		u32 len = id == HIDX_NONE ? 0 : MIN(seen->text.v[id].len, MAX_LINES * CACHE_LINE);

		for (u32 at = 0; at < len; at += CACHE_LINE)
			__builtin_prefetch(seen->text.v[id].text + at);
	}
}

const struct stacks_known *stacks_find_seen(const struct stacks *s, const struct stacks_seen_key *key)
{
	u32 id;

	if (!s->seen)
		return NULL;
	HIDX_FOREACH(&s->seen->by_text, key->hash, id) {
		const struct seen_text *t = &s->seen->text.v[id];

		if (t->hash == key->hash && t->len == key->len && !memcmp(t->text, key->text, key->len))
			return &t->known;
	}
	return NULL;
}

void stacks_add_seen(struct stacks *s, const struct stacks_seen_key *key, struct stacks_known known)
{
	struct stacks_seen *seen = s->seen;

	if (!seen)
		seen = s->seen = xcalloc(1, sizeof(*seen));
	if (seen->bytes + key->len > MAX_BYTES)
		return;
	seen->bytes += key->len;
	hidx_insert(&seen->by_text, key->hash, seen->text.nr);
	vec_push(&seen->text, (struct seen_text){ key->hash, arena_strndup(&seen->arena, key->text, key->len),
						  key->len, known });
}

void stacks_seen_free(struct stacks_seen *seen)
{
	if (!seen)
		return;
	vec_release(&seen->text);
	hidx_release(&seen->by_text);
	arena_release(&seen->arena);
	free(seen);
}
