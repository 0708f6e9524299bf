/*
 * Call-lines: what a trace has to write. Most lines are the head and the text of a call. These are kept as
 * numbers and put together when they are written, which another thread can do while the trace goes on.
 */
#ifndef PERF_TRACE_CALL_LINES_H
#define PERF_TRACE_CALL_LINES_H

#include "../base/strbuf.h"
#include "../base/vec.h"

struct trace_opts;

/* what is before the text of a call */
struct trace_head {
	u64 start;			/* as it is shown; UINT64_MAX: not known */
	u64 duration;
	const char *label;		/* of the thread: lives as long as the trace */
	u32 label_len;
	u32 cpu;
	bool timed;			/* duration is known */
};

/* a line that is put together later; its text is in texts, and it comes before what is in out from at on */
struct trace_call_line {
	struct trace_head head;
	size_t at;
	u32 text, text_len;
};

struct trace_call_lines {
	struct strbuf out;		/* everything else, as it will be written */
	struct strbuf texts;
	struct { VEC(struct trace_call_line); } call;
};

void trace_add_head(const struct trace_opts *o, const struct trace_head *h, struct strbuf *out);
/* there is enough to write */
bool trace_call_lines_full(const struct trace_call_lines *l);
/* appends all lines to *out; then there are none */
void trace_call_lines_take(const struct trace_opts *o, struct trace_call_lines *l, struct strbuf *out);
void trace_call_lines_release(struct trace_call_lines *l);

#endif
