/*
 * convoy: the thread "third" holds a lock for the given time while "second" waits for it, and "second" holds
 * another one for this and as much time again while "first" waits. It prints how long each wait took. The
 * locks are futexes of its own, and nothing else in it waits by futex, so that these are all the waits.
 */
#include "workload.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* 0: free, 1: held, 2: held and somebody waits */
static atomic_int lock_of_second, lock_of_third, nr_done;
static double hold_seconds = 0.1;

static u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void pause_seconds(double seconds)
{
	struct timespec t = { seconds, (seconds - (u64)seconds) * 1e9 };

	nanosleep(&t, NULL);
}

static void until(atomic_int *lock, int value)
{
	while (atomic_load(lock) < value)
		pause_seconds(0.001);
}

static void convoy_lock(atomic_int *lock)
{
	int free = 0;

	if (atomic_compare_exchange_strong(lock, &free, 1))
		return;
	while (atomic_exchange(lock, 2))
		syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
}

static void convoy_unlock(atomic_int *lock)
{
	if (atomic_exchange(lock, 0) == 2)
		syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static u64 convoy_timed_lock(atomic_int *lock)
{
	u64 start = now_ns();

	convoy_lock(lock);
	return now_ns() - start;
}

static void *convoy_first(void *arg UNUSED)
{
	u64 ns;

	prctl(PR_SET_NAME, "first");
	until(&lock_of_second, 1);
	ns = convoy_timed_lock(&lock_of_second);
	printf("first %llu\n", (unsigned long long)ns);
	convoy_unlock(&lock_of_second);
	atomic_fetch_add(&nr_done, 1);
	return NULL;
}

static void *convoy_second(void *arg UNUSED)
{
	u64 ns;

	prctl(PR_SET_NAME, "second");
	until(&lock_of_third, 1);
	convoy_lock(&lock_of_second);
	until(&lock_of_second, 2);
	ns = convoy_timed_lock(&lock_of_third);
	pause_seconds(hold_seconds);
	convoy_unlock(&lock_of_third);
	convoy_unlock(&lock_of_second);
	printf("second %llu\n", (unsigned long long)ns);
	atomic_fetch_add(&nr_done, 1);
	return NULL;
}

static void *convoy_third(void *arg UNUSED)
{
	prctl(PR_SET_NAME, "third");
	convoy_lock(&lock_of_third);
	until(&lock_of_third, 2);
	pause_seconds(hold_seconds);
	convoy_unlock(&lock_of_third);
	atomic_fetch_add(&nr_done, 1);
	return NULL;
}

int convoy(int argc, const char **argv)
{
	static void *(*const body[])(void *) = { convoy_first, convoy_second, convoy_third };

	if (!workload_seconds(argc, argv, 0, &hold_seconds))
		return 1;
	for (unsigned int i = 0; i < ARRAY_SIZE(body); i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, body[i], NULL)) {
			fprintf(stderr, "Error: cannot start a thread\n");
			return 1;
		}
		pthread_detach(thread);
	}
	/* waiting for a thread's end would be one more wait by futex */
	until(&nr_done, ARRAY_SIZE(body));
	fflush(stdout);
	return 0;
}
