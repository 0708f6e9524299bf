/*
 * Observer: one live observation, from options to its end. It owns what every command that watches something
 * needs: the target, the command that is started, descriptors and ring buffers of the events, --control, -D,
 * intervals, timeouts, signals, and the loop that sleeps until one of them needs attention. A command
 * provides the operations that are done with them.
 *
 * To write a command on it, such as builtin-top.c:
 * 1. Let the option rows write into a struct of the command's own that holds a struct observe_opts and, if
 *    the command samples, a struct sample_attr_opts (observe/sample-attr.h): -p, -t, -u, -a, -C go to
 *    observe.target, -D to observe.delay, -I or --delay to observe.interval_ms, -m to observe.ring_pages, -e
 *      to observe.set.
 * 2. observer_resolve() finds the tasks and CPUs. Then observer_run() calls, in this order:
 *	before		nothing is open, the command does not exist yet
 *	configure	make the attributes: sample_attr_config(o->opts->set, &attr, &o->target, &o->notes,
 *			err)
 *	open		only if open_events() alone is not enough
 *	start		everything is open, the rings are mapped, nothing counts: open files, read the state
 *			of /proc
 *	begin		the clock starts (o->start_ns); again when -D enables the events:
 *			o->enabled is true then
 *	enabled		the events count: each time that we have enabled them, not the exec of the command
 *	drain		rings have data: rings_read(&o->rings, &counts, on_record, ctx) passes every record
 *			that was written since the
 *			last call, whole and in place, and adds samples and losses (lost, lost_samples,
 *			throttled) to counts. builtin-top.c feeds them to a live session (session/feed.h)
 *				there
 *	tick		an interval is over: top counts and draws what it has, and shows the losses in counts.
 *			Rings below their watermark
 *			have not been drained: call rings_read() here, too, for their data
 *	signal		SIGUSR2, for commands that use it
 *	snapshot	the word of --control
 *	event		what the command added to o->loop itself, with ids from OBSERVE_OWN on
 *	end		it is over, or has failed. observer_end_command() ends a command that still runs. Call
 *			it before the last
 *			reading if what the command does while it ends should count, else after it
 *    An operation that returns a negative errno, with err filled, ends the run. observer_stop() ends it
 *    without an error. All operations may be NULL. A command without `drain` has no rings: it counts, and
 *      pidfds report the end of existing tasks.
 * 3. observer_run() closes all that it opened before it returns; the results stay in the struct: signal,
 *    exec_failed, work (exit status and times of the command). It can be called again, for the same target
 *      (stat -r).
 * 4. observer_release().
 */
#ifndef PERF_OBSERVE_OBSERVER_H
#define PERF_OBSERVE_OBSERVER_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../bpf/filter-events.h"
#include "../event/event.h"
#include "../kernel/open.h"
#include "../kernel/rings.h"
#include "../kernel/target.h"
#include "affinity.h"
#include "control.h"
#include "loop.h"
#include "workload.h"

struct delay_range {
	u64 on_ns, off_ns;	/* since the start; off_ns 0: until the end */
};

/*
 * options that observing commands have in common; written by option rows, const from then on (but the events
 * get attributes)
 */
struct observe_opts {
	struct evset *set;			/* may be empty: then only times are measured */
	struct target_opts target;
	/* the command; NULL: until Ctrl-C, or until the tasks are gone */
	const char *const *argv;
	const char *control;			/* --control; NULL */
	struct { VEC(struct delay_range); } delay;	/* -D */
	unsigned int interval_ms;		/* 0: no ticks */
	unsigned int interval_count;		/* ends after N intervals; 0: no limit */
	unsigned int timeout_ms;		/* 0: none */
	/* how long a command that got the same Ctrl-C may take to end by itself; 0: it is asked to end */
	unsigned int grace_ms;
	u64 ring_pages;				/* -m; 0: rings_default_pages() */
	u64 aux_pages;				/* -m N,AUX; 0: the default */
	enum affinity affinity;			/* --affinity: on which CPUs rings are emptied */
	/* the events sample: -u filters the samples of whole CPUs, if the kernel can do this */
	bool samples;
	bool start_disabled;			/* -D -1: until --control says "enable" */
	bool tell_delay;			/* what -D does is reported */
	/* standard output of the command is redirected to standard error */
	bool stdout_is_data;
	bool dry_run;				/* opens everything, and stops after `start` */
	/* there may be more runs: a signal between two of them ends the second before it starts */
	bool repeats;
};

