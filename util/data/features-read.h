/* Features-read: fills struct features from the payloads of a header, for util/data only. */
#ifndef PERF_DATA_FEATURES_READ_H
#define PERF_DATA_FEATURES_READ_H

#include "features.h"

/*
 * Decodes one payload and marks the bit present. The bytes must live as long as f. -EBADMSG: damaged, but the
 * readable part is in f; -EEXIST: it was already present, and the first one is kept
 */
int features_decode(struct features *f, unsigned int bit, const void *p, u64 size, bool swap);

#endif
