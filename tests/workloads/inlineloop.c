/*
 * inlineloop: leaf is inlined into middle, which is inlined into parent; debug information tells them apart.
 */
#include "workload.h"

#include <sys/prctl.h>

static volatile int inlineloop_count;

static inline __attribute__((always_inline)) void leaf(int b)
{
again:
	inlineloop_count += b;
	if (!workload_done)
		goto again;
}

static inline __attribute__((always_inline)) void middle(int b)
{
	leaf(b);
}

__attribute__((noinline)) static void parent(int b)
{
	middle(b);
}

int inlineloop(int argc, const char **argv)
{
	double seconds = 1;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	prctl(PR_SET_NAME, "perf-inlineloop");
	workload_timer(seconds);
	parent(argc);
	return 0;
}
