/* Line-sample: records as samples that are ready for their lines, and which of them are shown. */
#ifndef PERF_SCRIPT_LINE_SAMPLE_H
#define PERF_SCRIPT_LINE_SAMPLE_H

#include "line-worker.h"

/* a sample as filters in shared objects see it, without its frames; false: it cannot be decoded */
bool script_sample(struct line_worker *w, const struct rec *rec, const struct rec *chain,
		   struct line_sample *ls);
/* whether perf's own filters keep it, but for switches; w->cache.blocked: symbols must be loaded first */
bool script_sample_wanted(struct line_worker *w, const struct line_sample *ls);
/* --switch-on and --switch-off, for all samples in their order: whether this one is shown */
bool script_switched_on(struct line_worker *w, const struct event *ev);
/* chain: of each record the one with the rest of its call chain (p NULL: none); or NULL */
void script_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain, u32 nr);
/* finds the frames of ls as the fields of its event show them */
void line_find_frames(struct line_worker *w, struct line_sample *ls);
/* by names: comm, dso, symbol, address; false where the sample is not shown */
bool line_names_wanted(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at);

#endif
