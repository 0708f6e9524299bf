/* sqrtloop: square roots in a child process, so that inheritance shows. */
#include "workload.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../../util/base/maths.h"

static volatile double sqrtloop_result;

__attribute__((noinline)) static void sqrtloop_loop(void)
{
	volatile double v = 12345.678;

	while (!workload_done)
		sqrtloop_result = maths_sqrt(v);
}

int sqrtloop(int argc, const char **argv)
{
	double seconds = 1;
	int status;
	pid_t pid;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	fflush(NULL);
	pid = fork();
	if (pid < 0) {
		perror("Error: cannot start a child");
		return 1;
	}
	if (!pid) {
		workload_timer(seconds);
		sqrtloop_loop();
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	return !WIFEXITED(status) || WEXITSTATUS(status);
}
