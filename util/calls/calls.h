/*
 * Timeline of calls: the branches of a hardware trace become spans of functions, nested as they called each
 * other, a track for each thread. Nothing is invented: where the trace has a gap, the gap is a span with its
 * reason; where it is not known when a call began or ended, the span says so. Calls that a jump out of
 * several functions (longjmp, exceptions) leaves end with it; where a thread changes its stack, all of its
 * calls end as far as the picture knows.
 *
 *	calls_open(&c, session, opts);
 *	ret = calls_run(&c, filter, err);	fills c.picture
 *	calls_close(&c);
 *
 * Memory grows with threads, with the depth of their stacks, and with the code that branched; spans are
 * bounded by the timeline.
 */
#ifndef PERF_CALLS_CALLS_H
#define PERF_CALLS_CALLS_H

#include "../tracing/tracing.h"
#include "../view/timeline.h"
#include "places.h"

#define CALLS_TRACKS 1000u	/* the most threads that are shown: the ones with most branches */
#define CALLS_LEVELS 127	/* deeper calls are not shown */
#define CALLS_DEPTH (1u << 14)	/* a stack that is higher begins anew */

/* kinds of spans: rows of calls_kinds */
enum call_kind {
	CALL_FUNCTION, CALL_KERNEL, CALL_TAIL, CALL_INLINED, CALL_PARTIAL, CALL_UNTRACED, CALL_NO_CODE,
	CALL_LOST, CALL_NR_KINDS
};

/* a function that runs, or one that is inlined in the function before it */
struct called {
	u64 from;
	u64 ret;		/* the address to which it returns; 0: not known */
	u32 fn, label;
	u8 kind;		/* CALL_PARTIAL: it is not known when it began */
	bool inlined;
};

/* a place where the thread was not traced; kind 0: it is traced */
struct call_gap {
	u8 kind;
	u64 from;
	u32 label;
};

struct call_task {
	s64 key;		/* tid; of threads that are not known or idle: -1 - CPU */
	s32 pid, tid;
	u32 id, comm, track;
	u64 nr, first, last;	/* branches, and the times of the first in this stack, and of the last */
	s32 base;		/* level of the outermost call */
	struct call_gap gap;
	struct { VEC(struct called); } call;	/* the outermost first */
};

struct calls_opts {
	bool inlines;		/* show inlined functions */
	const char *time_spec;	/* of --time: the picture shows only this; NULL: all */
};

struct calls {
	struct session *session;
	struct timeline picture;
	struct call_places places;
	struct time_filter times;
	struct { VEC(struct call_task *); } task;
	struct hidx task_idx;
	struct { VEC(u32); } on_cpu;	/* the task of the last branch of each CPU, plus 1 */
	const char *time_spec;
	u64 count;		/* the time where the trace has none */
	bool timeless;
	u64 nr_unwound, nr_switched, nr_hidden, nr_gaps[CALL_NR_KINDS];
	struct strbuf text;
};

void calls_open(struct calls *c, struct session *s, const struct calls_opts *o);
void calls_close(struct calls *c);
/*
 * Reads all branches; filter: tasks and CPUs, as typed. 0, or a negative errno with err: there are no
 * branches of a trace, or a filter is wrong
 */
int calls_run(struct calls *c, const struct sample_filter *filter, struct err *err);

/* ---- stack.c: what a branch does to the calls of a thread; times are ns ---- */

struct call_branch {
	u64 time, from, to, flags;	/* flags: INSN_* with the length of the instruction */
	struct call_place from_place, to_place;	/* of addresses that are not 0 */
};

void calls_branch(struct calls *c, struct call_task *t, const struct call_branch *b);
/* from then on the trace is not known; label: why. cut: neither are the calls */
void calls_gap(struct calls *c, struct call_task *t, u64 time, enum call_kind kind, u32 label, bool cut);
/* ends all calls of a thread; they go on as far as is known */
void calls_end_task(struct calls *c, struct call_task *t);

/* ---- picture.c ---- */

extern const struct timeline_kind calls_kinds[CALL_NR_KINDS];
void calls_add_span(struct calls *c, struct call_task *t, enum call_kind kind, s32 level, u64 from, u64 to,
		    u32 label);
/* after the last branch; -ENOENT with err: there is nothing to show */
int calls_finish_picture(struct calls *c, struct err *err);

#endif
