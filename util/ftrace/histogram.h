/*
 * Histogram: durations in buckets: powers of two of a microsecond (or a nanosecond), or steps of equal width.
 * Percentiles come from a second, finer histogram whose steps are a 64th of a power of two: they are exact to
 * 1.6 %. Minimum, maximum, sum and count are exact. Memory does not grow with the number of durations.
 */
#ifndef PERF_FTRACE_HISTOGRAM_H
#define PERF_FTRACE_HISTOGRAM_H

#include "../base/err.h"
#include "../base/types.h"

struct ftrace_histogram_opts {
	bool nsec;		/* the unit is 1 ns instead of 1 us */
	bool hide_empty;	/* of text: rows without durations are left out */
	/* in that unit. range: width of a bucket, 0: powers of two; max 0: the default */
	unsigned int range, min, max;
};

#define FTRACE_BUCKETS 22u	/* of powers of two, and of equal width by default */
#define FTRACE_BUCKETS_MAX 1000u
#define FTRACE_FINE_BITS 6u
#define FTRACE_FINE_MAX ((64u - FTRACE_FINE_BITS + 1) << FTRACE_FINE_BITS)

struct ftrace_histogram {
	const struct ftrace_histogram_opts *o;
	u32 nr_buckets;
	u64 *bucket;		/* nr_buckets counts */
	u64 count, total, min, max;	/* ns */
	u32 fine[FTRACE_FINE_MAX];
};

/* -EINVAL with err: options that do not fit together. o must outlive h */
int ftrace_histogram_init(struct ftrace_histogram *h, const struct ftrace_histogram_opts *o, struct err *err);
void ftrace_histogram_add(struct ftrace_histogram *h, u64 ns);
/* bucket i holds durations from *ret_from up to, not including, *ret_to; ns. UINT64_MAX: it has no end */
void ftrace_histogram_range(const struct ftrace_histogram *h, u32 i, u64 *ret_from, u64 *ret_to);
/* p percent of the durations are not longer, in ns; 0: there are none */
u64 ftrace_histogram_percentile(const struct ftrace_histogram *h, double p);
void ftrace_histogram_release(struct ftrace_histogram *h);

/* the table and statistics; form: one of VIEW_FORM_*. nr_lost: events that the kernel dropped */
struct view *ftrace_histogram_view(const struct ftrace_histogram *h, u64 nr_lost, u32 form);

#endif
