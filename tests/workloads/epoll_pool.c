/*
 * epoll_pool: two threads, pool1 and pool2, wait by epoll for items of work, each at a pipe of its own; the
 * first thread gives one to each every five milliseconds.
 */
#include "workload.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static struct pool_thread {
	char name[16];
	int item[2];		/* a pipe: its other end is closed after the last item */
	int epoll;
	pthread_t thread;
} pool[2] = { { .name = "pool1" }, { .name = "pool2" } };

static void *pool_work(void *arg)
{
	const struct pool_thread *p = arg;
	struct workload_times begin;
	struct epoll_event e;
	char item;

	prctl(PR_SET_NAME, p->name);
	workload_times_begin(&begin);
	do {
		if (epoll_wait(p->epoll, &e, 1, -1) != 1)
			break;
		for (volatile int i = 0; i < 100000; i++)
			;
	} while (read(p->item[0], &item, 1) == 1);
	workload_times_print(&begin, p->name);
	return NULL;
}

static bool pool_start(struct pool_thread *p)
{
	struct epoll_event e = { .events = EPOLLIN };

	p->epoll = epoll_create1(0);
	return p->epoll >= 0 && !pipe(p->item) && !epoll_ctl(p->epoll, EPOLL_CTL_ADD, p->item[0], &e) &&
	       !pthread_create(&p->thread, NULL, pool_work, p);
}

int epoll_pool(int argc, const char **argv)
{
	const struct timespec pause = { .tv_nsec = 5000000 };
	u64 nr = 40;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	for (int i = 0; i < 2; i++)
		if (!pool_start(&pool[i])) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
	for (u64 n = 0; n < nr; n++) {
		nanosleep(&pause, NULL);
		for (int i = 0; i < 2; i++)
			if (write(pool[i].item[1], "x", 1) != 1)
				return 1;
	}
	for (int i = 0; i < 2; i++) {
		close(pool[i].item[1]);
		pthread_join(pool[i].thread, NULL);
	}
	return 0;
}
