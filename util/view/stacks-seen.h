/*
 * Stacks-seen: whole stacks as texts that an importer has met, and what they became: the same stack is often
 * in many profiles. Belongs to the stacks; texts are kept up to a limit. Of thousands of stacks, none is in
 * the caches: whoever has several texts to look up calls stacks_fetch_seen() for all of them first.
 */
#ifndef PERF_VIEW_STACKS_SEEN_H
#define PERF_VIEW_STACKS_SEEN_H

#include "stacks.h"

struct stacks_known {
	u32 node;
	u32 comm;	/* a text */
};

/* what is looked up: hash is that of its bytes (hash_bytes()) */
struct stacks_seen_key {
	const char *text;
	size_t len;
	u64 hash;
};

/* brings what stacks_find_seen() will read into the caches */
void stacks_fetch_seen(const struct stacks *s, const struct stacks_seen_key *key, u32 nr);
/* NULL: not kept. Valid until one is added */
const struct stacks_known *stacks_find_seen(const struct stacks *s, const struct stacks_seen_key *key);
/* one that is not there */
void stacks_add_seen(struct stacks *s, const struct stacks_seen_key *key, struct stacks_known known);
void stacks_seen_free(struct stacks_seen *seen);

#endif
