/*
 * Report brief: what matters most about a profile, in a line or two before its tables: what ran, for how
 * long, samples, losses, whether stacks are whole, and one piece of advice.
 */
#ifndef PERF_HIST_REPORT_BRIEF_H
#define PERF_HIST_REPORT_BRIEF_H

#include "../view/view.h"
#include "hist.h"

/* appends to view->brief */
void report_brief(struct view *v, const struct hist *h);

#endif
