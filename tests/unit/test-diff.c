/* Diff: the statistics of runs. */
#include "test.h"

#include <math.h>
#include <stdlib.h>
#include "../../util/diff/runs.h"

static bool near(double a, double b, double by)
{
	return fabs(a - b) <= by;
}

TEST(t_distribution_has_its_known_values)
{
	/* two-sided 5 % points of tables of Student's distribution */
	CHECK(near(runs_t_quantile(0.05, 1), 12.706, 0.001));
	CHECK(near(runs_t_quantile(0.05, 5), 2.571, 0.001));
	CHECK(near(runs_t_quantile(0.05, 30), 2.042, 0.001));
	CHECK(near(runs_t_quantile(0.01, 10), 3.169, 0.001));
	CHECK(near(runs_t_probability(0, 4), 1, 1e-9));
	CHECK(near(runs_t_probability(2.776, 4), 0.05, 1e-4));
	CHECK(near(runs_t_probability(-2.776, 4), 0.05, 1e-4));
}

TEST(sets_without_variance_differ_or_do_not)
{
	const double a[] = { 5, 5 }, b[] = { 5, 5 }, c[] = { 6, 6 };
	struct diff_runs r = { 0 };

	runs_compare(a, 2, b, 2, &r);
	CHECK(r.p == 1 && r.delta == 0);
	runs_compare(a, 2, c, 2, &r);
	CHECK(r.p == 0 && r.delta == 1);
}

/* a fixed sequence, so that the test is the same everywhere; the sum of 12 is nearly normal */
static double noise(u64 *seed)
{
	double sum = 0;

	for (int i = 0; i < 12; i++) {
		*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
		sum += (double)(*seed >> 40) / (1 << 24);
	}
	return sum - 6;
}

#define ROWS 50
#define RUNS 10

/* shares of two programs; the second one's first row is larger by `more` percent of all */
static bool any_significant(u64 *seed, double more, bool *ret_first)
{
	static struct diff_runs runs[ROWS];
	struct diff_runs *list[ROWS];
	bool any = false;

	for (u32 r = 0; r < ROWS; r++) {
		double share[2 * RUNS], mean = r ? 1 + r * 0.03 : 10;

		for (u32 i = 0; i < 2 * RUNS; i++)
			share[i] = mean + (r ? 0 : i >= RUNS) * more + noise(seed) * 0.1 * sqrt(mean);
		runs[r] = (struct diff_runs){ 0 };
		runs_compare(share, RUNS, share + RUNS, RUNS, &runs[r]);
		list[r] = &runs[r];
	}
	runs_decide(list, ROWS, RUNS_ALPHA);
	for (u32 r = 0; r < ROWS; r++)
		any |= runs[r].significant;
	*ret_first = runs[0].significant;
	return any;
}

TEST(a_program_does_not_differ_from_itself)
{
	u64 seed = 1;
	u32 nr = 0;
	bool first;

	for (u32 trial = 0; trial < unit_amount(100); trial++)
		nr += any_significant(&seed, 0, &first);
	CHECK(nr <= 6);
}

TEST(a_change_of_two_percent_is_found)
{
	u64 seed = 1;
	u32 nr = 0;
	bool first;

	for (u32 trial = 0; trial < unit_amount(100); trial++) {
		any_significant(&seed, 2, &first);
		nr += first;
	}
	CHECK_INT(nr, unit_amount(100));
}
