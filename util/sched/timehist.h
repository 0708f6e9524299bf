/*
 * Timehist: a row for each run of a thread, when it ends: how long the thread was off the CPU before, how
 * much
 * of that it waited for a CPU, how long it ran; and sums of these per thread. Rows go out as they come.
 */
#ifndef PERF_SCHED_TIMEHIST_H
#define PERF_SCHED_TIMEHIST_H

#include "reasons.h"
#include "sched.h"
#include "../view/stream.h"

struct sched_timehist_opts {
	bool state, prio, pre_migrations, visual, next, wakeups, migrations;	/* columns and rows */
	bool idle;		/* rows of idle tasks alone */
	bool summary;		/* sums are wanted */
	bool quiet;		/* only the sums */
	bool chains;
	u32 max_stack;
	struct id_filter prios;
	char separator;		/* of separated values; 0: text */
	const struct stream_format *format;	/* NULL: text or separated values */
	/* where rows go; after a negative errno none follow */
	int (*write)(void *ctx, const char *text, size_t len);
	void *write_ctx;
};

/* a run that has ended */
struct sched_run_row {
	u64 time, run, wait, delay, pre_migration;
	u32 stack;
};

/* sums of a thread */
struct sched_timehist_sum {
	u32 task;
	u64 nr, run, min, max, moves;
	double squares;			/* of runs in ms */
	u64 sleep, disk, preempted, delay;
	/* of runs of the idle task that followed it */
	u64 nr_idle, idle, idle_min, idle_max;
	double idle_squares;
	const char *name, *parent;	/* of rows that a view shows */
};

struct sched_idle_stack {
	u32 cpu, stack;
	u64 nr, time;
	const char *text;
};

/* who ran before the idle task, and where it fell asleep */
struct sched_before_idle {
	u32 task, stack;
};

struct sched_timehist {
	struct sched sched;
	const struct sched_timehist_opts *o;
	struct tracing_stacks stacks;
	struct strbuf out, tmp;
	struct { VEC(struct sched_timehist_sum); } sum;	/* by task */
	struct { VEC(u64); } idle;			/* by CPU */
	struct { VEC(struct sched_idle_stack); } idle_stack;
	struct hidx idle_idx;
	struct { VEC(struct sched_before_idle); } before_idle;	/* by CPU */
	bool titles;			/* were written */
	int ret;			/* of write */
};

extern const struct sched_ops sched_timehist_ops;	/* ctx: struct sched_timehist */
void sched_timehist_init(struct sched_timehist *t, const struct session *s,
			 const struct sched_timehist_opts *o);
/* writes what is left of the rows; 0 or a negative errno of write */
int sched_timehist_end(struct sched_timehist *t);
void sched_timehist_release(struct sched_timehist *t);
/* the sums; form: one of VIEW_FORM_* */
struct view *sched_timehist_view(struct sched_timehist *t, u32 form);

/* rows as text, separated values or lines of cells: timehist-rows.c */
void sched_timehist_run_row(struct sched_timehist *t, const struct sched_switch *sw,
			    const struct sched_run_row *r);
void sched_timehist_wakeup_row(struct sched_timehist *t, const struct sched_wakeup *w);
void sched_timehist_move_row(struct sched_timehist *t, const struct sched_move *m);

#endif
