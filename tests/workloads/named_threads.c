/*
 * named_threads: threads named thread1, thread2, ..., one after another, each in a function of
 * its own loop count.
 */
#include "workload.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/prctl.h>

static u64 iterations = 1000000;

static void named_threads_work(void)
{
	for (volatile u64 i = 0; i < iterations; i++)
		;
}

static void *named_thread(void *arg)
{
	char name[16];

	snprintf(name, sizeof(name), "thread%u", *(unsigned int *)arg);
	prctl(PR_SET_NAME, name);
	named_threads_work();
	return NULL;
}

int named_threads(int argc, const char **argv)
{
	u64 nr = 1;

	if (!workload_number(argc, argv, 0, &nr) || !workload_number(argc, argv, 1, &iterations))
		return 1;
	for (unsigned int i = 1; i <= nr; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, named_thread, &i)) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
		pthread_join(thread, NULL);
	}
	return 0;
}
