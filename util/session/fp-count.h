/*
 * Frame pointers: tells from recorded call chains which programs were built without them. The kernel follows frame pointers; in code
 * that uses the register for something else a chain ends, or leads nowhere, after the sampled function. Counted by the file that
 * the sampled user function is in; one struct fp_counts a worker, merged afterwards.
 */
#ifndef PERF_SESSION_FP_COUNT_H
#define PERF_SESSION_FP_COUNT_H

#include "session.h"

#define FP_FRAMES 3u		/* a chain with as many user frames is as long as any */
#define FP_MIN_STACK 64u	/* with a smaller --max-stack a chain may be short because it was cut */

struct fp_count {
	u64 nr, nr_short;
};
struct fp_counts {
	VEC(struct fp_count);	/* by dso id */
};

/* whether the user parts of the event's chains come from frame pointers, and from these alone */
bool fp_event(const struct event *ev);
/*
 * nr samples whose chain has user frames: dso: where the innermost ones lie (ID_NONE: nowhere), at most FP_FRAMES; nr_frames:
 * how many of them there are.
 */
void fp_count_add(struct fp_counts *c, const u32 dso[FP_FRAMES], u32 nr_frames, u64 nr);
void fp_counts_merge(struct fp_counts *into, const struct fp_counts *from);
/* where most chains of a program have one or two frames: a note that names it, and says what helps */
void fp_note(const struct session *s, const struct fp_counts *c);

#endif
