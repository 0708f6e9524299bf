/* The handlers of scheduler and power events; private to util/timechart. */
#ifndef PERF_TIMECHART_SCHED_H
#define PERF_TIMECHART_SCHED_H

#include "timechart.h"

/* fields of the rows, in their order */
enum { SWITCH_PREV_COMM, SWITCH_PREV_PID, SWITCH_PREV_STATE, SWITCH_NEXT_COMM, SWITCH_NEXT_PID };
enum { WAKEUP_COMM, WAKEUP_PID, WAKEUP_FLAGS };
enum { POWER_STATE, POWER_CPU };

void timechart_switch(void *ctx, const struct tracing_sample *ts);
void timechart_wakeup(void *ctx, const struct tracing_sample *ts);
void timechart_idle(void *ctx, const struct tracing_sample *ts);
void timechart_frequency(void *ctx, const struct tracing_sample *ts);
/* what lasts at the end of the recording becomes spans */
void timechart_sched_finish(struct timechart *tc);

#endif
