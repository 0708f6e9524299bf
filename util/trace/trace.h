/*
 * Trace: system calls as lines and as summaries. Enter and exit of raw_syscalls are paired by thread; other
 * events are lines of their own. It gets samples in the order of time from util/tracing, from files and from
 * rings alike, and appends lines to a buffer that the command writes. It never prints.
 *
 *	trace_init(&t, &opts, session);
 *	tracing_run() or tracing_live_*() with trace_rows, trace_other_event and ctx = &t
 *	trace_end(&t);			what has not returned
 *	trace_add_summary(&t, out) or trace_summary_view(&t)
 *	trace_release(&t);
 *
 * A call is shown when it returns. If a line of something else comes before, it is shown as unfinished
 * ("..."), and its result on a line "... [continued]". Tracepoints do not contain
 * what arguments point to; kernel-lines.h brings calls with it.
 */
#ifndef PERF_TRACE_TRACE_H
#define PERF_TRACE_TRACE_H

#include "../resolve/named-frames.h"
#include "../syscall/syscall.h"
#include "../tracing/tracing.h"
#include "../view/stream.h"
#include "call-lines.h"
#include "stats.h"

#define TRACE_ALIGNMENT 70u	/* of results, if trace.args_alignment does not say */

enum trace_summary_mode { TRACE_BY_THREAD, TRACE_TOTAL, TRACE_BY_CGROUP };

/* what is wanted; const during the run */
struct trace_opts {
	bool lines;			/* a line per call; false: only a summary */
	bool summary;
	bool counted;			/* kernel-summary counts the calls for it */
	enum trace_summary_mode mode;
	bool errnos, histogram;		/* in the summary */
	u64 max_summary;		/* rows of each table; 0: all */
	bool no_syscalls;		/* only other events */
	bool sched;			/* how long threads ran, from sched:sched_stat_runtime */
	bool selected;			/* only calls of these rows */
	bool unknown;			/* and those without a row */
	struct syscall_set set;
	bool failures;			/* only calls that failed */
	u64 min_duration_ns;
	u64 max_events;			/* lines, without lines calls; 0: no limit */
	/* parts of a line */
	bool full_time, tod, show_cpu, hide_comm, hide_time, hide_duration, print_sample, library_text;
	u32 alignment;
	struct syscall_text_opts text;
	const struct stream_format *format;	/* NULL: text */
	/* call chains */
	bool chains, kernel_chains;
	u32 max_stack, min_stack;
	const char *switch_on, *switch_off;	/* names of events */
	bool show_switches;
	bool live;			/* of this machine, now: /proc may be asked */
	bool timeline;			/* a picture is made of the calls */
};

struct trace_thread;
struct trace_fds;
struct trace_timeline;
struct trace_enums;
struct trace {
	const struct trace_opts *o;
	struct session *s;
	const struct syscall_table *native, *compat;	/* by default; of 32-bit programs, or NULL */
	struct trace_call_lines lines;	/* for the command */
	/* there are many lines: trace_hand_over() and write them; NULL: they become more */
	void (*flush)(struct trace *t);
	void *flush_ctx;
	bool stop;			/* for tracing_opts.stop: max_events was reached */

	struct { VEC(struct trace_thread *); } thread;
	size_t nr_kept;			/* of them, when those that ended were forgotten last */
	struct hidx by_tid;
	struct trace_thread *recent[64];
	struct trace_thread *current;	/* whose call began last and has no line yet */
	struct trace_groups groups;	/* what the summary adds up, but that of threads */
	struct trace_fds *fds;
	struct trace_enums *enums;
	struct text_cache *texts;
	struct trace_timeline *timeline;	/* NULL: none was asked for */
	struct resolver resolver;
	struct named_frames names;	/* of call chains and samples */
	u32 generation;			/* of the machine that the resolver has seen */
	struct arena scratch, labels;
	struct strbuf text;		/* of one line */
	u64 base_time;			/* of the first sample; UINT64_MAX before */
	u64 wall_offset;		/* opts.tod: from the events' clock to the time of day; may wrap */
	u64 now;			/* of the sample that is handled */
	bool keep_text;			/* the text that is made will be the same next time */
	u64 nr_events, nr_lines, nr_pairs;
	u64 nr_unpaired;		/* returned, but was not seen to begin; or the other way around */
	u32 switch_on, switch_off;	/* event idx; ID_NONE: none */
	bool on;
	u64 nr_fd_reads;		/* of links in /proc */
};

extern const struct tracing_row trace_rows[];
extern const u32 trace_nr_rows;
/*
 * the number of rows to use where raw_syscalls are not calls but events that -e names: no calls are wanted,
 * or BPF programs record them
 */
#define TRACE_NR_EVENT_ROWS 1u
/* for tracing_opts.other */
void trace_other_event(void *ctx, const struct tracing_sample *ts);

/* 0, or a negative errno with err: no event switch_on or _off, or the time of day is not known */
int trace_init(struct trace *t, const struct trace_opts *o, struct session *s, struct err *err);
/* lines of calls that have not returned */
void trace_end(struct trace *t);
void trace_release(struct trace *t);
/* all lines go to *to, which had none */
void trace_hand_over(struct trace *t, struct trace_call_lines *to);

/*
 * For a trace that has no end: true if there are many threads, of which the ended ones are not needed for a
 * summary or a picture. Then trace_forget_ended() forgets them, so that memory grows with what lives; all
 * lines must have been written
 */
bool trace_forgets(const struct trace *t);
void trace_forget_ended(struct trace *t);

/*
 * adds the calls that close descriptors: lines with names of files need them, also if they are not shown
 */
void trace_fd_calls(struct syscall_set *set);

/* the summary as text; nr_lost: events that are missing in it */
void trace_add_summary(struct trace *t, struct strbuf *out);
struct view;
struct view *trace_summary_view(struct trace *t);

/* with trace_opts.timeline, after trace_end(): the picture, which belongs to t; NULL with err */
struct timeline;
struct timeline *trace_timeline_finish(struct trace *t, struct err *err);

#endif
