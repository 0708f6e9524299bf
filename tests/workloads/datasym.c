/* datasym: stores to the two ends of one known variable, each end in a cache line of its own. */
#include "workload.h"

struct datasym_buf {
	char data1;
	char reserved[55];
	char data2;
} __attribute__((aligned(64)));

struct datasym_buf buf1 = { .reserved = { 1 } };

int datasym(int argc, const char **argv)
{
	volatile struct datasym_buf *b = &buf1;
	double seconds = 1;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	workload_timer(seconds);
	while (!workload_done) {
		b->data1++;
		if (b->data1 == 123)
			b->data1 += 1;		/* samples are not always at the same place */
		b->data2 += b->data1;
	}
	return 0;
}
