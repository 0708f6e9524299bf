/*
 * Fold: samples of one address, by one task of one name, are one SAMPLE record of each event, which says how
 * many they are (sample.times) and has the sum of their periods. For commands that count samples by address
 * and task (itrace_opts.sums): 500,000 records of Arm SPE are 1.5 million samples, at far fewer addresses.
 * The record has the time of its first sample; at the times of the others, the same file was mapped at the
 * address, the task had the same name, and as many tasks ran.
 */
#ifndef PERF_AUX_FOLD_H
#define PERF_AUX_FOLD_H

#include "aux-private.h"

/* of one thread of the pool */
struct aux_fold;

/* the options and the file allow it: to be asked before events are added */
bool aux_fold_possible(const struct aux *a);
struct aux_fold *aux_fold_new(const struct aux *a);
void aux_fold_free(struct aux_fold *f);
/*
 * a sample of each of these events, a bit for each. pid, tid: -1: not known. By value, since a structure that
 * was just written by parts would wait for them when it is read as a whole
 */
void aux_fold_add(struct aux_fold *f, u32 events, u64 ip, u64 time, s32 pid, s32 tid, u32 cpu, u8 cpumode);
/* it should be written and emptied before the next piece */
bool aux_fold_full(const struct aux_fold *f);
/* appends the records, and adds up the times of their samples in out->span; empties it */
void aux_fold_write(struct aux_fold *f, struct aux_out *out);

#endif
