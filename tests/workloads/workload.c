/* Workloads: the rows, arguments and time. */
#include "workload.h"
#include "../../util/base/units.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t workload_done;

const struct test_workload workloads[] = {
#define WORKLOAD(name, function, args, help) { name, function, args, help },
#include "workloads.def"
#undef WORKLOAD
	{ NULL, NULL, NULL, NULL }
};

const struct test_workload *workload_find(const char *name)
{
	for (const struct test_workload *w = workloads; w->name; w++)
		if (!strcmp(w->name, name))
			return w;
	return NULL;
}

bool workload_seconds(int argc, const char **argv, int i, double *seconds)
{
	char *end;
	double v;

	if (i >= argc)
		return true;
	v = strtod(argv[i], &end);
	if (end == argv[i] || *end || !isfinite(v) || v <= 0 || v > 1e6) {
		fprintf(stderr, "Error: '%s' is not a number of seconds\n", argv[i]);
		return false;
	}
	*seconds = v;
	return true;
}

bool workload_number(int argc, const char **argv, int i, u64 *number)
{
	if (i >= argc || !parse_u64(argv[i], number))
		return true;
	fprintf(stderr, "Error: '%s' is not a number\n", argv[i]);
	return false;
}

static void on_done(int sig)
{
	workload_done = 1;
}

void workload_timer(double seconds)
{
	struct itimerval t = { .it_value.tv_sec = seconds };

	t.it_value.tv_usec = (seconds - t.it_value.tv_sec) * 1e6;
	if (!t.it_value.tv_sec && !t.it_value.tv_usec)
		t.it_value.tv_usec = 1;
	workload_done = 0;
	signal(SIGINT, on_done);
	signal(SIGALRM, on_done);
	setitimer(ITIMER_REAL, &t, NULL);
}

static u64 clock_of(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

u64 workload_now(void)
{
	return clock_of(CLOCK_MONOTONIC);
}

/* ns for which the calling thread waited for a CPU */
static s64 run_delay(void)
{
	FILE *f = fopen("/proc/thread-self/schedstat", "r");
	unsigned long long on, run = 0;
	bool ok = f && fscanf(f, "%llu %llu", &on, &run) == 2;

	if (f)
		fclose(f);
	return ok ? (s64)run : -1;
}

/* the three clocks at one moment: read again if the thread lost its CPU between them, some times at most */
#define SAME_MOMENT_NS 200000u
#define TRIES 50

void workload_times_begin(struct workload_times *t)
{
	u64 start;
	int tries = 0;

	do {
		start = workload_now();
		t->run = run_delay();
		t->on = clock_of(CLOCK_THREAD_CPUTIME_ID);
		t->elapsed = workload_now();
	} while (t->elapsed - start > SAME_MOMENT_NS && ++tries < TRIES);
}

void workload_times_print(const struct workload_times *begin, const char *name)
{
	struct workload_times end;

	workload_times_begin(&end);
	printf("%s %llu %llu %lld\n", name, (unsigned long long)(end.elapsed - begin->elapsed),
	       (unsigned long long)(end.on - begin->on),
	       end.run < 0 ? -1ll : (long long)(end.run - begin->run));
}

int workload_cold_file(u64 bytes, int flags)
{
	char name[] = "workload.XXXXXX";
	static char block[65536];
	int fd = mkstemp(name), ret = -1;

	for (u64 at = 0; fd >= 0 && at < bytes; at += sizeof(block))
		if (write(fd, block, sizeof(block)) != sizeof(block))
			bytes = 0;
	if (fd >= 0 && bytes && !fsync(fd) && !posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		ret = open(name, O_RDONLY | flags);
	if (fd >= 0) {
		unlink(name);
		close(fd);
	}
	if (ret < 0)
		fprintf(stderr, "Error: this folder has no file that can be read so\n");
	return ret;
}
