/*
 * Tracing formats: the formats in a file, read without libtraceevent: names of tracepoints, for files that do
 * not name their events, and the offset of a probe's address in its samples. util/tep reads the rest.
 */
#ifndef PERF_DATA_TRACING_FORMATS_H
#define PERF_DATA_TRACING_FORMATS_H

#include "data.h"

/* before data_finish_events(): names tracepoints without a name by the formats in TRACING_DATA */
void data_name_tracepoints(struct data *d);
/* tells the plan where samples of probes have the address of the probe */
void data_find_probes(struct data *d);

#endif
