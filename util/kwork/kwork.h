/*
 * Kwork: work that the kernel does beside tasks: interrupts, softirqs and works of workqueues: how long each
 * ran, how long it waited after it was raised, and what CPUs spent on it. Filled by tracing_run(), then
 * turned into a view. Nothing here prints.
 */
#ifndef PERF_KWORK_KWORK_H
#define PERF_KWORK_KWORK_H

#include "../base/strtab.h"
#include "../bpf/kernel-work-types.h"
#include "../tracing/tracing.h"
#include "../view/rows.h"

enum kwork_view_kind { KWORK_REPORT, KWORK_LATENCY, KWORK_TIMEHIST, KWORK_TOP };

struct kwork_opts {
	enum kwork_view_kind kind;
	u32 classes;			/* bits */
	const char *cpus, *name;	/* as typed, or NULL; name: keep only work of this name */
	struct sample_filter tasks;	/* lists of pids, tids and names as typed */
	struct view_sort sort;
	bool summary, chains;
	unsigned int max_stack;
};

/* one piece of work on one CPU */
struct kwork_work {
	enum kwork_class class;
	u32 cpu, name;			/* name: id in kwork.names; of irq and sched */
	u64 id;				/* number of the irq or softirq, address of the work */
	u64 function;			/* of a work */
	struct kwork_times run, delay;
	const char *text, *cpu_text;	/* for the view */
};

/* what is going on: an irq or softirq of a CPU, or a work of a workqueue wherever it runs */
struct kwork_open {
	enum kwork_class class;
	u32 cpu;			/* 0 of works */
	u64 id;
	/* raised again, perhaps while it is running; of the run: whether the raise before it was seen */
	bool raised, running, delayed;
	bool skipped;			/* it runs in a task that filters leave out */
	u64 raise, entry, delay;
	u32 work;			/* in kwork.work, while it is running */
	/* ids in kwork.names of where it was raised or began, 0: none; of the next run, and of this one */
	u32 chain, run_chain;
};

struct kwork_event {
	u64 start, end, delay;
	u32 work, chain;
	bool delayed;			/* its raise was recorded */
};

/* CPU time of a task; of idle tasks one per CPU */
struct kwork_task {
	s32 tid;			/* -1 - CPU of idle tasks */
	u32 comm;			/* id in kwork.names */
	u64 runtime;
	double rate;			/* percent of the time of the CPUs on which it ran */
	bool shown;
	const char *text;
};

/* time that a task ran on a CPU */
struct kwork_share {
	u32 task;
	u64 ns;
};

struct kwork_cpu {
	bool seen, current_known;
	u64 first, last;		/* switches */
	u32 current;			/* position in kwork.task */
	u64 since;
	u32 depth;			/* of irqs and softirqs */
	u64 outer;			/* when the outermost of them began */
	u64 stolen;			/* time of irqs and softirqs since the last switch */
	u64 idle, irq, softirq, busy;
	u64 unknown;			/* time between switches that do not fit: some were lost */
	struct { VEC(struct kwork_share); } share;
	struct hidx share_idx;
};

struct kwork {
	const struct kwork_opts *opts;
	const struct session *session;
	struct resolver resolver;
	struct arena arena, scratch;
	struct strtab names;
	struct id_filter cpus;
	struct sample_filter tasks;	/* parsed */
	bool filters_tasks;
	struct { VEC(struct kwork_work); struct hidx idx; } work;
	struct { VEC(struct kwork_open); struct hidx idx; } open;
	struct { VEC(struct kwork_event); } event;	/* of timehist */
	struct { VEC(struct kwork_task); struct hidx idx; } task;
	struct { VEC(struct kwork_cpu); } cpu;
	u64 first, last;		/* times of events */
	u64 nr_events, nr_lost_entries, nr_lost_exits;
	u64 nr_no_room;			/* times that found no room in the tables of BPF programs */
};

#define KWORK_NR_ROWS 9u
extern const struct tracing_row kwork_rows[KWORK_NR_ROWS];
/* the rows of these classes, at most KWORK_NR_ROWS; their number */
u32 kwork_rows_of(u32 classes, struct tracing_row *ret);
/* "irq,softirq": bits of classes; -EINVAL with err */
int kwork_classes_parse(const char *words, u32 *ret, struct err *err);

/* 0, or -EINVAL with err; opts must live as long */
int kwork_init(struct kwork *k, const struct session *s, const struct kwork_opts *opts, struct err *err);
void kwork_release(struct kwork *k);
/* keys of -s; -EINVAL with err */
int kwork_sort_parse(struct view_sort *sort, enum kwork_view_kind kind, const char *keys, struct err *err);
/* after tracing_run(). form: one of VIEW_FORM_* */
struct view *kwork_view(struct kwork *k, u32 form);

/* what the files of this directory share */
struct kwork_cpu *kwork_cpu_of(struct kwork *k, u32 cpu);
/* top: an irq or softirq of a CPU begins or ends, a task ends and another one begins to run */
void kwork_top_enter(struct kwork *k, u32 cpu, u64 time);
void kwork_top_leave(struct kwork *k, u32 cpu, enum kwork_class class, u64 entry, u64 time);
void kwork_top_switch(struct kwork *k, u32 cpu, u64 time, s32 next, u32 next_comm, s32 prev, u32 prev_comm);
/* time of a task on a CPU that a BPF program has added up */
void kwork_top_add(struct kwork *k, u32 cpu, s32 tid, u32 comm, u64 ns);
void kwork_add_top(struct kwork *k, struct view *v, u32 form);
extern const struct view_look kwork_plain;
int kwork_top_sort_parse(struct view_sort *sort, const char *keys, struct err *err);

#endif
