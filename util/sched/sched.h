/*
 * Sched: what every thread and CPU did over time, from the tracepoints of the scheduler: one state machine,
 * of which all subcommands of perf sched are listeners. A thread is running, runnable since it was woken,
 * preempted, or asleep; a CPU runs one thread since a time. A listener (struct sched_ops) is told of
 * switches, wakeups, migrations and of each interval that a thread spent in a state.
 *
 * Recordings have holes: lost events, tasks that are first seen in the middle, kernels that do not record
 * some switches. What contradicts the state so far is repaired and counted (struct sched_holes): where a
 * thread runs that was never switched in, it began to run at the last known event of its CPU or of itself,
 * whichever is later. Times are nanoseconds of the recording's clock; SCHED_NEVER: not known. No interval
 * is negative, none begins before the first event.
 *
 * Tasks live as long as the struct sched; ids are u32, in the order in which tasks are seen. It never prints.
 */
#ifndef PERF_SCHED_SCHED_H
#define PERF_SCHED_SCHED_H

#include "../base/hash.h"
#include "../tracing/tracing.h"

#define SCHED_NEVER UINT64_MAX
#define SCHED_COMM_LEN 16u
#define SCHED_MAX_CPUS 65536u

enum sched_state {
	SCHED_UNKNOWN,		/* nothing is known */
	SCHED_RUNNING,
	SCHED_RUNNABLE,		/* woken, waits for a CPU */
	SCHED_PREEMPTED,	/* it lost the CPU, and waits for one */
	SCHED_SLEEPING,		/* until an event (S, I, P) */
	SCHED_DISK,		/* not interruptible (D) */
	SCHED_STOPPED,		/* by a signal or a tracer (T, t) */
	SCHED_DEAD,		/* exited (X, Z): its tid may be used again */
	SCHED_NR_STATES
};

/* one life of a thread, or the idle task of one CPU */
struct sched_task {
	u32 id;			/* position in sched.task */
	s32 tid;		/* 0: the idle task of its CPU */
	s32 pid, ppid;		/* -1: not known (yet): sched_task_resolve() */
	u32 cpu;		/* where it runs, or ran last, or was moved to */
	enum sched_state state;
	bool resolved;
	bool forked;		/* its beginning is in the recording */
	bool waking;		/* its wakeup began (sched_waking), and has not ended (sched_wakeup) */
	bool seen_running;	/* false: its switches are not in the recording yet */
	char letter;		/* how it left the CPU last: R S D T t X Z P I; 0: it never did */
	s32 prio;
	u64 born;		/* first event */
	u64 since;		/* of state */
	u64 in;			/* its run began; SCHED_NEVER: before the first known switch */
	u64 out;		/* its last run ended */
	u64 ready;		/* it was woken after out; SCHED_NEVER: not seen */
	u64 moved;		/* it was moved to another CPU after ready */
	u64 died;		/* SCHED_NEVER: it did not exit */
	u32 waker;		/* task that woke it last; ID_NONE */
	u32 nr_moves;
	u32 nr_holes;		/* missing switches and wakeups: doubtful times */
	bool doubtful;		/* its present run or wait began at an unknown time */
	struct when at;		/* of the first event, to look it up in the machine */
	char comm_bytes[SCHED_COMM_LEN]; /* as recorded: comm, and anything after its NUL */
	char comm[SCHED_COMM_LEN + 1];
};

struct sched_cpu {
	u32 current;		/* task id; ID_NONE: not known */
	u32 idle;		/* its idle task; ID_NONE: not seen */
	u64 since;		/* of the last switch; SCHED_NEVER: none yet */
	u64 seen;		/* current was last seen running */
	bool used;
};

/* what the recording lacks */
struct sched_holes {
	u64 nr_switches;	/* that were recorded */
	u64 nr_missing_switches;
	u64 nr_wakeups;
	u64 nr_missing_wakeups;	/* asleep, and then running */
	u64 nr_bad_cpus;	/* events of CPUs with absurd numbers, which are ignored */
};

struct sched;
/* prev leaves the CPU for next; prev->in, out, ready, moved still tell of the run that ends */
struct sched_switch {
	const struct tracing_sample *ts;
	u64 time;
	u32 cpu;
	struct sched_task *prev, *next;
	enum sched_state prev_state;	/* that follows */
	char prev_letter;
};
struct sched_wakeup {
	const struct tracing_sample *ts;
	u64 time;
	u32 cpu;			/* on which the waker runs */
	struct sched_task *task;
	struct sched_task *waker;	/* NULL: not known */
	/*
	 * the waker is whom the interrupt, or perhaps the softirq, interrupted; a softirq can also run for
	 * the waker, when it has sent a packet
	 */
	bool in_interrupt, in_softirq;
	bool woken;			/* false: it was already running or runnable */
	bool again;			/* the end of a wakeup whose beginning was told: not another one */
	bool is_new;			/* its first wakeup, by the thread that made it */
};
struct sched_move {
	const struct tracing_sample *ts;
	u64 time;
	u32 from, to;
	struct sched_task *task, *mover; /* mover: who runs on the CPU of the event; NULL: not known */
};
/* what a task did from begin to end; begin <= end */
struct sched_interval {
	const struct sched_task *task;
	enum sched_state state, next;
	u32 cpu;
	u64 begin, end;
	bool doubtful;			/* one end is a guess */
};

