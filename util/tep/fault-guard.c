/* Fault-guard: see fault-guard.h. */
#include "fault-guard.h"

#include <setjmp.h>
#include <signal.h>

static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE };

static __thread sigjmp_buf *volatile guarded;

static void on_fault(int sig)
{
	if (guarded)
		siglongjmp(*guarded, 1);
	/* the instruction is run again */
	signal(sig, SIG_DFL);
}

bool fault_guard_run(void (*fn)(void *ctx), void *ctx)
{
	struct sigaction act = { .sa_handler = on_fault }, old[ARRAY_SIZE(faults)];
	volatile bool done = false;
	sigjmp_buf here;

	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &act, &old[i]);
	if (!sigsetjmp(here, 1)) {
		guarded = &here;
		fn(ctx);
		done = true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
		sigaction(faults[i], &old[i], NULL);
	guarded = NULL;
	return done;
}
