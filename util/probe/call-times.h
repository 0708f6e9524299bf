/*
 * Call-times: how long calls of functions take, from probes at their entry and return. Entries and returns
 * are paired by thread, function and stack pointer, so recursion, calls that never return (longjmp,
 * exceptions, exit) and lost events do not mix calls up. A function that is left by a tail call returns when
 * the function that it jumped to does, also if that is, in the end, itself. Times are nanoseconds. Events are
 * handlers of util/tracing.
 */
#ifndef PERF_PROBE_CALL_TIMES_H
#define PERF_PROBE_CALL_TIMES_H

#include "../base/hash.h"
#include "../base/histogram.h"
#include "../base/vec.h"
#include "../resolve/resolver.h"
#include "../tracing/tracing.h"

struct view;

struct call_times_sum {
	u64 nr, total, min, max;
};

/* a place from which a function is called */
struct call_times_site {
	u32 function;			/* idx */
	u32 dso;			/* ID_NONE: nothing is mapped there */
	u64 addr;			/* in the dso; the return address where nothing is mapped */
	struct call_times_sum sum;
};

struct call_times_function {
	const char *name;		/* for people: "step in /bin/a"; not owned */
	struct call_times_sum sum;
	struct histogram histogram;
	u64 nr_entries;
	u64 nr_left;			/* calls that were left without a return */
	u64 nr_no_entry;		/* returns whose entry was not seen */
	u32 max_depth;			/* of recursion: 1 if there is none */
};

/* a call that has not returned */
struct call_times_call {
	u64 time, sp;
	u64 back;			/* where it returns to; 0: not recorded */
	u32 function;
};

struct call_times_thread {
	s32 tid;
	struct { VEC(struct call_times_call); } call;	/* outermost first */
};

struct call_times_opts {
	/* what a return adds to the stack pointer: bytes of the return address if it is on the stack */
	u32 pop;
	bool is_kernel;			/* the functions are the kernel's */
	const struct tracing_row *row;	/* entry and return of function 0, of function 1 ... */
};

struct call_times {
	u32 pop;
	bool is_kernel;
	const struct tracing_row *row;
	struct { VEC(struct call_times_function); } function;
	struct { VEC(struct call_times_thread); } thread;
	struct hidx by_tid;
	struct { VEC(struct call_times_site); } site;
	struct hidx by_place;
	const struct session *session;	/* names of callers */
	struct locator locator;
	u32 generation;			/* of the machine, for the locator */
};

/* the measured cost of the probes; 0: not known */
struct call_times_cost {
	u64 ns_per_call;
};

void call_times_init(struct call_times *l, const struct call_times_opts *o);
/* for the handlers: where callers are, and their names */
void call_times_set_session(struct call_times *l, const struct session *s);
void call_times_release(struct call_times *l);
/* returns its number; name must outlive l */
u32 call_times_add_function(struct call_times *l, const char *name);
/*
 * back: where the function will return to; 0: not known. Only with it, a tail call from the function to
 * itself by others is told from one after longjmp
 */
void call_times_enter(struct call_times *l, u32 function, s32 tid, u64 time, u64 sp, u64 back);
/*
 * adds the call's duration to the sums of its function and returns it; UINT64_MAX if its entry is not known
 */
u64 call_times_return(struct call_times *l, u32 function, s32 tid, u64 time, u64 sp);
/* the outermost call of a thread that has not returned; NULL: there is none */
const struct call_times_call *call_times_outermost(struct call_times *l, s32 tid);
/*
 * where the open calls of a thread return to, innermost first; the stack has an address of the kernel's page
 * there. Returns how many, at most max
 */
u32 call_times_callers(struct call_times *l, s32 tid, u64 *back, u32 max);
/* adds a duration to the sums of a caller */
void call_times_add_caller(struct call_times *l, u32 function, u32 dso, u64 addr, u64 duration);
/* calls that have not returned: still running, or left */
u64 call_times_open_calls(const struct call_times *l, u32 function);
u64 call_times_percentile(const struct call_times_function *f, double p);

/* fields and handlers of the rows; ctx is the struct call_times */
extern const struct tracing_field call_times_entry_fields[], call_times_return_fields[];
void call_times_on_entry(void *ctx, const struct tracing_sample *ts);
void call_times_on_return(void *ctx, const struct tracing_sample *ts);

/*
 * The answer: tables of functions, durations and callers; losses and costs. form: VIEW_FORM_*. The caller
 * frees it with view_free()
 */
struct view *call_times_view(struct call_times *l, const struct call_times_cost *cost, u64 lost, u32 form);

#endif
