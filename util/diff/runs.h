/*
 * Runs: whether a row's share, or its cost per unit of work, differs between two sets of recordings. Values
 * of the runs of each program are samples of a random quantity; Welch's t-test compares their means. A table
 * tests many rows, so a difference counts as significant only after Holm's correction for all of them: in a
 * comparison of a program with itself, the chance that any row is called significant is at most RUNS_ALPHA.
 */
#ifndef PERF_DIFF_RUNS_H
#define PERF_DIFF_RUNS_H

#include "diff.h"

#define RUNS_ALPHA 0.05

/* mean and variance of nr > 0 values; the variance of one value is 0 */
void runs_mean(const double *v, u32 nr, double *ret_mean, double *ret_variance);
/* two-sided probability of |T| >= t for Student's distribution with df degrees of freedom */
double runs_t_probability(double t, double df);
/* the t with that probability */
double runs_t_quantile(double p, double df);
/* fills everything but significant; both sets have two values at least */
void runs_compare(const double *a, u32 nr_a, const double *b, u32 nr_b, struct diff_runs *ret);
/* sets significant for rows, by their p */
void runs_decide(struct diff_runs **runs, size_t nr, double alpha);
/* the rows of an event, and with units of work the whole of it */
void diff_compare_runs(const struct diff *d, struct diff_event *ev);

#endif
