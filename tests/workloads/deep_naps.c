/*
 * deep_naps: naps of 200 us in turn below frames of a few bytes, of 8 KB and of 40 KB: on the main stack, on
 * a thread's stack, near its end, and on a signal's stack that is gone when it naps again.
 */
#include "workload.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#define OTHER_STACK (256u << 10)

/* a frame of its own, as the kernel's wrapper in the C library has none */
static void deep_nap(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
	asm volatile("");
}

static void deep_small(void)
{
	deep_nap();
	asm volatile("");
}

static void deep_large(void)
{
	char room[8192];

	deep_nap();
	asm volatile("" : : "r"(room));
}

static void deep_huge(void)
{
	char room[40960];

	deep_small();
	asm volatile("" : : "r"(room));
}

static void deep_turn(void)
{
	deep_small();
	deep_large();
	deep_huge();
	deep_small();
}

static void deep_away(int sig)
{
	(void)sig;
	deep_turn();
}

/* a signal's stack, which is elsewhere each time: the old one is unmapped after the new one was mapped */
static bool nap_elsewhere(char **stack)
{
	char *new = mmap(NULL, OTHER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (new == MAP_FAILED || sigaltstack(&(stack_t){ .ss_sp = new, .ss_size = OTHER_STACK }, NULL))
		return false;
	if (*stack)
		munmap(*stack, OTHER_STACK);
	*stack = new;
	return !raise(SIGUSR1);
}

static void *deep_thread(void *rounds)
{
	prctl(PR_SET_NAME, "thread");
	for (u64 i = 0; i < *(u64 *)rounds; i++)
		deep_turn();
	return NULL;
}

int deep_naps(int argc, const char **argv)
{
	u64 rounds = 20;
	char *stack = NULL;
	pthread_t thread;
	bool ok = true;

	sigaction(SIGUSR1, &(struct sigaction){ .sa_handler = deep_away, .sa_flags = SA_ONSTACK }, NULL);
	if (!workload_number(argc, argv, 0, &rounds) || pthread_create(&thread, NULL, deep_thread, &rounds))
		return 1;
	for (u64 i = 0; i < rounds && ok; i++) {
		deep_turn();
		ok = nap_elsewhere(&stack);
	}
	pthread_join(thread, NULL);
	return !ok;
}
