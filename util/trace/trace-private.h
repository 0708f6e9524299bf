/* The threads of a trace, and how its parts call each other. Private to util/trace. */
#ifndef PERF_TRACE_PRIVATE_H
#define PERF_TRACE_PRIVATE_H

#include "text-cache.h"
#include "trace.h"

struct trace_thread {
	s32 pid, tid;
	u32 comm;			/* id of its name */
	char *counted_comm;		/* its name as a BPF program saw it; or NULL */
	u64 counted_ns;			/* when that was */
	const char *label;		/* "cat/1234 ", safe for terminals */
	u32 label_len;
	/* its call that has not returned: by its numbers alone */
	struct syscall_call call;
	bool in_call, shown;		/* shown: on an unfinished line */
	u32 cpu;
	u64 enter_time;
	/* what an exec pointed to when it began: start_len[] bytes of each argument; NULL: nothing */
	u8 *start_data;
	u16 start_len[SYSCALL_ARGS];
	bool has_start;		/* also of one that pointed to nothing in memory */
	/* on the timeline: its track + 1, 0: none */
	u32 track;
	u64 drawn_until, nr_drawn;
	/* for the summary */
	u64 nr_events, nr_minor, nr_major, runtime_ns;
	u64 nr_unpaired;		/* calls whose beginning or end was not seen */
	struct trace_stats stats;
};

/* one line, as far as it was found */
struct trace_line {
	struct trace_thread *th;
	u64 start;			/* UINT64_MAX: not known */
	u64 duration;
	bool timed;			/* duration is known */
	bool whole;			/* enter and exit came as one event, of a BPF program */
	u32 cpu;
};

/* the thread of a sample, with its name at that time */
struct trace_thread *trace_thread_of(struct trace *t, const struct tracing_sample *ts);
/* the thread of a BPF program's entry */
struct trace_thread *trace_thread_counted(struct trace *t, s32 pid, s32 tid);
/* a BPF program saw the thread at ns with this name: 16 bytes, perhaps without NUL. The last one counts */
void trace_name_counted(struct trace_thread *th, const char *comm, u64 ns);
/* another event comes in: true if it is to be handled (--switch-on, --switch-off) */
bool trace_begin_event(struct trace *t, const struct tracing_sample *ts);
/* times of lines are relative to that of the first event, or start of a call, that is shown */
static inline void trace_note_time(struct trace *t, u64 time)
{
	if (unlikely(t->base_time == UINT64_MAX))
		t->base_time = time;
}
/* the call that began last gets a line without result; but not that of th */
void trace_interrupt(struct trace *t, const struct trace_thread *th);

/* exit: its line is printed when it begins */
bool trace_never_returns(const struct syscall_row *row);
/*
 * a call is known as a whole: counts it, prints its line, follows descriptors. continued: its beginning has a
 * line already
 */
void trace_finish_call(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
		       bool continued, const struct tracing_sample *ts);

/* text.c: lines of calls */
void trace_put_call(struct trace *t, const struct trace_line *l, const struct syscall_call *call,
		    bool continued, const struct tracing_sample *ts);
void trace_put_unfinished(struct trace *t, struct trace_thread *th);
/* the text options that were asked for, with names of tasks and files by t */
struct syscall_text_opts trace_text_opts(struct trace *t);
/* the beginning of a text line, up to the label */
void trace_put_head(struct trace *t, const struct trace_line *l);
/* and of a line in the format: its cells that all lines have */
void trace_put_cells(struct trace *t, const struct trace_line *l, const char *event);
/* a line is complete: counts it, and writes when there are many */
void trace_end_line(struct trace *t);
void trace_add_ms(struct strbuf *out, u64 ns, int width);
void trace_put_sample(struct trace *t, const struct tracing_sample *ts, const char *name);

/* chain.c */
/* frames below a line, or as rows of cells */
void trace_put_chain(struct trace *t, const struct tracing_sample *ts, bool kernel);
/* number of frames of the sample that the options show */
u32 trace_chain_len(struct trace *t, const struct tracing_sample *ts, bool kernel);
/* "function+0x12" of a code address; "path@0x12" of a data address; ret: 'd' or 'x' map, '?' none */
void trace_put_code(struct trace *t, const struct tracing_sample *ts, u64 ip, struct strbuf *out);
char trace_put_data(struct trace *t, const struct tracing_sample *ts, u64 addr, struct strbuf *out);

/* fds.c: what descriptors are open on */
struct trace_fds *trace_fds_new(void);
void trace_fds_free(struct trace_fds *f);
/* for syscall_text_opts.fd_path; ctx is the struct trace */
bool trace_fd_path(void *ctx, s32 pid, s32 fd, struct strbuf *out);
/* whether calls of that row change what descriptors are open on */
bool trace_fds_change(const struct trace_fds *f, const struct syscall_row *row);
/*
 * a call has returned: descriptors that it opened, to be called before its line is made, and (after) those
 * that it closed, which its line still shows
 */
void trace_fds_follow(struct trace *t, const struct syscall_call *call, const struct syscall_row *row,
		      bool after);
/* forgets descriptors of processes that ended, and those whose files are to be asked for anyway */
void trace_fds_forget_ended(struct trace *t);
u32 trace_fds_nr(const struct trace_fds *f);
/* pair.c: also true for a thread that the machine does not know */
bool trace_has_ended(const struct trace *t, s32 pid, s32 tid);

#endif
