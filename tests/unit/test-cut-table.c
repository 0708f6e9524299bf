/* Unit test of sums by number: the same as in an array, with few numbers and with many. */
#include "test.h"
#include "../../util/base/alloc.h"
#include "../../util/hist/cut-table.h"

#include <stdlib.h>

#define LIMIT (1u << 16)

static u32 differing(const struct cut_table *t, const u64 *want)
{
	u32 nr = 0;

	for (u32 i = 0; i < LIMIT; i++)
		nr += cut_table_sum(t, i) != want[i];
	return nr;
}

TEST(sums_of_few_numbers_and_of_many)
{
	u64 *want = xcalloc(LIMIT, sizeof(*want));
	struct cut_table t;
	u32 number = 0;

	cut_table_init(&t, LIMIT);
	for (u32 i = 0; i < 3 * LIMIT; i++) {
		number = number * 5 + 12345 + i / LIMIT;
		want[number % LIMIT] += 1ull << (i % 40);
		cut_table_add(&t, number % LIMIT, 1ull << (i % 40));
		if (i == 4000)
			CHECK_U64(differing(&t, want), 0);
		if (i == 4000)
			CHECK(t.slot && (t.mask + 1) * sizeof(*t.slot) < LIMIT * sizeof(u64));
	}
	CHECK(!t.slot);
	CHECK_U64(differing(&t, want), 0);
	for (u32 i = 0; i < LIMIT; i++)
		want[i] = want[i] < 1ull << 39 ? 0 : want[i];
	cut_table_drop(&t, 1ull << 39);
	CHECK_U64(differing(&t, want), 0);
	cut_table_drop(&t, UINT64_MAX);
	CHECK_U64(t.nr, 0);
	cut_table_release(&t);
	free(want);
}
