/* thloop: the same loop in several threads; the first of them is the process's own. */
#include "workload.h"
#include "../../util/base/alloc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void test_loop(void)
{
	while (!workload_done)
		;
}

static void *thfunc(void *arg)
{
	test_loop();
	return NULL;
}

int thloop(int argc, const char **argv)
{
	double seconds = 1;
	u64 nr = 2;
	pthread_t *threads;
	int status = 0;

	if (!workload_seconds(argc, argv, 0, &seconds) || !workload_number(argc, argv, 1, &nr))
		return 1;
	if (nr < 1 || nr > 10000) {
		fprintf(stderr, "Error: thloop runs from 1 to 10000 threads\n");
		return 1;
	}
	threads = xcalloc(nr, sizeof(*threads));
	workload_timer(seconds);
	for (u64 i = 1; i < nr; i++) {
		if (pthread_create(&threads[i], NULL, thfunc, NULL)) {
			fprintf(stderr, "Error: cannot start thread %ju of %ju\n", (uintmax_t)i,
				(uintmax_t)nr);
			workload_done = status = 1;
			nr = i;
		}
	}
	test_loop();
	for (u64 i = 1; i < nr; i++)
		pthread_join(threads[i], NULL);
	free(threads);
	return status;
}
