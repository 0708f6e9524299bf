/*
 * Arena: memory that is freed all at once. Three lifetimes use it: session, worker, scratch (reset per
 * record). A zeroed struct arena is an empty one. Not thread-safe: each worker owns its own.
 */
#ifndef PERF_BASE_ARENA_H
#define PERF_BASE_ARENA_H

#include "types.h"

struct arena_block;
struct arena {
	struct arena_block *head;	/* the block that is being filled; older blocks follow it */
	char *pos, *end;		/* free bytes of head */
	size_t total;			/* bytes obtained from the system */
};

/* 16-byte aligned, not zeroed */
void *arena_alloc(struct arena *a, size_t size);
void *arena_zalloc(struct arena *a, size_t size);
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t len);
void *arena_memdup(struct arena *a, const void *p, size_t len);
/* forgets the contents and keeps the newest block for reuse */
void arena_reset(struct arena *a);
void arena_release(struct arena *a);

#define ARENA_NEW(a, type) ((type *)arena_zalloc((a), sizeof(type)))

#endif
