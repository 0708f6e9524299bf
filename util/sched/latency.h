/*
 * Latency: per task or per name that ran: how long it ran, how often it waited for a CPU, how long on average
 * and at most. A wait is the time from the wakeup, or from the loss of the CPU, to the next run; waits whose
 * beginning is not in the recording are not counted.
 */
#ifndef PERF_SCHED_LATENCY_H
#define PERF_SCHED_LATENCY_H

#include "sched.h"
#include "../view/rows.h"

enum sched_hist { SCHED_HIST_NONE, SCHED_HIST_LOG, SCHED_HIST_LINEAR };

struct sched_latency_row {
	u32 task;		/* one of its tasks: gives the name */
	u32 nr_tasks;
	u64 ran, ran_switches;	/* by sched_stat_runtime, and by switches */
	u64 nr, delay, max, max_start, max_end;
	u64 nr_holes;
	/* texts, of rows that a view shows */
	const char *name, *text[5];
};

struct sched_latency {
	struct sched sched;
	struct { VEC(struct sched_latency_row); } row;	/* by task, then merged */
	struct { VEC(u64); } delays;			/* every wait, for the histogram */
	bool keep_delays;
};

struct sched_latency_opts {
	struct view_sort sort;
	bool by_pid;			/* a row per task instead of per name */
	enum sched_hist hist;
};

extern const struct sched_ops sched_latency_ops;	/* ctx: struct sched_latency */
void sched_latency_release(struct sched_latency *l);
/* "a,b" of runtime, switch, avg, max; -EINVAL with err */
int sched_latency_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* merges and sorts rows; the view refers to l. form: one of VIEW_FORM_* */
struct view *sched_latency_view(struct sched_latency *l, const struct sched_latency_opts *o, u32 form);

#endif
