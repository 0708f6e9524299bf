/* Histogram: buckets and percentiles. */
#include "histogram.h"

#include <errno.h>
#include <stdlib.h>
#include "../base/alloc.h"

static u64 unit_of(const struct ftrace_histogram *h)
{
	return h->o->nsec ? 1 : 1000;
}

static u64 steps_between(const struct ftrace_histogram_opts *o)
{
	return ((u64)o->max - o->min + o->range - 1) / o->range;
}

int ftrace_histogram_init(struct ftrace_histogram *h, const struct ftrace_histogram_opts *o, struct err *err)
{
	*h = (struct ftrace_histogram){ .o = o, .nr_buckets = FTRACE_BUCKETS, .min = UINT64_MAX };
	if (!o->range && (o->min || o->max))
		return err_set(err, -EINVAL, "--min-latency and --max-latency need --bucket-range");
	if (o->range && o->max && o->max <= o->min)
		return err_set(err, -EINVAL, "--max-latency must be greater than --min-latency");
	if (o->range && o->max && steps_between(o) > FTRACE_BUCKETS_MAX)
		return err_set(err, -EINVAL, "more than %u buckets: take a larger --bucket-range",
			       FTRACE_BUCKETS_MAX);
	/* one below the minimum, one above the maximum */
	if (o->range && o->max)
		h->nr_buckets = steps_between(o) + 1 + (o->min != 0);
	h->bucket = xcalloc(h->nr_buckets, sizeof(*h->bucket));
	return 0;
}

void ftrace_histogram_range(const struct ftrace_histogram *h, u32 i, u64 *ret_from, u64 *ret_to)
{
	const struct ftrace_histogram_opts *o = h->o;
	bool last = i + 1 == h->nr_buckets;
	u64 unit = unit_of(h);

	if (!o->range) {
		*ret_from = i ? unit << (i - 1) : 0;
		*ret_to = last ? UINT64_MAX : unit << i;
		return;
	}
	if (!o->min)
		i++;
	*ret_from = i ? o->min + (u64)(i - 1) * o->range : 0;
	*ret_to = o->min + (u64)i * o->range;
	if (o->max) {
		*ret_from = MIN(*ret_from, (u64)o->max);
		*ret_to = MIN(*ret_to, (u64)o->max);
	}
	*ret_from *= unit;
	*ret_to = last ? UINT64_MAX : *ret_to * unit;
}

static u32 bucket_of(const struct ftrace_histogram *h, u64 ns)
{
	const struct ftrace_histogram_opts *o = h->o;
	u64 v = ns / unit_of(h), i;

	if (!o->range)
		i = v ? 64 - __builtin_clzll(v) : 0;
	else if (o->max && v >= o->max)
		i = h->nr_buckets - 1;
	else
		i = v < o->min ? 0 : (v - o->min) / o->range + (o->min != 0);
	return MIN(i, (u64)h->nr_buckets - 1);
}

/* exact below 64 ns, then 64 steps for each power of two */
static u32 fine_of(u64 ns)
{
	u32 shift;

	if (ns < 1u << FTRACE_FINE_BITS)
		return ns;
	shift = 63 - __builtin_clzll(ns) - FTRACE_FINE_BITS;
	return (shift << FTRACE_FINE_BITS) + (u32)(ns >> shift);
}

/* the middle of a step */
static u64 fine_value(u32 i)
{
	u32 shift = i >> FTRACE_FINE_BITS;

	if (shift < 2)
		return i;
	shift--;
	return (((u64)i - ((u64)shift << FTRACE_FINE_BITS)) << shift) + ((1ull << shift) >> 1);
}

void ftrace_histogram_add(struct ftrace_histogram *h, u64 ns)
{
	u32 *fine = &h->fine[fine_of(ns)];

	h->bucket[bucket_of(h, ns)]++;
	h->count++;
	h->total += ns;
	h->min = MIN(h->min, ns);
	h->max = MAX(h->max, ns);
	*fine += *fine < UINT32_MAX;
}

u64 ftrace_histogram_percentile(const struct ftrace_histogram *h, double p)
{
	u64 seen = 0, want = 0;

	for (u32 i = 0; i < FTRACE_FINE_MAX; i++)
		want += h->fine[i];
	if (!want)
		return 0;
	want = MAX((u64)(want * p / 100 + 0.5), 1ull);
	for (u32 i = 0; i < FTRACE_FINE_MAX; i++) {
		seen += h->fine[i];
		if (seen >= want)
			return MAX(MIN(fine_value(i), h->max), h->min);
	}
	return h->max;
}

void ftrace_histogram_release(struct ftrace_histogram *h)
{
	free(h->bucket);
	h->bucket = NULL;
}
