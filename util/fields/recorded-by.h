/* Recorded by: the options of perf record that add optional values to samples. */
#ifndef PERF_FIELDS_RECORDED_BY_H
#define PERF_FIELDS_RECORDED_BY_H

#include "../base/types.h"

/* such as "--sample-cpu" for PERF_SAMPLE_CPU; NULL if no option adds one of these bits alone */
const char *recorded_by(u64 sample_bits);

#endif
