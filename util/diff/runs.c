/* Runs: see runs.h. */
#include "runs.h"

#include <math.h>
#include <stdlib.h>
#include "../base/maths.h"

void runs_mean(const double *v, u32 nr, double *ret_mean, double *ret_variance)
{
	double sum = 0, squares = 0;

	for (u32 i = 0; i < nr; i++)
		sum += v[i];
	*ret_mean = sum / nr;
	for (u32 i = 0; i < nr; i++)
		squares += (v[i] - *ret_mean) * (v[i] - *ret_mean);
	*ret_variance = nr > 1 ? squares / (nr - 1) : 0;
}

/*
 * The continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. It converges
 * quickly for x below (a + 1) / (a + b + 2)
 */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), ret;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	ret = d;
	for (int m = 1; m < 300; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		ret *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		ret *= step;
		if (fabs(step - 1) < 1e-14)
			break;
	}
	return ret;
}

/* the regularized incomplete beta function */
static double beta_share(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x >= 1;
	front = maths_exp(maths_lgamma(a + b) - maths_lgamma(a) - maths_lgamma(b) + a * maths_log(x) +
			  b * maths_log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double runs_t_probability(double t, double df)
{
	return beta_share(df / 2, 0.5, df / (df + t * t));
}

double runs_t_quantile(double p, double df)
{
	double lo = 0, hi = 1;

	while (runs_t_probability(hi, df) > p && hi < 1e12)
		hi *= 2;
	for (int i = 0; i < 100; i++) {
		double mid = (lo + hi) / 2;

		*(runs_t_probability(mid, df) > p ? &lo : &hi) = mid;
	}
	return hi;
}

void runs_compare(const double *a, u32 nr_a, const double *b, u32 nr_b, struct diff_runs *ret)
{
	double va, vb, error, df;

	runs_mean(a, nr_a, &ret->mean[0], &va);
	runs_mean(b, nr_b, &ret->mean[1], &vb);
	va /= nr_a;
	vb /= nr_b;
	error = maths_sqrt(va + vb);
	ret->delta = ret->mean[1] - ret->mean[0];
	if (error == 0) {
		/* all runs are equal: a difference is certain, or there is none */
		ret->half_width = 0;
		ret->p = ret->delta == 0;
		return;
	}
	/* Welch and Satterthwaite */
	df = (va + vb) * (va + vb) / (va * va / (nr_a - 1) + vb * vb / (nr_b - 1));
	ret->half_width = error * runs_t_quantile(0.05, df);
	ret->p = runs_t_probability(ret->delta / error, df);
}

static int cmp_p(const void *x, const void *y)
{
	const struct diff_runs *const *a = x, *const *b = y;

	return (*a)->p < (*b)->p ? -1 : (*a)->p > (*b)->p;
}

void runs_decide(struct diff_runs **runs, size_t nr, double alpha)
{
	if (nr)
		qsort(runs, nr, sizeof(*runs), cmp_p);
	for (size_t i = 0; i < nr && runs[i]->p <= alpha / (nr - i); i++)
		runs[i]->significant = true;
}

static void compare_values(const struct diff *d, const double *value, struct diff_runs *ret)
{
	runs_compare(value, d->opts->nr_a, value + d->opts->nr_a, d->nr_files - d->opts->nr_a, ret);
}

void diff_compare_runs(const struct diff *d, struct diff_event *ev)
{
	struct diff_runs **runs = xcalloc(ev->row.nr + 1, sizeof(*runs));
	double *value = xcalloc(d->nr_files, sizeof(*value));
	size_t nr = 0;

	vec_foreach(&ev->row, row) {
		for (u32 i = 0; i < d->nr_files; i++)
			value[i] = d->units ? row->sum[i].period / d->units[i] : diff_percent(ev, row, i);
		compare_values(d, value, &row->runs);
		runs[nr++] = &row->runs;
	}
	runs_decide(runs, nr, RUNS_ALPHA);
	if (d->units) {
		for (u32 i = 0; i < d->nr_files; i++)
			value[i] = ev->total[i].period / d->units[i];
		compare_values(d, value, &ev->whole);
		ev->whole.significant = ev->whole.p <= RUNS_ALPHA;
	}
	free(value);
	free(runs);
}
