/* Time view: when the samples of a table happened, in columns of time for its CPUs and threads. */
#ifndef PERF_HIST_TIME_VIEW_H
#define PERF_HIST_TIME_VIEW_H

#include "hist.h"

struct view;
struct view_marks;
struct view_time;

/* the time of a table that shows one event, in the view's arena; mark: of its threads, or NULL */
const struct view_time *hist_time_view(struct hist *h, struct view *v, u32 event, u32 nr_members,
				       const struct view_marks *mark);

#endif
