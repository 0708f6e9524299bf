/*
 * measure [-n TIMES] CMD...: runs CMD with its output going nowhere and prints "SECONDS CPU-SECONDS PEAK-KB
 * STATUS". CPU time and peak memory are those of CMD and the children it waited for. -n: of N runs, the
 * least of each, and the last status that is not 0.
 */
#include "../../../util/base/types.h"
#include "../../../util/base/units.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval t)
{
	return t.tv_sec + t.tv_usec / 1e6;
}

struct measured {
	double seconds, cpu;
	long peak_kb;
	int status;
};

static bool run(char **argv, struct measured *ret)
{
	u64 start = clock_ns(CLOCK_MONOTONIC);
	struct rusage ru;
	pid_t pid = fork();
	int status;

	if (!pid) {
		int fd = open("/dev/null", O_WRONLY);

		dup2(fd, STDOUT_FILENO);
		dup2(fd, STDERR_FILENO);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &ru) != pid)
		return false;
	*ret = (struct measured){ (clock_ns(CLOCK_MONOTONIC) - start) / 1e9,
				 seconds(ru.ru_utime) + seconds(ru.ru_stime), ru.ru_maxrss,
				 WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status) };
	return true;
}

int main(int argc, char **argv)
{
	struct measured best, n;
	int times = 1;

	if (argc > 3 && !strcmp(argv[1], "-n")) {
		times = atoi(argv[2]);
		argv += 2;
		argc -= 2;
	}
	if (argc < 2 || times < 1) {
		fprintf(stderr, "usage: measure [-n TIMES] CMD...\n");
		return 129;
	}
	for (int i = 0; i < times; i++) {
		if (!run(argv + 1, &n))
			return 1;
		if (!i)
			best = n;
		best.seconds = MIN(best.seconds, n.seconds);
		best.cpu = MIN(best.cpu, n.cpu);
		best.peak_kb = MIN(best.peak_kb, n.peak_kb);
		best.status = n.status ? n.status : best.status;
	}
	printf("%.6f %.6f %ld %d\n", best.seconds, best.cpu, best.peak_kb, best.status);
	return 0;
}
