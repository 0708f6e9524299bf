/*
 * quota: a process, quota, in a control group that may use a tenth of a CPU: it computes until it has used
 * the given CPU time. The time for which the kernel says that the group was throttled is left out of what its
 * line says of waiting for a CPU. Needs root, and a control group with the controller cpu.
 */
#include "workload.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PERIOD_US 50000
#define QUOTA_US 5000

struct quota_group {
	char path[64];
	bool v2;
};

static bool quota_write(const struct quota_group *g, const char *file, const char *text)
{
	char path[128];
	FILE *f;
	bool ok;

	snprintf(path, sizeof(path), "%s/%s", g->path, file);
	f = fopen(path, "we");
	if (!f)
		return false;
	ok = fputs(text, f) >= 0;
	return !fclose(f) && ok;
}

/* of cpu.stat: ns for which the group was throttled; -1: not known */
static long long quota_throttled(const struct quota_group *g)
{
	char path[128], line[128];
	long long ret = -1;
	FILE *f;

	snprintf(path, sizeof(path), "%s/cpu.stat", g->path);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "throttled_usec %lld", &ret) == 1)
			ret *= 1000;
		else
			sscanf(line, "throttled_time %lld", &ret);
	}
	if (f)
		fclose(f);
	return ret;
}

static bool quota_make(struct quota_group *g)
{
	char text[64];

	g->v2 = !access("/sys/fs/cgroup/cgroup.controllers", F_OK);
	if (g->v2) {
		strcpy(g->path, "/sys/fs/cgroup");
		quota_write(g, "cgroup.subtree_control", "+cpu");
	}
	snprintf(g->path, sizeof(g->path), "/sys/fs/cgroup/%sperf-quota-%d", g->v2 ? "" : "cpu/", getpid());
	if (mkdir(g->path, 0755))
		return false;
	snprintf(text, sizeof(text), "%d %d", QUOTA_US, PERIOD_US);
	if (g->v2)
		return quota_write(g, "cpu.max", text);
	snprintf(text, sizeof(text), "%d", PERIOD_US);
	if (!quota_write(g, "cpu.cfs_period_us", text))
		return false;
	snprintf(text, sizeof(text), "%d", QUOTA_US);
	return quota_write(g, "cpu.cfs_quota_us", text);
}

static int quota_child(const struct quota_group *g, double seconds)
{
	struct workload_times begin;
	struct timespec t = { 0 };
	long long throttled;

	prctl(PR_SET_NAME, "quota");
	if (!quota_write(g, "cgroup.procs", "0"))
		return 1;
	workload_times_begin(&begin);
	throttled = quota_throttled(g);
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec / 1e9 < seconds);
	/* the scheduler counts it as waiting for a CPU */
	if (begin.run >= 0)
		begin.run += quota_throttled(g) - throttled;
	workload_times_print(&begin, "quota");
	return 0;
}

int quota(int argc, const char **argv)
{
	struct quota_group g = { 0 };
	double seconds = 0.03;
	int status = 1;
	pid_t pid = -1;

	if (!workload_seconds(argc, argv, 0, &seconds))
		return 1;
	if (quota_make(&g))
		pid = fork();
	else
		fprintf(stderr, "Error: no control group with a quota can be made\n");
	if (!pid) {
		status = quota_child(&g, seconds);
		fflush(stdout);
		_exit(status);
	}
	if (pid > 0)
		waitpid(pid, &status, 0);
	rmdir(g.path);
	return status != 0;
}
