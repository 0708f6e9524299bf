/* Allocation that cannot fail. */
#include "alloc.h"

#include <limits.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void __attribute__((noreturn)) out_of_memory(void)
{
	static const char msg[] = "Error: out of memory\n";
	ssize_t ignored = write(STDERR_FILENO, msg, sizeof(msg) - 1);

	(void)ignored;
	_exit(128);
}

void alloc_keep_freed(void)
{
#ifdef M_ARENA_MAX
	mallopt(M_ARENA_MAX, 1);
	mallopt(M_MMAP_THRESHOLD, 32 << 20);	/* the maximum */
	mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

void alloc_give_back(void)
{
#ifdef M_ARENA_MAX
	malloc_trim(0);
#endif
}

#define MINUTE_NS (60 * 1000000000ull)

bool alloc_give_back_sometimes(u64 *last_ns, u64 now_ns)
{
	bool due = *last_ns && now_ns - *last_ns >= MINUTE_NS;

	if (due)
		alloc_give_back();
	if (due || !*last_ns)
		*last_ns = now_ns;
	return due;
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t nr, size_t size)
{
	void *p = calloc(nr ? nr : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc_hot(size_t nr, size_t size)
{
	size_t bytes = nr && size ? nr * size : 1;
	void *p = xreallocarray(NULL, nr, size);

	return memset(p, 0, bytes);
}

void *xcalloc_aligned(size_t nr, size_t size)
{
	size_t bytes;
	void *p;

	if (__builtin_mul_overflow(MAX(nr, 1ul), MAX(size, 1ul), &bytes) ||
	    __builtin_add_overflow(bytes, CACHE_LINE - 1, &bytes))
		out_of_memory();
	bytes &= ~(size_t)(CACHE_LINE - 1);
	p = aligned_alloc(CACHE_LINE, bytes);
	if (!p)
		out_of_memory();
	return memset(p, 0, bytes);
}

void *xrealloc(void *p, size_t size)
{
	p = realloc(p, size ? size : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xreallocarray(void *p, size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		out_of_memory();
	return xrealloc(p, bytes);
}

void *xmemdup(const void *p, size_t len)
{
	return memcpy(xmalloc(len), p, len);
}

char *xstrdup(const char *s)
{
	return xmemdup(s, strlen(s) + 1);
}

char *xstrndup(const char *s, size_t len)
{
	size_t n = strnlen(s, len);
	char *p = xmalloc(n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&s, fmt, ap);
	va_end(ap);
	if (n < 0)
		out_of_memory();
	return s;
}
