/* Metrics: expressions over the counts of several events, by name. */
#ifndef PERF_PYTHON_METRICS_H
#define PERF_PYTHON_METRICS_H

#include "opened.h"

struct table_source;
/* event tables of vendors, found once */
struct table_source *module_tables(void);

/* appends the names of the metrics of these events to a list; -1 with an exception */
int metrics_add_names(const struct opened_events *o, PyObject *list);
/*
 * the value of a metric over what one CPU and one thread counted: 1 and the value (NAN: it cannot be computed
 * from these counts), 0 if the events have no such metric, -1 with an exception
 */
int metrics_compute(const struct opened_events *o, const char *name, int cpu, int thread, double *ret);

#endif
