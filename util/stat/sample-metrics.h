/*
 * Sample metrics: what is derived from the counters of a group that one sample has read: "insn per cycle" of
 * the time since the last sample. The generic values of perf stat (metrics.def); nothing that takes the time
 * that passed. One a worker.
 */
#ifndef PERF_STAT_SAMPLE_METRICS_H
#define PERF_STAT_SAMPLE_METRICS_H

#include "../event/event.h"
#include "../view/lines.h"

struct sample_metrics;
/* set must outlive it */
struct sample_metrics *sample_metrics_new(const struct evset *set);
void sample_metrics_free(struct sample_metrics *m);

/* the next sample: nothing is counted yet */
void sample_metrics_begin(struct sample_metrics *m);
/* what one of its counters counted since the last one; several of one event are added up */
void sample_metrics_add(struct sample_metrics *m, u32 event, u64 value);
/*
 * what is derived for one of the events, once all of the sample's are there; *ret_nr of them, good
 * until the next call
 */
const struct view_derived *sample_metrics_of(struct sample_metrics *m, u32 event, u32 *ret_nr);

#endif
