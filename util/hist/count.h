/* Counting: chunks of the file into per-worker buckets. First part of hist_collect(). */
#ifndef PERF_HIST_COUNT_H
#define PERF_HIST_COUNT_H

#include "hist.h"
#include "../fields/field-worker.h"
#include "../resolve/lookup.h"
#include "../resolve/resolver.h"
#include "bucket.h"
#include "places.h"

struct pending;
struct pending_sums;

struct count_worker {
	struct resolver resolver;
	struct lookup lookup;
	struct key_table sample_keys;		/* event, slots... */
	u32 last_sample_key;
	size_t level_hint;		/* for parallelism_at() */
	u64 nr_parallel;		/* samples while more than one task ran */
	bool mark_ends;			/* of hist_opts */
	bool keeps_samples;
	struct buckets buckets;
	struct hist_time time;		/* of hist_opts */
	struct places places;		/* of the buckets */
	struct timed_samples timed;	/* the same with hist_opts.samples */
	struct kstacks kstacks;
	struct stat_sums *total;	/* per event */
	struct pending *pending;	/* samples that are decoded, but not counted yet */
	struct pending_sums *pending_sums;	/* of each; NULL: buckets have none */
	u32 nr_pending;
	struct arena scratch;
	struct field_worker fields;
	struct diag diag;
	/* branch histories: the mark of each address of the look-up; frames with marks, and their labels */
	struct { VEC(u64); } mark;
	struct key_table marked;
	u32 *marked_label;
	u32 *frame_map;			/* own frame id -> merged id, nr_frames of them */
	u32 nr_frames;
	/* by own frame: its dso in user space, or ID_NONE; NULL if not needed */
	u32 *frame_dso;
} CACHE_ALIGNED;

/* counts everything; workers is an aligned array of pool_nr_workers() zeroed elements */
void count_run(struct session *s, const struct hist_opts *opts, struct count_worker *workers);
void count_worker_release(struct count_worker *w);

#endif
