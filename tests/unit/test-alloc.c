/* Allocation: what becomes of memory that is freed. */
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
