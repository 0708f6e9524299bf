/*
 * Tracing: gives the tracepoint samples of a profile, in the order of time, to commands that understand some
 * tracepoints each. A command lists rows: an event, the fields it needs, a handler. Samples of other events
 * are ignored. Nothing outlives tracing_run(); it never prints.
 */
#ifndef PERF_TRACING_TRACING_H
#define PERF_TRACING_TRACING_H

#include "bind.h"
#include "../fields/sample-filter.h"
#include "../resolve/kernel-names.h"
#include "../session/session.h"

/* of the sample that is handled, for tracing_ctx() */
struct tracing_task {
	struct locator locator;
	struct sample_ctx ctx;
	bool found;			/* ctx is that of this sample */
};

/* one sample of a row's event, until the handler returns */
struct tracing_sample {
	const struct session *session;
	const struct tracing_row *row;	/* NULL: a sample for `other` */
	struct tracefmt *formats;	/* NULL: there are no tracepoints */
	u32 generation;			/* the machine has grown since a sample with another one */
	const struct sample *sample;	/* time, cpu, pid, tid, call chain */
	struct when when;
	struct tracing_task *task;
	/* of the row's fields, in their order: numbers (signed ones sign-extended), and texts and arrays */
	const u64 *value;
	const struct tracing_bytes *bytes;
	u32 present;			/* bit i: the format has field i, else value[i] is 0 */
};

/* thread and address space at that time; looked up when they are first asked for */
const struct sample_ctx *tracing_find_ctx(const struct tracing_sample *ts);
static inline const struct sample_ctx *tracing_ctx(const struct tracing_sample *ts)
{
	return ts->task->found ? &ts->task->ctx : tracing_find_ctx(ts);
}

struct tracing_row {
	const char *event;			/* "kmem:kfree" */
	const struct tracing_field *field;	/* ends with a NULL name */
	void (*handle)(void *ctx, const struct tracing_sample *ts);
	bool maybe; /* not all kernels have it: it is recorded where the running one does */
};

struct tracing_opts {
	const struct tracing_row *row;
	u32 nr_rows;
	/* the command that records these events, for a hint: "perf kmem record" */
	const char *record;
	struct sample_filter filter;	/* as typed; parsed here: time, cpu, pid, tid, comm */
	/* parsed filter of handlers that need all events: losses at other times do not count. NULL: filter */
	const struct sample_filter *shown;
	/* an event of a row without which there is no answer; NULL: any of the rows' is enough */
	const char *needs;
	void *ctx;			/* the handlers' own */
	/* gets samples of events without a row, of tracepoints and others; NULL: they are ignored */
	void (*other)(void *ctx, const struct tracing_sample *ts);
	/* gets all records that are not samples, at their time (0: they have none); NULL: they are ignored */
	void (*side_band)(void *ctx, const struct rec *rec, u64 time);
	bool *stop;			/* a handler sets it when it needs no more samples; or NULL */
};

/* whether a parsed filter keeps the sample: for handlers that filter something else than events */
bool tracing_keeps(const struct sample_filter *f, const struct tracing_sample *ts);

/*
 * Calls the handlers. 0, or a negative errno with err: no event of the file has a row, the format of one is
 * missing or lacks a required field, a filter is wrong. Trouble with single samples is counted in s->diag.
 */
int tracing_run(struct session *s, struct tracing_opts *o, struct err *err);

/*
 * The arguments of perf record for what the rows read, on all CPUs, and then argv[1] ...: *ret_argc of them,
 * and a NULL. The caller frees the array.
 */
const char **tracing_record_args(const struct tracing_row *row, u32 nr_rows, int argc, const char **argv,
				 int *ret_argc);

/* the same with other arguments instead of "-a -R -c 1": fixed[0] is "record", and a NULL ends them */
const char **tracing_record_args_of(const char *const *fixed, const struct tracing_row *row, u32 nr_rows,
				    int argc, const char **argv, int *ret_argc);
/* whether the running kernel has the event "kmem:kfree", and lets us see it */
bool tracing_has_event(const char *event);

/* how many events were lost while recording, in the span of --time; 0: none that the file tells of */
u64 tracing_nr_lost(const struct session *s);
/*
 * appends "function+offset" of a kernel address, or "0xADDRESS" where raw or not known; after
 * kernel_names_load()
 */
void tracing_add_kernel_name(struct resolver *r, u64 addr, bool raw, struct arena *scratch,
			     struct strbuf *out);

#endif
