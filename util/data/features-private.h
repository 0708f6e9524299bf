/* Filling of struct features; only util/data uses it. */
#ifndef PERF_DATA_FEATURES_PRIVATE_H
#define PERF_DATA_FEATURES_PRIVATE_H

#include "features.h"

/*
 * Decodes one payload and marks the bit present. The bytes must live as long as f. -EBADMSG: damaged,
 * what was readable is in f; -EEXIST: was there already, the first one counts
 */
int features_decode(struct features *f, unsigned int bit, const void *p, u64 size, bool swap);
void features_release(struct features *f);

#endif
