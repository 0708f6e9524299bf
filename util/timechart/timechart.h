/*
 * Timechart: what CPUs and tasks, or the I/O of tasks, did over time, from tracepoints of the scheduler, of
 * power management and of system calls. Filled by tracing_run(), then turned into a timeline. Memory grows
 * with tasks, not with events: the timeline merges what is too short to be seen.
 */
#ifndef PERF_TIMECHART_TIMECHART_H
#define PERF_TIMECHART_TIMECHART_H

#include "../base/hash.h"
#include "../resolve/named-frames.h"
#include "../tracing/tracing.h"
#include "../view/timeline.h"

enum timechart_group { TC_CPUS, TC_TASKS };

/* rows of the table of kinds; of a task's spans; the kinds of I/O are at the end */
enum timechart_kind {
	TC_IDLE, TC_DEEP_IDLE, TC_DEEPEST_IDLE, TC_SPEED, TC_CPU_RUN, TC_CPU_MARKED,
	TC_SLEEP, TC_BLOCKED, TC_WAIT, TC_RUN, TC_MARKED,
	TC_POLL, TC_DISK_IN, TC_DISK_OUT, TC_NET_IN, TC_NET_OUT, TC_SYNC, TC_ERROR,
	TC_NR_KINDS
};

enum task_state {
	TASK_UNKNOWN, TASK_RUNS, TASK_WAITS, TASK_SLEEPS, TASK_BLOCKED, TASK_ENDED,
};

/* I/O of a task in one direction that may still grow */
struct timechart_io {
	struct timeline_span span;	/* nr 0: none */
	s64 fd;
};

struct timechart_task {
	s32 tid;
	s64 pid;			/* of its process; -1: unknown */
	const struct thread *thread;	/* NULL: side-band does not know it */
	u32 track;
	u32 comm;			/* its newest name: id of a label */
	enum task_state state;
	u64 since;
	u32 waker;			/* the track that woke it, while it waits */
	u32 reason;			/* why it sleeps: id of a label */
	u64 first, run_ns, io_ns, io_bytes;
	/* the system call that it is in */
	const struct io_call *call;
	u64 call_from;
	s64 call_fd;
	struct timechart_io *io;	/* by kind from TC_POLL on; NULL: it never did I/O */
};

struct timechart_cpu {
	bool seen;
	u32 track;
	bool running_known;
	u32 running;			/* task, or TIMELINE_NONE: idle */
	u64 since;
	u32 idle;			/* kind of the state that it is in; TIMELINE_NONE */
	u64 idle_state, idle_since;
	u64 khz, khz_since;		/* 0: unknown */
};

/* a call chain at which tasks stopped, and its text */
struct timechart_chain {
	u64 hash;
	u32 label;
};

struct timechart_opts {
	bool power_only, tasks_only;	/* -P, -T */
	bool topology;			/* -t */
	const char *process;		/* -p: a name, pid or tid; NULL: all */
	struct sample_filter tasks;	/* lists of pids, tids and names as typed */
	u32 nr_tasks;			/* -n: the least number of tasks that are shown */
	const char *marked_comm;	/* --highlight */
	u64 marked_ns;			/* the same, by time; 0: not */
	bool skip_eagain;
	u64 io_min_ns, io_merge_ns;
};

struct timechart {
	struct session *session;
	const struct timechart_opts *o;
	struct timeline timeline;
	struct sample_filter tasks;	/* parsed */
	struct { VEC(struct timechart_task); } task;
	struct hidx by_tid;		/* the newest task of a tid */
	struct { VEC(struct timechart_cpu); } cpu;
	bool any;			/* an event was seen */
	u64 first, last;		/* the first and the last event */
	u64 nr_doubtful;		/* events that do not fit to those before them */
	bool has_io;
	struct resolver resolver;	/* of reasons */
	struct named_frames names;
	struct arena scratch;
	struct { VEC(struct timechart_chain); } chain;
	struct hidx by_hash;		/* of chains */
};

/* ---- rows of tracepoints */
extern const struct tracing_row timechart_rows[];
extern const u32 timechart_nr_rows;

/* what perf timechart record records */
struct timechart_record_opts {
	bool power_only, tasks_only, io_only, callchain;
	const char *output;		/* NULL: perf record's own */
};
/* the arguments for perf record, as tracing_record_args() */
const char **timechart_record_args(const struct timechart_record_opts *o, int argc, const char **argv,
				   int *ret_argc);

/* ---- a system call that does I/O; rows of io-calls.def */
struct io_call {
	const char *name;		/* "read" */
	enum timechart_kind kind;
};
/* of an event "syscalls:sys_enter_read" or "syscalls:sys_exit_read" */
const struct io_call *io_call_of(const char *event);
void timechart_io_enter(void *ctx, const struct tracing_sample *ts);
void timechart_io_exit(void *ctx, const struct tracing_sample *ts);
/* what is pending of a task becomes spans */
void timechart_io_finish(struct timechart *tc, struct timechart_task *task);

/* ---- what handlers share */
/* every handler begins with it: the time of the event */
u64 timechart_now(struct timechart *tc, const struct tracing_sample *ts);
/* the task that has this tid now; it is added if it is new. Good until the next call */
struct timechart_task *timechart_task(struct timechart *tc, const struct tracing_sample *ts, s32 tid);
void timechart_name(struct timechart *tc, struct timechart_task *task, const char *comm, u32 len);
/* why a task stops running: its call chain in words, a label; 0: the sample has none */
u32 timechart_reason(struct timechart *tc, const struct tracing_sample *ts);

/* ---- the answer: o and the session must outlive it; o->... of filters is applied at the end */
void timechart_init(struct timechart *tc, struct session *s, const struct timechart_opts *o);
/* the timeline; -ENOENT with err if nothing is left to show */
int timechart_finish(struct timechart *tc, struct err *err);
void timechart_release(struct timechart *tc);

#endif
