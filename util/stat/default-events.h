/* Default events: what perf stat counts where nothing was asked for, and what each -d adds. */
#ifndef PERF_STAT_DEFAULT_EVENTS_H
#define PERF_STAT_DEFAULT_EVENTS_H

#include "../base/err.h"
#include "../event/event.h"

/* appends the events of the levels up to `detail` (0 to 3); system: CPUs are counted, not tasks */
int stat_default_events(struct evset *set, int detail, bool system, struct err *err);
/* only what `detail` times -d adds, after the user's events */
int stat_detail_events(struct evset *set, int detail, struct err *err);

#endif
