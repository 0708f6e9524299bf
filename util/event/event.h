/*
 * What the user asked for, or a file declares: events in a set. Frozen after parsing or reading; descriptors, counts and
 * histograms live in their owners' arrays, indexed by event->idx. Strings belong to the set's arena.
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
	u32 leader;			/* idx of the group's leader; own idx where it has none */
	const char *shared_name;	/* one word meant several PMUs: that word, the same pointer for all that came of it; or NULL */
	const char *group_name;		/* of a leader, where one was given; or NULL */
	const char *unit;		/* "" */
	double scale;			/* 1.0 */
	const char *filter;		/* tracepoint or address filter, or NULL */
	const char *pmu;		/* PMU name, or NULL */
	const int *cpus;		/* CPUs the event is to be opened on, or NULL for all of the target's */
	u32 nr_cpus;
	const char *tp_system, *tp_name;/* for tracepoints, else NULL */
	u32 term_flags;			/* which per-event terms were given (EVENT_TERM_*): they win over command options */
	u32 term_max_stack;
	const char *term_call_graph;	/* "fp", "dwarf", "lbr", "no"; or NULL */
	u32 term_stack_size;
	bool weak_group;		/* modifier W: the group may be split */
	bool precise_max;		/* modifier P: as precise as the kernel takes */
	bool keep_group;		/* modifier X */
	bool sample_read;		/* modifier S */
	bool bpf_counter;		/* modifier b: counted by a BPF program */
	bool retire_lat;		/* modifier R: retire latency (the weight) is wanted */
	bool per_pkg, snapshot;		/* of sysfs: one count a package; the value is no difference */
	const char *metric_id;		/* term metric-id, or NULL */
	u32 term_max_events;		/* term nr: stop after so many; 0: no limit */
	const char *bp_file, *bp_symbol;/* a breakpoint on a program's symbol: sys/breakpoint adds its address when opening; or NULL */
	bool dummy;			/* carries side-band only; hidden from the user */
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

/* counted by us, not by a counter of the kernel: kernel/open leaves it out, count/tool-events reads it */
static inline bool event_is_tool(const struct event *ev)
{
	return ev->attr.type >= PE_TYPE_HWMON && ev->attr.type <= PE_TYPE_TOOL;
}

/* task-clock, cpu-clock: the count is ns of CPU time */
bool event_is_clock(const struct event *ev);

struct evset *evset_new(void);
void evset_free(struct evset *s);
/* a zeroed event with name copied, attr zeroed, at the end of the set */
struct event *evset_add(struct evset *s, const char *name);
/* takes an event out before it has ids: the later ones move up, the next member of its group leads where it was the leader */
void evset_remove(struct evset *s, u32 idx);
/* the ids belong to ev from now on (copied); call once an event */
void evset_set_ids(struct evset *s, struct event *ev, const u64 *ids, u32 nr);
/* true where an event of the set samples all of these PERF_SAMPLE_* */
bool evset_samples(const struct evset *s, u64 bits);
/* NULL where no event has that id */
struct event *evset_by_id(const struct evset *s, u64 id);
static inline struct event *evset_at(const struct evset *s, u32 idx)
{
	return s->ev.v[idx];
}

#endif
