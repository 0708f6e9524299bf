/*
 * Tracing-data: everything that a reader on another machine needs to understand the tracepoints of a set:
 * header formats, formats of the events, printk strings, names of tasks. The payload of the TRACING_DATA
 * feature; layout (trace-cmd's, version 0.6): Documentation/dev/perf-data-format.txt.
 */
#ifndef PERF_RECORD_TRACING_DATA_H
#define PERF_RECORD_TRACING_DATA_H

#include "../base/err.h"
#include "../data/features.h"

/* fills f->tracing_data (in f's arena) and marks it present; does nothing if the set has no tracepoint */
int tracing_data_gather(struct features *f, const struct evset *set, struct err *err);

#endif
