/*
 * wake_chain: a chain of wake-ups: the thread "link1" sleeps, then wakes "link2", which wakes "link3", which
 * wakes the first thread, which ends. Each waits in a pipe of its own, and nobody else wakes any of them, so
 * that the critical path leads through all of them in this order.
 */
#include "workload.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define NR_LINKS 3

/* link i waits in pipe i, the first thread in the last one */
static int chain_pipe[NR_LINKS + 1][2];
static double sleep_seconds = 0.05;
/* threads that have their names and go to wait */
static atomic_int nr_ready;

static void chain_pause(void)
{
	struct timespec t = { sleep_seconds, (sleep_seconds - (u64)sleep_seconds) * 1e9 };

	nanosleep(&t, NULL);
}

static void chain_wait(int link)
{
	char byte;

	if (read(chain_pipe[link][0], &byte, 1) != 1)
		fprintf(stderr, "Error: a pipe ended\n");
}

/* on a busy machine a new thread may be late: then it would have no name yet when it is woken */
static void chain_await(int nr)
{
	const struct timespec t = { .tv_nsec = 100000 };

	while (atomic_load(&nr_ready) < nr)
		nanosleep(&t, NULL);
}

static void *chain_link(void *arg)
{
	static const char *const name[] = { "link1", "link2", "link3" };
	int link = *(int *)arg;

	prctl(PR_SET_NAME, name[link]);
	atomic_fetch_add(&nr_ready, 1);
	if (link)
		chain_wait(link);
	else
		chain_pause();
	if (write(chain_pipe[link + 1][1], "x", 1) != 1)
		fprintf(stderr, "Error: a pipe is closed\n");
	return NULL;
}

int wake_chain(int argc, const char **argv)
{
	static int number[NR_LINKS] = { 0, 1, 2 };

	if (!workload_seconds(argc, argv, 0, &sleep_seconds))
		return 1;
	for (int i = 0; i <= NR_LINKS; i++)
		if (pipe(chain_pipe[i])) {
			fprintf(stderr, "Error: cannot make a pipe\n");
			return 1;
		}
	/* the last link first, so that each one waits before it is woken */
	for (int i = NR_LINKS - 1; i >= 0; i--) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, chain_link, &number[i])) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
		pthread_detach(thread);
		if (i)
			chain_await(NR_LINKS - i);
	}
	chain_wait(NR_LINKS);
	return 0;
}
