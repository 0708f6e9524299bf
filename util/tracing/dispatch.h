/*
 * Dispatch: hands one sample to the row of its event. Private to util/tracing: files (tracing.c) and rings
 * (live.c) differ only in where the next record comes from.
 */
#ifndef PERF_TRACING_DISPATCH_H
#define PERF_TRACING_DISPATCH_H

#include "live.h"
#include "tracing.h"

struct bound_event {
	const struct tracing_row *row;	/* NULL: no row reads this event */
	struct tracing_binding binding;
	/* its last sample */
	struct tracing_values values;
	struct tracing_sample ts;
};

struct tracing_dispatch {
	struct session *s;
	const struct tracing_opts *o;
	struct diag *diag;		/* trouble with samples is counted here */
	struct tracefmt *formats;	/* NULL: no event is a tracepoint */
	struct bound_event *event;	/* by event idx */
	struct sample *sample;		/* the last one of each event, by event idx */
	struct tracing_task task;
	struct arena scratch;
	bool filters;			/* some filter was given */
	u32 generation;			/* how often the machine has grown */
};

/*
 * Binds the rows and parses the filters. 0, or a negative errno with err as tracing_run(); to be released in
 * both cases
 */
int tracing_dispatch_init(struct tracing_dispatch *d, struct session *s, struct tracing_opts *o,
			  struct err *err);
void tracing_dispatch_release(struct tracing_dispatch *d);
static inline bool tracing_stopped(const struct tracing_opts *o)
{
	return o->stop && *o->stop;
}
/* a sample of the event that comes without a record; off: orders it among samples of the same time */
void tracing_dispatch_given(struct tracing_dispatch *d, const struct event *event, u64 time,
			    const struct tracing_given *g, u64 off);
/* a SAMPLE record, and what sample_event() says of it */
void tracing_dispatch_sample(struct tracing_dispatch *d, const struct rec *rec, const struct event *event);

#endif
