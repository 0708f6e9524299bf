/* leafloop: a leaf function that has no frame record of its own on some architectures, called by parent. */
#include "workload.h"

__attribute__((noinline)) static void leaf(volatile int *a)
{
	*a += 1;
}

__attribute__((noinline)) static void parent(volatile int *a)
{
	while (!workload_done)
		leaf(a);
}

int leafloop(int argc, const char **argv)
{
	double seconds = 1;
	volatile int a = 0;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	workload_timer(seconds);
	parent(&a);
	return 0;
}
