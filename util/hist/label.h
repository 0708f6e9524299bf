/* Labels: names the counted frames and replaces them by labels, so that all later phases use labels only. */
#ifndef PERF_HIST_LABEL_H
#define PERF_HIST_LABEL_H

#include "count.h"

/*
 * one worker's buckets after labelling: leaf is a frame key, frames are labels, or PATH_INLINED | frame if
 * several labels stand for one frame, or PATH_CUT
 */
struct worker_result {
	struct buckets buckets;
	struct kstacks kstacks;
	struct places places;	/* of the buckets */
	struct timed_samples timed;
	u32 *pos;		/* positions of the buckets that are kept, grouped by sample_key */
	/* sample_key -> its first index in pos[]; one element more than there are sample_keys */
	u32 *first;
};
#define PATH_INLINED (1u << 31)
#define PATH_CUT UINT32_MAX	/* a frame that --ignore-callees removes */

struct worker_results {
	struct worker_result *v;
	u32 nr;
	u32 *sample_key;		/* all sample_keys, grouped by event */
};

/* the labels of a call chain, from the outermost caller to the sampled function */
struct path {
	VEC(u32);
};

/* the number of a label, which is added if it is not in the index */
u32 label_add(struct hist *h, struct hidx *idx, struct hist_label l);

/* h->session and h->opts are set; fills names, labels, frame keys. Consumes the workers' buckets */
void label_buckets(struct hist *h, struct count_worker *workers, struct worker_results *ret);
void worker_result_release(struct worker_result *s);
void worker_results_release(struct worker_results *s);
void bucket_path(const struct hist *h, const struct worker_result *s, const struct bucket *t,
		 struct path *ret);

#define SAMPLE_KEY_FOREACH_BUCKET(s, sample_key, t) \
	for (u32 _i = (s)->first[sample_key]; \
	     _i < (s)->first[(sample_key) + 1] && ((t) = buckets_at(&(s)->buckets, (s)->pos[_i])); _i++)

/*
 * ids are distributed to 1 << bits tasks by their lowest bits, so that no task writes what belongs to another
 */
u32 hist_part_bits(const struct hist *h);

/* makes entries: own sums, and totals with children */
void entries_make(struct hist *h, const struct worker_results *s);

#endif
