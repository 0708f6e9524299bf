/*
 * Events in a set: those that the user asked for, or that a file declares. Frozen after parsing or reading;
 * descriptors, counts and histograms are in arrays of their owners, indexed by event->idx. Strings belong to
 * the set's arena.
 */
#ifndef PERF_EVENT_EVENT_H
#define PERF_EVENT_EVENT_H

#include "abi.h"
#include "../base/arena.h"
#include "../base/hash.h"
#include "../base/vec.h"

struct event {
	u32 idx;			/* position in the set */
	struct pe_attr attr;
	const char *name;		/* as the user typed it or the file says; never NULL */
	const u64 *ids;			/* kernel ids of this event in the file, nr_ids of them */
	u32 nr_ids;
	u32 leader;			/* idx of the group's leader; its own idx if it is not in a group */
	/* one word meant several PMUs: that word, the same pointer for all events made from it; or NULL */
	const char *shared_name;
	const char *group_name;		/* of a leader, if a name was given; or NULL */
	const char *unit;		/* "" */
	double scale;			/* 1.0 */
	const char *filter;		/* tracepoint or address filter, or NULL */
	const char *bpf_filter;		/* conditions on samples (bpf/bpf-filter), or NULL */
	const char *pmu;		/* PMU name, or NULL */
	/* the CPUs on which the event is to be opened, or NULL for all CPUs of the target */
	const int *cpus;
	u32 nr_cpus;
	const char *tp_system, *tp_name;/* for tracepoints, else NULL */
	/* which per-event terms were given (EVENT_TERM_*): they win over command options */
	u32 term_flags;
	u32 term_max_stack;
	const char *term_call_graph;	/* "fp", "dwarf", "lbr", "no"; or NULL */
	u32 term_stack_size;
	bool weak_group;		/* modifier W: the group may be split */
	bool precise_max;		/* modifier P: as precise as the kernel allows */
	bool keep_group;		/* modifier X */
	bool sample_read;		/* modifier S */
	bool bpf_counter;		/* modifier b: counted by a BPF program */
	bool retire_lat;		/* modifier R: retire latency (the weight) is wanted */
	bool per_pkg, snapshot;		/* from sysfs: one count per package; the value is not a difference */
	const char *metric_id;		/* term metric-id, or NULL */
	u32 term_max_events;		/* term nr: stop after N events; 0: no limit */
	/*
	 * for a breakpoint on a program's symbol, whose address is found when the event is opened
	 * (kernel/breakpoint.c); or NULL
	 */
	const char *bp_file, *bp_symbol;
	bool all_tasks;			/* opened for all tasks of each CPU of the target, whoever that is */
	bool no_cpus;			/* sampled by thread, on unknown CPUs: script shows none by default */
	bool dummy;			/* exists for side-band records only; hidden from the user */
	bool trace;			/* its PMU writes a trace into an AUX area */
};

#define EVENT_TERM_PERIOD	(1u << 0)
#define EVENT_TERM_FREQ		(1u << 1)
#define EVENT_TERM_TIME		(1u << 2)
#define EVENT_TERM_INHERIT	(1u << 3)
#define EVENT_TERM_OVERWRITE	(1u << 4)
#define EVENT_TERM_MAX_STACK	(1u << 5)
#define EVENT_TERM_CALL_GRAPH	(1u << 6)
#define EVENT_TERM_BRANCH	(1u << 7)
#define EVENT_TERM_NO_INHERIT	(1u << 8)
#define EVENT_TERM_NO_OVERWRITE	(1u << 9)
#define EVENT_TERM_TIME_OFF	(1u << 10)
#define EVENT_TERM_PERCORE	(1u << 11)
#define EVENT_TERM_AUX_SAMPLE	(1u << 12)
#define EVENT_TERM_CPU		(1u << 13)

struct evset {
	struct { VEC(struct event *); } ev;
	struct arena arena;
	struct { VEC(u64); } id_val;	/* id -> event: id_event[k] is the idx of id_val[k] */
	struct { VEC(u32); } id_event;
	struct hidx id_idx;
};

/*
 * perf counts it itself, without a counter of the kernel: kernel/open leaves it out, count/tool-events reads
 * it
 */
static inline bool event_is_tool(const struct event *ev)
{
	return ev->attr.type >= PE_TYPE_HWMON && ev->attr.type <= PE_TYPE_TOOL;
}

/* task-clock, cpu-clock: the count is CPU time in ns */
bool event_is_clock(const struct event *ev);

struct evset *evset_new(void);
void evset_free(struct evset *s);
/* adds a zeroed event at the end of the set; name is copied */
struct event *evset_add(struct evset *s, const char *name);
/*
 * removes an event that has no ids yet: later events move up, and the next member of its group leads if it
 * was the leader
 */
void evset_remove(struct evset *s, u32 idx);
/* gives the ids to ev (copied); call it once per event */
void evset_set_ids(struct evset *s, struct event *ev, const u64 *ids, u32 nr);
/* true if an event of the set samples all of these PERF_SAMPLE_* */
bool evset_samples(const struct evset *s, u64 bits);
/* NULL if no event has that id */
struct event *evset_by_id(const struct evset *s, u64 id);
static inline struct event *evset_at(const struct evset *s, u32 idx)
{
	return s->ev.v[idx];
}

#endif
