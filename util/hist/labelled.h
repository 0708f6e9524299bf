/* Labelled buckets: the buckets of each worker after labelling, and the call chains in them. */
#ifndef PERF_HIST_LABELLED_H
#define PERF_HIST_LABELLED_H

#include "bucket.h"
#include "hist.h"
#include "places.h"

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

void worker_result_release(struct worker_result *s);
void worker_results_release(struct worker_results *s);
/* the labels of a bucket's call chain */
void bucket_path(const struct hist *h, const struct worker_result *s, const struct bucket *t,
		 struct path *ret);

#define SAMPLE_KEY_FOREACH_BUCKET(s, sample_key, t) \
	for (u32 _i = (s)->first[sample_key]; \
	     _i < (s)->first[(sample_key) + 1] && ((t) = buckets_at(&(s)->buckets, (s)->pos[_i])); _i++)

#endif
