/* Allocation: what happens to freed memory. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "../../util/base/alloc.h"

#define BLOCK (16u << 20)

/* page faults of a block's life */
static long faults_of_block(void)
{
	struct rusage before, after;
	char *p;

	getrusage(RUSAGE_SELF, &before);
	p = xmalloc(BLOCK);
	memset(p, 1, BLOCK);
	CHECK_U64(p[BLOCK - 1], 1);
	free(p);
	getrusage(RUSAGE_SELF, &after);
	return after.ru_minflt - before.ru_minflt;
}

TEST(freed_memory_is_used_again)
{
	long first;

#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	SKIP("not the allocator of glibc");
#endif
	alloc_keep_freed();
	first = faults_of_block();
	if (first < 64)
		SKIP("pages are large: %ld faults for 16 MB", first);
	CHECK(faults_of_block() < first / 4);
}

static u64 resident_bytes(void)
{
	unsigned long long size = 0, resident = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f) {
		CHECK_INT(fscanf(f, "%llu %llu", &size, &resident), 2);
		fclose(f);
	}
	return resident * sysconf(_SC_PAGESIZE);
}

#define NR_SMALL 8192u
#define SECOND 1000000000ull
TEST(memory_goes_back_once_a_minute)
{
	static char *small[NR_SMALL];
	u64 last = 0, full;

#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	SKIP("not the allocator of glibc");
#endif
	CHECK(!alloc_give_back_sometimes(&last, 1));
	for (u32 i = 0; i < NR_SMALL; i++) {
		small[i] = xmalloc(4000);
		memset(small[i], 1, 4000);
	}
	/* the last one keeps the heap from ending earlier */
	for (u32 i = 0; i < NR_SMALL - 1; i++)
		free(small[i]);
	full = resident_bytes();
	CHECK(!alloc_give_back_sometimes(&last, 59 * SECOND));
	CHECK(alloc_give_back_sometimes(&last, 61 * SECOND));
	CHECK(!alloc_give_back_sometimes(&last, 62 * SECOND));
	CHECK(resident_bytes() + NR_SMALL * 2000 < full);
	free(small[NR_SMALL - 1]);
}

TEST(what_threads_write_shares_no_line_of_the_cache)
{
	struct counter {
		u64 n;
	} CACHE_ALIGNED *c;

	for (size_t nr = 0; nr < 5; nr++) {
		c = xcalloc_aligned(nr, sizeof(*c));
		CHECK_U64((uintptr_t)c % CACHE_LINE, 0);
		for (size_t i = 0; i < nr; i++)
			CHECK_U64(c[i].n, 0);
		free(c);
	}
}
