/*
 * mem find_bit: two ways to visit the set bits of a bitmap: word by word with an instruction that finds the
 * lowest one, and bit by bit.
 */
#include "bench.h"
#include "../base/units.h"

#include <string.h>
#include <time.h>

#define MAX_BITS 2048u

static volatile u32 visited;

static void visit_words(const u64 *map, u32 nr_bits)
{
	for (u32 w = 0; w < (nr_bits + 63) / 64; w++)
		for (u64 bits = map[w]; bits; bits &= bits - 1)
			visited += w * 64 + __builtin_ctzll(bits);
}

static void visit_bits(const u64 *map, u32 nr_bits)
{
	for (u32 i = 0; i < nr_bits; i++)
		if (map[i / 64] >> (i % 64) & 1)
			visited += i;
}

static void measure(const struct bench_sink *sink, const char *key, const char *label, u32 outer, u32 inner,
		    void (*visit)(const u64 *, u32), const u64 *map, u32 nr_bits)
{
	struct bench_mean mean = { 0 };

	for (u32 i = 0; i < outer; i++) {
		u64 begin = clock_ns(CLOCK_MONOTONIC);

		for (u32 k = 0; k < inner; k++)
			visit(map, nr_bits);
		bench_mean_add(&mean, (clock_ns(CLOCK_MONOTONIC) - begin) / 1e3);
	}
	bench_put(sink, key, bench_mean(&mean), "us", 3, "  Average %s %.3f usec (+- %.3f usec)", label,
		  bench_mean(&mean), bench_mean_error(&mean));
}

int bench_mem_find_bit(const struct bench_opts *o, const struct bench_sink *sink, struct err *err UNUSED)
{
	u32 outer = o->outer ? o->outer : 5, inner = o->inner ? o->inner : 100000;
	u64 map[MAX_BITS / 64];

	for (u32 nr_bits = 1; nr_bits <= MAX_BITS; nr_bits *= 2) {
		for (u32 set = 1; set <= nr_bits; set *= 2) {
			memset(map, 0, sizeof(map));
			for (u32 i = 0; i < set; i++) {
				u32 bit = i * (nr_bits / set);

				map[bit / 64] |= 1ull << (bit % 64);
			}
			bench_say(sink, "%u operations %u bits set of %u bits", inner, set, nr_bits);
			measure(sink, "by_word", "for_each_set_bit took:", outer, inner, visit_words, map,
				nr_bits);
			measure(sink, "by_bit", "test_bit loop took:   ", outer, inner, visit_bits, map,
				nr_bits);
		}
	}
	return 0;
}
