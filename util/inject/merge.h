/*
 * Merge: recordings of one machine since one boot as one recording, with all of their records in the order of
 * time: those of recorders that ran beside each other, or files that one recorder switched between. Equal
 * events become one.
 */
#ifndef PERF_INJECT_MERGE_H
#define PERF_INJECT_MERGE_H

#include "../session/session.h"

struct merge_result {
	u64 nr_records, nr_samples;
};

/*
 * Writes the recording; output "-": standard output, in pipe format. 0, or a negative errno with err, which
 * says why recordings cannot be one
 */
int merge_run(struct session *const *s, u32 nr, const char *output, struct merge_result *ret,
	      struct err *err);

#endif
