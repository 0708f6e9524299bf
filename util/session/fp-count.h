/*
 * Frame pointers: finds out from recorded call chains which programs were built without them. The kernel
 * follows frame pointers; in code that uses the register for something else, a chain ends, or leads nowhere,
 * after the sampled function. Chains are counted by the file that contains the sampled user function; one
 * struct fp_counts per worker, merged afterwards.
 */
#ifndef PERF_SESSION_FP_COUNT_H
#define PERF_SESSION_FP_COUNT_H

#include "session.h"

#define FP_FRAMES 3u		/* longer chains count as this many user frames */
#define FP_MIN_STACK 64u	/* with a smaller --max-stack a chain may be short because it was cut */

struct fp_count {
	u64 nr, nr_short;
};
struct fp_counts {
	VEC(struct fp_count);	/* by dso id */
};

/* true if the user parts of the event's chains come from frame pointers only */
bool fp_event(const struct event *ev);
/*
 * adds nr samples whose chain has user frames: dso has the dsos of the innermost ones (ID_NONE: none), at
 * most FP_FRAMES; nr_frames is their number.
 */
void fp_count_add(struct fp_counts *c, const u32 dso[FP_FRAMES], u32 nr_frames, u64 nr);
void fp_counts_merge(struct fp_counts *into, const struct fp_counts *from);
/* if most chains of a program have one or two frames: warns, names the program, and says what helps */
void fp_note(const struct session *s, const struct fp_counts *c);

#endif
