/* Chain: frames of call chains below a line, and what tracepoints say, which names kernel functions. */
#ifndef PERF_SCRIPT_CHAIN_H
#define PERF_SCRIPT_CHAIN_H

#include "line-worker.h"

void line_chain(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		struct strbuf *out);
/* counts the chains of the group that was shown */
void script_count_chains(struct line_worker *w, u32 nr);
/* --stop-bt: whether a chain ends at this frame */
bool line_stops_at(struct line_worker *w, const struct frame_at *at);
/* finds what line_chain will need: runs, hits */
void line_chain_find(struct line_worker *w, const struct event_view *v, struct line_sample *ls);
/* why the chain of a sample ends, as a stack_end_key() */
u64 line_stack_end(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at);
void line_trace(struct line_worker *w, const struct event *ev, const struct sample *sm, struct strbuf *out);
/* the recorded format of a tracepoint, for w->trace; NULL where there is none, which is counted */
const struct tracefmt_event *line_trace_event(struct line_worker *w, const struct event *ev);

#endif
