/* mem memcpy, mem memset: functions that copy and fill memory, of the C library and written out. */
#include "mem.h"
#include "../base/units.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

typedef void (*copy_fn)(char *to, const char *from, size_t len);

struct copy_row {
	const char *name, *help;
	copy_fn copy;
};

/* the calls are not known to the compiler, so it neither removes nor replaces them */
static void copy_default(char *to, const char *from, size_t len)
{
	void *(*volatile copy)(void *, const void *, size_t) = memcpy;

	copy(to, from, len);
}

static void set_default(char *to, const char *from UNUSED, size_t len)
{
	void *(*volatile set)(void *, int, size_t) = memset;

	set(to, 1, len);
}

#if defined(__x86_64__)
/* eight registers at a time */
static void copy_unrolled(char *to, const char *from, size_t len)
{
	size_t blocks = len / 64;

	while (blocks--) {
		u64 w[8];

		for (int i = 0; i < 8; i++)
			asm volatile("movq %1, %0" : "=r"(w[i]) : "m"(*(const u64 *)(from + 8 * i)));
		for (int i = 0; i < 8; i++)
			asm volatile("movq %1, %0" : "=m"(*(u64 *)(to + 8 * i)) : "r"(w[i]));
		to += 64;
		from += 64;
	}
	for (len %= 64; len; len--)
		*(volatile char *)to++ = *from++;
}

static void set_unrolled(char *to, const char *from UNUSED, size_t len)
{
	size_t blocks = len / 64;

	for (; blocks--; to += 64)
		for (int i = 0; i < 8; i++)
			asm volatile("movq %1, %0" : "=m"(*(u64 *)(to + 8 * i)) : "r"(0x0101010101010101ull));
	for (len %= 64; len; len--)
		*(volatile char *)to++ = 1;
}

static void copy_string(char *to, const char *from, size_t len)
{
	size_t words = len / 8, rest = len % 8;

	asm volatile("rep movsq" : "+D"(to), "+S"(from), "+c"(words) : : "memory");
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(rest) : : "memory");
}

static void set_string(char *to, const char *from UNUSED, size_t len)
{
	size_t words = len / 8, rest = len % 8;

	asm volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(0x0101010101010101ull) : "memory");
	asm volatile("rep stosb" : "+D"(to), "+c"(rest) : "a"(1) : "memory");
}
#endif

static const struct copy_row copies[] = {
	{ "default", "memcpy() of the C library", copy_default },
#if defined(__x86_64__)
	{ "x86-64-unrolled", "moves of eight registers at a time", copy_unrolled },
	{ "x86-64-movsq", "the instruction rep movsq", copy_string },
#endif
};

static const struct copy_row sets[] = {
	{ "default", "memset() of the C library", set_default },
#if defined(__x86_64__)
	{ "x86-64-unrolled", "stores of eight words at a time", set_unrolled },
	{ "x86-64-stosq", "the instruction rep stosq", set_string },
#endif
};

static u64 measure(const struct bench_opts *o, const struct copy_row *row, char *to, const char *from,
		   u64 size)
{
	u64 chunk = o->chunk && o->chunk < size ? o->chunk : size, begin, loops = o->loops ? o->loops : 1;

	row->copy(to, from, size);	/* pages and caches */
	begin = clock_ns(CLOCK_MONOTONIC);
	for (u64 i = 0; i < loops; i++)
		for (u64 at = 0; at < size; at += chunk)
			row->copy(to + at, from + at, MIN(chunk, size - at));
	return clock_ns(CLOCK_MONOTONIC) - begin;
}

static int run(const struct bench_opts *o, const struct bench_sink *sink, const struct copy_row *rows, u32 nr,
	       struct err *err)
{
	u64 size = o->size ? o->size : 1 << 20;
	const char *names[4], *helps[4];
	char *to, *from = NULL;
	int ret;

	for (u32 i = 0; i < nr; i++) {
		names[i] = rows[i].name;
		helps[i] = rows[i].help;
	}
	ret = bench_mem_names(o, sink, names, nr, helps, err);
	if (ret)
		return ret > 0 ? 0 : ret;
	to = bench_mem_map(size, o->page, MAP_POPULATE, err);
	if (to)
		from = bench_mem_map(size, o->page, MAP_POPULATE, err);
	for (u32 i = 0; from && i < nr; i++) {
		if (!bench_mem_wants(o, rows[i].name))
			continue;
		bench_mem_begin(sink, rows[i].name, rows[i].help, size);
		bench_mem_speed(sink, rows[i].name, (double)size * (o->loops ? o->loops : 1),
				measure(o, &rows[i], to, from, size));
	}
	ret = from ? 0 : err->code;
	bench_mem_unmap(to, size, o->page);
	bench_mem_unmap(from, size, o->page);
	return ret;
}

int bench_mem_memcpy(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return run(o, sink, copies, ARRAY_SIZE(copies), err);
}

int bench_mem_memset(const struct bench_opts *o, const struct bench_sink *sink, struct err *err)
{
	return run(o, sink, sets, ARRAY_SIZE(sets), err);
}