/*
 * lower ids are the observer's own, in loop events of all kinds; timers from OBSERVE_OWN to LOOP_TIMERS - 1
 * belong to the command
 */
#define OBSERVE_OWN 4

struct observer;
struct observer_ops {
	int (*before)(void *ctx, struct observer *o, struct err *err);
	int (*configure)(void *ctx, struct observer *o, struct err *err);
	/* fills o->fds; NULL: open_events() */
	int (*open)(void *ctx, struct observer *o, const struct open_opts *opts, struct err *err);
	int (*start)(void *ctx, struct observer *o, struct err *err);
	int (*begin)(void *ctx, struct observer *o, struct err *err);
	int (*enabled)(void *ctx, struct observer *o, struct err *err);
	/*
	 * threads of the command empty the rings while run(arg) observes, and `drain` has nothing to do.
	 * NULL: only run(arg) is called
	 */
	void (*beside)(void *ctx, void (*run)(void *arg), void *arg);
	int (*drain)(void *ctx, struct observer *o, struct err *err);
	int (*tick)(void *ctx, struct observer *o, struct err *err);
	int (*signal)(void *ctx, struct observer *o, struct err *err);
	int (*snapshot)(void *ctx, struct observer *o, struct err *err);
	int (*event)(void *ctx, struct observer *o, const struct loop_event *e, struct err *err);
	/*
	 * failed: 0, or the errno with which the run ended early: then err is NULL. Not called if nothing had
	 * begun
	 */
	int (*end)(void *ctx, struct observer *o, int failed, struct err *err);
};

struct observer {
	const struct observe_opts *opts;
	struct target target;
	/* by event: the group to which it is limited, NULL for none; or NULL. Set before `open`; not owned */
	const char *const *cgroup;
	/* set by `configure`: pages of each AUX area, 0: none; whether the kernel may write over them */
	u64 aux_pages;
	bool aux_overwrite;
	u64 default_pages;		/* of each ring if -m is not given; 0: rings_default_pages() */

	/* of the current run */
	const struct observer_ops *ops;
	void *ctx;
	struct open_fds fds;
	struct filter_counts filtered;
	struct rings rings;
	struct workload work;
	struct loop loop;
	struct control control;
	struct affinity_state near;	/* affinity_follow() in `drain` */
	/*
	 * changes that were necessary to open the events, one per line; the command prints them as warnings
	 */
	struct strbuf notes;
	int *cgroup_fd;			/* by event */
	struct { VEC(int); } group_fd;	/* each of them once */
	struct { VEC(int); } task_fd;	/* they report the end of their tasks */
	u32 rings_live, tasks_live;	/* number of those that have not ended */
	u32 ticks;
	u64 gave_back_ns;		/* alloc_give_back_sometimes() */
	size_t delay_step;		/* next edge of the -D ranges: 2 * range, + 1 for its end */
	u64 start_ns, end_ns;		/* CLOCK_MONOTONIC; end_ns: when the command ended, 0 before */
	u64 wakeups;			/* how often rings had data */
	bool done, running, enabled;	/* running: begun; enabled: the events count */

	/* the results */
	int signal;			/* the signal that ended it; 0: none */
	bool exec_failed;		/* the command could not be executed */
	bool command_over;		/* it ended by itself */
};

static inline bool observe_delayed(const struct observe_opts *o)
{
	return o->delay.nr || o->start_disabled;
}

/*
 * resolves the target in the options; warnings about conflicts go to the log. 0 or a negative errno with err
 */
int observer_resolve(struct observer *o, const struct observe_opts *opts, struct err *err);
/* one run. 0, or a negative errno with err */
int observer_run(struct observer *o, const struct observer_ops *ops, void *ctx, struct err *err);
void observer_release(struct observer *o);
/* after a run */
struct workload_result observer_result(const struct observer *o);

/* ---- for operations ---- */

/* ends the run; `end` is called next */
static inline void observer_stop(struct observer *o)
{
	o->done = true;
}
/* switches every event on or off */
int observer_enable(struct observer *o, bool on, struct err *err);
/* asks a command that still runs to end, and waits for its end: the next Ctrl-C kills it. Reaps it */
void observer_end_command(struct observer *o);
/*
 * -r: this program runs with that SCHED_FIFO priority; 0: as it is. For `start`. 0 or a
 * negative errno with err
 */
int observe_realtime(int prio, struct err *err);
/* logs the lines of o->notes as warnings and clears them; for commands that do not show them elsewhere */
void observer_log_notes(struct observer *o);

#endif
