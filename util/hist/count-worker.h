/* Count worker: what one thread has counted: frames, kernel stacks and buckets in tables of its own. */
#ifndef PERF_HIST_COUNT_WORKER_H
#define PERF_HIST_COUNT_WORKER_H

#include "../base/diag.h"
#include "../fields/field-worker.h"
#include "../resolve/lookup.h"
#include "../resolve/resolver.h"
#include "bucket.h"
#include "key-table.h"
#include "places.h"
#include "timed.h"

/* in place of a frame in a chain: the number of a row of count_worker.marked: the frame and its mark */
#define MARKED_FRAME (1u << 31)
/* in place of a frame that --ignore-callees removed */
#define FRAME_CUT UINT32_MAX

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
	u8 *piece;			/* of the file, for struct copied_walk; NULL: none is copied */
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

void count_worker_release(struct count_worker *w);

#endif
