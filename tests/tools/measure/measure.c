/*
 * measure [-o FILE] CMD...: runs CMD with its output going nowhere and prints "SECONDS CPU-SECONDS PEAK-KB STATUS". CPU time and
 * peak memory are those of CMD and the children it waited for. -o keeps the output of CMD. Output goes to standard output.
 */
#include "../../../util/base/types.h"
#include "../../../util/base/units.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	const char *out = "/dev/null";
	struct rusage ru;
	u64 start;
	int status;
	pid_t pid;

	if (argc > 3 && !strcmp(argv[1], "-o")) {
		out = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fprintf(stderr, "usage: measure [-o FILE] CMD...\n");
		return 129;
	}
	start = clock_ns(CLOCK_MONOTONIC);
	pid = fork();
	if (!pid) {
		int fd = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);

		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &ru) != pid)
		return 1;
	printf("%.4f %.4f %ld %d\n", (clock_ns(CLOCK_MONOTONIC) - start) / 1e9, seconds(ru.ru_utime) + seconds(ru.ru_stime),
	       ru.ru_maxrss, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return 0;
}