/* a listener; functions may be NULL */
struct sched_ops {
	void (*switched)(void *ctx, struct sched *s, const struct sched_switch *sw);
	void (*woken)(void *ctx, struct sched *s, const struct sched_wakeup *w);
	void (*moved)(void *ctx, struct sched *s, const struct sched_move *m);
	/* sched_stat_runtime */
	void (*ran)(void *ctx, struct sched *s, struct sched_task *t, u64 time, u64 ns);
	void (*interval)(void *ctx, struct sched *s, const struct sched_interval *i);
	/* contention of a kernel lock begins or ends for that task */
	void (*contended)(void *ctx, struct sched *s, struct sched_task *t, bool begins);
};

/* a direct-mapped cache of by_tid */
#define SCHED_RECENT 256u
struct sched_recent {
	s32 tid;
	u32 slot;
};

struct sched {
	const struct sched_ops *ops;
	void *ctx;			/* of ops */
	struct session *session;
	struct { VEC(struct sched_task *); } task;
	struct { VEC(struct sched_cpu); } cpu;
	struct hidx by_tid;		/* tid -> position in slot */
	struct { VEC(u32); } slot;	/* the task that has a tid now */
	struct sched_recent recent[SCHED_RECENT];
	struct arena arena;
	struct sched_holes holes;
	struct sample_filter filter;	/* which tasks, CPUs and times are shown */
	u64 now, first;			/* times of the last and first event; first > now: none */
	bool other_tids;		/* samples and payloads have different tids (pid namespaces) */
	bool shows_all;			/* there are no filters */
	bool has_wakeups, has_runtime;	/* the file has such events */
};

/*
 * Reads all events of a session. filter: as typed, it selects what is shown, not what the state machine sees:
 * the listener asks sched_shows*(). 0 or a negative errno with err; afterwards all tasks are flushed up to
 * the last event. sched_release() is to be called in both cases.
 */
int sched_run(struct sched *s, struct session *session, const struct sched_ops *ops, void *ctx,
	      const struct sample_filter *filter, struct err *err);
void sched_release(struct sched *s);

/* fills pid and ppid, from the machine where the events did not say */
void sched_task_resolve(struct sched *s, struct sched_task *t);
/* the same for pid alone: the machine is not asked where the events said it */
static inline void sched_task_know_pid(struct sched *s, struct sched_task *t)
{
	if (unlikely(t->pid < 0 || !t->tid))
		sched_task_resolve(s, t);
}
bool sched_filter_task(struct sched *s, struct sched_task *t);
bool sched_filter(struct sched *s, struct sched_task *t, u32 cpu, u64 time);
/* whether the filters keep a task; its name at this time counts */
static inline bool sched_shows_task(struct sched *s, struct sched_task *t)
{
	return likely(s->shows_all) || sched_filter_task(s, t);
}
/* the same, with CPU and time */
static inline bool sched_shows(struct sched *s, struct sched_task *t, u32 cpu, u64 time)
{
	return likely(s->shows_all) || sched_filter(s, t, cpu, time);
}
/* the length of those parts of [begin, end] that --time selects */
u64 sched_time_within(const struct sched *s, u64 begin, u64 end);
static inline bool sched_is_idle(const struct sched_task *t)
{
	return !t->tid;
}
/* length of the recording, or of the part that --time selects */
u64 sched_length(const struct sched *s);

#define SCHED_NR_ROWS 9u
extern const struct tracing_row sched_rows[SCHED_NR_ROWS];
/*
 * "sched record" records the first of them: SCHED_NR_RECORDED, and sched:sched_wakeup after these on kernels
 * without sched:sched_waking
 */
#define SCHED_NR_RECORDED 6u

/*
 * The state machine, for the handlers: each takes the time of its event. cpu: as recorded, checked already.
 */
struct sched_task *sched_task_get(struct sched *s, s32 tid, u32 cpu, const struct tracing_bytes *comm);
struct sched_cpu *sched_cpu_add(struct sched *s, u32 cpu);	/* the slow half */
/* NULL: absurd; counted */
static inline struct sched_cpu *sched_cpu_get(struct sched *s, u32 cpu)
{
	return likely(cpu < s->cpu.nr && s->cpu.v[cpu].used) ? &s->cpu.v[cpu] : sched_cpu_add(s, cpu);
}
void sched_begin_life(struct sched *s, s32 tid, s32 ppid, const struct tracing_bytes *comm);
void sched_switch(struct sched *s, struct sched_switch *sw);
void sched_wake(struct sched *s, struct sched_wakeup *w);
void sched_move(struct sched *s, struct sched_move *m);
/* that task was running on a CPU; ran: for that many ns at least */
void sched_saw_running(struct sched *s, struct sched_task *t, u32 cpu, u64 ran);
/* the next event; clamps its time so that time never runs backwards */
static inline u64 sched_tick(struct sched *s, const struct tracing_sample *ts)
{
	if (unlikely(s->first > s->now))
		s->first = s->now = ts->sample->time;
	/* events that came too late were counted by the reader; they happen now */
	s->now = MAX(s->now, ts->sample->time);
	return s->now;
}

#endif
