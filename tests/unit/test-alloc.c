/* Allocation: what happens to freed memory. */
#include "test.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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
