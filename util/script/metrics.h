/* Metrics: values derived from the counters of a sample. */
#ifndef PERF_SCRIPT_METRICS_H
#define PERF_SCRIPT_METRICS_H

#include "line-worker.h"

/* the field metric, below the lines of a group's members; ls: of the leader, with what it has read */
bool script_metrics_wanted(const struct script *sc);
void line_metrics(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  struct strbuf *out);

#endif
