/* Workloads: the rows, arguments and time. */
#include "workload.h"
#include "../../util/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

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
