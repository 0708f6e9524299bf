/*
 * Skip: the letter s of --itrace. The samples of each CPU or thread are in order, but not those of different
 * ones, so which samples are the first ones is only known when all are written.
 */
#ifndef PERF_AUX_SKIP_H
#define PERF_AUX_SKIP_H

#include "aux-private.h"
#include "../data/spool.h"

/*
 * Takes the first a->opts.skip samples, by time, out of the spool; a->start: where a CPU or thread begins in
 * it. 0 or negative errno with err
 */
int aux_skip(struct aux *a, struct spool *spool, struct err *err);

#endif
