/* Histogram: see histogram.h. */
#include "histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "alloc.h"
#include "strbuf.h"

#define BAR_WIDTH 40

/* small values have a bucket each; then HISTOGRAM_STEPS buckets per power of two */
static u32 bucket_of(u64 v)
{
	u32 log;

	if (v < HISTOGRAM_STEPS)
		return v;
	log = 63 - __builtin_clzll(v);
	return (log - 2) * HISTOGRAM_STEPS + (v >> (log - 3) & (HISTOGRAM_STEPS - 1));
}

u64 histogram_start(u32 bucket)
{
	u32 log = bucket / HISTOGRAM_STEPS + 2;

	if (bucket < HISTOGRAM_STEPS)
		return bucket;
	return log > 63 ? UINT64_MAX : (u64)(HISTOGRAM_STEPS + bucket % HISTOGRAM_STEPS) << (log - 3);
}

static void add_to_bucket(struct histogram *h, u32 b, u64 nr)
{
	u32 first = h->nr ? MIN(h->first, b) : b;
	u32 end = h->nr ? MAX(h->first + h->nr, b + 1) : b + 1;

	if (unlikely(first != h->first || end - first != h->nr)) {
		u32 *bucket = xcalloc(end - first, sizeof(*bucket));

		if (h->nr)
			memcpy(bucket + (h->first - first), h->bucket, h->nr * sizeof(*bucket));
		free(h->bucket);
		*h = (struct histogram){ first, end - first, bucket };
	}
	h->bucket[b - first] += MIN(nr, (u64)UINT32_MAX - h->bucket[b - first]);
}

void histogram_add(struct histogram *h, u64 v)
{
	add_to_bucket(h, bucket_of(v), 1);
}

void histogram_add_bucket(struct histogram *h, u32 bucket, u64 nr)
{
	if (bucket <= bucket_of(UINT64_MAX))
		add_to_bucket(h, bucket, nr);
}

u64 histogram_percentile(const struct histogram *h, u64 nr, double p)
{
	u64 want = ceil(nr * p / 100), seen = 0;

	for (u32 i = 0; i < h->nr; i++) {
		seen += h->bucket[i];
		if (seen >= want && seen) {
			u64 start = histogram_start(h->first + i), end = histogram_start(h->first + i + 1);

			return start + (end - start) / 2;
		}
	}
	return 0;
}

void histogram_by_powers(const struct histogram *h, struct histogram_powers *ret)
{
	*ret = (struct histogram_powers){ .first = HISTOGRAM_POWERS };
	for (u32 i = 0; i < h->nr; i++) {
		u32 b = (h->first + i) / HISTOGRAM_STEPS;

		if (!h->bucket[i])
			continue;
		ret->count[b] += h->bucket[i];
		ret->most = MAX(ret->most, ret->count[b]);
		ret->first = MIN(ret->first, b);
		ret->end = MAX(ret->end, b + 1);
	}
}

void histogram_bar(const struct histogram_powers *p, u32 i, struct strbuf *out)
{
	if (p->most)
		strbuf_pad(out, '#', (p->count[i] * BAR_WIDTH + p->most - 1) / p->most);
}

void histogram_release(struct histogram *h)
{
	free(h->bucket);
	*h = (struct histogram){ 0 };
}
