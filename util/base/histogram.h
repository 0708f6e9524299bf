/*
 * Histogram: counts of durations by size, in steps of an eighth of a power of two. Percentiles are exact to
 * 6 %. Owns its buckets; zeroed memory is an empty one.
 */
#ifndef PERF_BASE_HISTOGRAM_H
#define PERF_BASE_HISTOGRAM_H

#include "types.h"

struct strbuf;

#define HISTOGRAM_STEPS 8u		/* of a power of two */

struct histogram {
	u32 first, nr;			/* the buckets from `first` on */
	u32 *bucket;			/* number of values; stays at UINT32_MAX */
};

void histogram_add(struct histogram *h, u64 value);
/* nr values of a bucket that were counted elsewhere; nothing where there is no such bucket */
void histogram_add_bucket(struct histogram *h, u32 bucket, u64 nr);
/* values of a bucket: from this number up to, not including, histogram_start(bucket + 1) */
u64 histogram_start(u32 bucket);
/* the middle of the bucket that the lowest p percent of nr values end in; 0 if the histogram is empty */
u64 histogram_percentile(const struct histogram *h, u64 nr, double p);

/* the counts by whole powers of two */
#define HISTOGRAM_POWERS 66u
struct histogram_powers {
	u64 count[HISTOGRAM_POWERS];	/* of values from histogram_start(i * HISTOGRAM_STEPS) on */
	u64 most;			/* the largest count */
	u32 first, end;			/* the first that is not 0, and the one after the last of them */
};
void histogram_by_powers(const struct histogram *h, struct histogram_powers *ret);
/* appends a bar of up to 40 '#' for one of these counts */
void histogram_bar(const struct histogram_powers *p, u32 i, struct strbuf *out);
void histogram_release(struct histogram *h);

#endif
