/*
 * Record-info: the header features of a recording: the host, its command line, clock, groups,
 * formats of tracepoints.
 */
#ifndef PERF_RECORD_RECORD_INFO_H
#define PERF_RECORD_RECORD_INFO_H

#include "../data/features.h"
#include "record-opts.h"

/* gathers all that is known at the start, in f's arena */
int record_info_gather(struct features *f, const struct record_opts *o, struct err *err);
/* GROUP_DESC, if the set has groups */
void record_info_groups(struct features *f, const struct evset *set);

#endif
