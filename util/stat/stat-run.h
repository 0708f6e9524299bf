/*
 * Run: perf stat as a whole: what is to be counted and where, runs of it (count/counting), and each reading
 * shown (stat/show).
 */
#ifndef PERF_STAT_RUN_H
#define PERF_STAT_RUN_H

#include "../count/counting.h"
#include "../kernel/cgroup.h"
#include "stat-display.h"

/* what perf stat was asked for; the option rows write into it, and every layer of a run reads it */
struct stat_opts {
	struct counting_opts counting;		/* what is counted, of whom, and when */
	struct stat_show_opts show;
	struct stat_metrics_opts metrics;
	/* -G: by event; events that are added later are in the last one's */
	struct event_cgroups cgroups;
	const char *for_each_cgroup;		/* names or regular expressions, separated by commas; NULL */
	/* --cputype, --pmu-filter: of several PMUs of a word only this; NULL */
	const char *pmu;
	int detail;				/* -d: how often */
	bool null_run;				/* --null: times only */
	int repeat;				/* 1; 0: until Ctrl-C */
	struct iostat *iostat;			/* --iostat: these ports, nothing else; or NULL */
	u32 cache_level;			/* --per-cache=Ln; 0: the last level */
};

/* readings pass through it as well: perf stat record. NULL or zeroed: nobody listens */
struct stat_listener {
	/* cgroup: by event; or NULL */
	int (*opened)(void *ctx, struct counting *c, const char *const *cgroup, struct err *err);
	int (*tick)(void *ctx, const struct counting *c, const struct counting_tick *t, struct err *err);
	void *ctx;
};

/* 0, or a negative errno with err; res is of the last run */
int stat_run(const struct stat_opts *o, const struct stat_listener *listener, struct counting_result *res,
	     struct err *err);

#endif
