/*
 * Timed samples: each sample's time, period and CPU beside its bucket, 24 bytes a sample, for formats with a
 * time axis. While samples are counted, each bucket has a list of its samples; when paths are made, samples
 * get the number of their hist_end instead. Nothing of this is done unless opts.samples asks for it.
 */
#ifndef PERF_HIST_TIMED_H
#define PERF_HIST_TIMED_H

#include "../view/stacks.h"

#define TIMED_NO_CPU 0x7fffffffu
#define TIMED_ENDED 0x80000000u	/* set in cpu: the sample has an end, so filters have kept it */

/*
 * a stacks_sample whose stack is the next sample of its bucket plus one, then the number of its end
 */
struct timed_samples {
	BLOCKS(struct stacks_sample);
};

/* adds one to the list that begins at *head, 0: an empty one. cpu: at most TIMED_NO_CPU */
void timed_add(struct timed_samples *v, u64 *head, u64 time, u64 period, u32 cpu);
/* all samples of a list end there */
void timed_end(struct timed_samples *v, u64 head, u32 end);
/* moves samples of another worker, whose ends have other numbers */
void timed_join(struct timed_samples *into, struct timed_samples *from, const u32 *end);

#endif
