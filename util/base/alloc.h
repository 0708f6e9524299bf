/*
 * Allocation that cannot fail: out of memory ends the program with one line.
 * Sizes that come from a file must be checked against the bytes that remain before they get here.
 */
#ifndef PERF_BASE_ALLOC_H
#define PERF_BASE_ALLOC_H

#include "types.h"

/*
 * For a work of phases in which each frees what the next has use for: memory that is freed stays in the program, in one heap for
 * all threads, instead of being given back and asked for again page by page. Before the first thread starts.
 */
void alloc_keep_freed(void);

void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
/*
 * The same with every page there from the start: for tables that are probed at random. A page of xcalloc that is read before
 * it is written is mapped twice, and the second time interrupts every other CPU that the program runs on.
 */
void *xcalloc_hot(size_t nr, size_t size);
/* zeroed as well, on cache lines of its own: arrays of CACHE_ALIGNED elements */
void *xcalloc_aligned(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
/* checks nr * size for overflow */
void *xreallocarray(void *p, size_t nr, size_t size);
char *xstrdup(const char *s);
/* copies at most len bytes, always terminated */
char *xstrndup(const char *s, size_t len);
void *xmemdup(const void *p, size_t len);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
