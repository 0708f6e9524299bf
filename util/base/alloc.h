/*
 * Allocation that cannot fail: when memory runs out, the program prints one line and ends. Sizes that come
 * from a file must be checked against the bytes that remain before they are passed here.
 */
#ifndef PERF_BASE_ALLOC_H
#define PERF_BASE_ALLOC_H

#include "types.h"

/*
 * For work in phases, each of which frees memory that the next one can use: freed memory stays in the
 * program, in one heap for all threads, instead of being returned and requested again page by page. To be
 * called before the first thread starts.
 */
void alloc_keep_freed(void);
/* gives freed memory back after all, at a point after which much less is needed */
void alloc_give_back(void);
/*
 * The same once a minute, for what runs long: a storm of processes must not leave its memory in the program.
 * *last: when it was done, 0 at first; now_ns: CLOCK_MONOTONIC. Returns whether it was done
 */
bool alloc_give_back_sometimes(u64 *last_ns, u64 now_ns);

void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
/*
 * The same, but all pages exist from the start: for tables that are probed at random. A page from xcalloc()
 * that is read before it is written is mapped twice, and the second mapping interrupts every other CPU that
 * runs the program.
 */
void *xcalloc_hot(size_t nr, size_t size);
/* zeroed, too, and on cache lines of its own: for arrays of CACHE_ALIGNED elements */
void *xcalloc_aligned(size_t nr, size_t size);
void *xrealloc(void *p, size_t size);
/* checks nr * size for overflow */
void *xreallocarray(void *p, size_t nr, size_t size);
char *xstrdup(const char *s);
/* copies at most len bytes; the result always ends in a NUL */
char *xstrndup(const char *s, size_t len);
void *xmemdup(const void *p, size_t len);
char *xasprintf(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
