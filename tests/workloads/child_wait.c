/* child_wait: a process, parent, waits for the end of another one, child, which uses this much CPU time. */
#include "workload.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void child_computes(double seconds)
{
	struct workload_times begin;
	struct timespec t = { 0 };

	prctl(PR_SET_NAME, "child");
	workload_times_begin(&begin);
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec / 1e9 < seconds);
	workload_times_print(&begin, "child");
}

int child_wait(int argc, const char **argv)
{
	struct workload_times begin;
	double seconds = 0.1;
	int status = 1;
	pid_t pid;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	prctl(PR_SET_NAME, "parent");
	workload_times_begin(&begin);
	pid = fork();
	if (!pid) {
		child_computes(seconds);
		fflush(stdout);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		fprintf(stderr, "Error: no child that ends\n");
	workload_times_print(&begin, "parent");
	return status != 0;
}
