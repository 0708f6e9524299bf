/*
 * Kept outputs: the converted files of a recorder (perf record --fold), and of earlier recorders of the same
 * output, of which the oldest are removed. Remembers nothing if all are kept, so that memory does not grow
 * with time.
 */
#ifndef PERF_RECORD_KEPT_OUTPUTS_H
#define PERF_RECORD_KEPT_OUTPUTS_H

#include "../base/types.h"
#include "../base/vec.h"

/* 0: without limit */
struct kept_limits {
	u64 ns, bytes;
	u32 files;
};

/* a converted file; a week of ten-second files are 60,000 */
struct kept_output {
	u64 stamp;			/* the time in its name, as a number */
	u64 bytes, time_ns;
};

struct kept_outputs {
	const struct kept_limits *limits;
	const char *output, *suffix;	/* around the time in their names: perf.data, .pb.gz */
	struct { VEC(struct kept_output); } out;	/* oldest first */
	size_t first;			/* of out: those before it were removed */
	u64 bytes;			/* of all that are there */
};

/* looks which there are; the arguments must live as long as k */
void kept_outputs_init(struct kept_outputs *k, const struct kept_limits *limits, const char *output,
		       const char *suffix);
/* a new one is complete: removes the oldest while there are too many. The newest one always stays */
void kept_outputs_add(struct kept_outputs *k, const char *path);
/* removes a file, or a directory of files */
void output_remove(const char *path);

#endif
