/* Report frame: the lines before and after the tables of a report: what is shown, losses, and a tip. */
#ifndef PERF_HIST_REPORT_FRAME_H
#define PERF_HIST_REPORT_FRAME_H

#include "../view/view.h"
#include "hist.h"
#include "report-opts.h"

/* appends to view->head, note and foot */
void report_frame(struct view *v, const struct hist *h, const struct report_view_opts *o);

#endif
