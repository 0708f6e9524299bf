/*
 * spinners: two threads, spin1 and spin2, on one CPU: each computes until it has used the given CPU time, so
 * together they need twice as much, and each waits for the CPU while the other one has it.
 */
#include "workload.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>

static double spin_seconds = 0.2;

/* the first CPU that this process may use */
static bool spinners_pin(void)
{
	cpu_set_t set, one;

	if (sched_getaffinity(0, sizeof(set), &set))
		return false;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &set))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		return !sched_setaffinity(0, sizeof(one), &one);
	}
	return false;
}

static void *spinner(void *name)
{
	struct workload_times begin;
	struct timespec t = { 0 };

	prctl(PR_SET_NAME, name);
	workload_times_begin(&begin);
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec / 1e9 < spin_seconds);
	workload_times_print(&begin, name);
	return NULL;
}

int spinners(int argc, const char **argv)
{
	static char name[2][16] = { "spin1", "spin2" };
	pthread_t thread[2];

	if (!workload_seconds(argc, argv, 0, &spin_seconds))
		return 1;
	if (!spinners_pin()) {
		fprintf(stderr, "Error: threads cannot be bound to a CPU\n");
		return 1;
	}
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread[i], NULL, spinner, name[i])) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
	return 0;
}
