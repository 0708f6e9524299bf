/*
 * Stacks-seen: whole stacks as texts that an importer has met, and what they became: the same stack is often
 * in many profiles. Belongs to the stacks; texts are kept up to a limit.
 */
#ifndef PERF_VIEW_STACKS_SEEN_H
#define PERF_VIEW_STACKS_SEEN_H

#include "stacks.h"

struct stacks_known {
	u32 node;
	u32 comm;	/* a text */
};

/* NULL: not kept. Valid until one is added */
const struct stacks_known *stacks_find_seen(const struct stacks *s, const char *text, size_t len);
/* text has no NUL, and is not there */
void stacks_add_seen(struct stacks *s, const char *text, size_t len, struct stacks_known known);
void stacks_seen_free(struct stacks_seen *seen);

#endif
