/* Sideband: lines of records other than samples. */
#ifndef PERF_SCRIPT_SIDEBAND_H
#define PERF_SCRIPT_SIDEBAND_H

#include "line-worker.h"

void line_side_band(struct line_worker *w, const struct rec *rec, struct strbuf *out);

#endif
