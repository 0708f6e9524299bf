/* Unit tests of histograms: buckets, percentiles, powers of two. */
#include "test.h"
#include "../../util/base/histogram.h"
#include "../../util/base/strbuf.h"

TEST(buckets)
{
	CHECK_U64(histogram_start(0), 0);
	CHECK_U64(histogram_start(8), 8);
	CHECK_U64(histogram_start(16), 16);
	CHECK_U64(histogram_start(17), 18);
	CHECK_U64(histogram_start(62 * HISTOGRAM_STEPS), UINT64_MAX);
}

TEST(percentiles)
{
	struct histogram h = { 0 };

	CHECK_U64(histogram_percentile(&h, 0, 50), 0);
	for (u64 i = 0; i < 99; i++)
		histogram_add(&h, 5);
	histogram_add(&h, UINT64_MAX);
	histogram_add(&h, 0);
	CHECK_U64(histogram_percentile(&h, 101, 50), 5);
	CHECK(histogram_percentile(&h, 101, 100) > UINT64_MAX / 16 * 15);
	histogram_release(&h);
	CHECK(!h.nr && !h.bucket);
}

TEST(powers)
{
	struct strbuf bar = STRBUF_INIT;
	struct histogram_powers p;
	struct histogram h = { 0 };

	histogram_by_powers(&h, &p);
	CHECK(p.first >= p.end && !p.most);
	for (u64 v = 16; v < 32; v++)
		histogram_add(&h, v);
	histogram_add(&h, 64);
	histogram_by_powers(&h, &p);
	CHECK_U64(p.most, 16);
	CHECK_U64(p.count[p.first], 16);
	CHECK_U64(histogram_start(p.first * HISTOGRAM_STEPS), 16);
	CHECK_U64(p.count[p.end - 1], 1);
	histogram_bar(&p, p.first, &bar);
	CHECK_U64(bar.len, 40);
	strbuf_reset(&bar);
	histogram_bar(&p, p.end - 1, &bar);
	CHECK_U64(bar.len, 3);
	strbuf_release(&bar);
	histogram_release(&h);
}
