/* Between metric.c, metric-plan.c and metric-eval.c alone. */
#ifndef PERF_STAT_METRIC_INSIDE_H
#define PERF_STAT_METRIC_INSIDE_H

#include "metric.h"

/* the tally of an event that really counted in this aggregate, or NULL */
const struct tally *stat_counted(const struct stat_values *v, u32 event, u32 id);
void stat_derive_push(struct stat_block *b, struct stat_line *line, struct stat_metric m);

#endif
