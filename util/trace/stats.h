/*
 * Stats: how often a system call was made, how often it failed and how long it took. Durations are
 * nanoseconds. Percentiles come from a histogram (base/histogram.h); minimum, maximum, sum and deviation are
 * exact.
 */
#ifndef PERF_TRACE_STATS_H
#define PERF_TRACE_STATS_H

#include "../base/hash.h"
#include "../base/histogram.h"
#include "../base/vec.h"
#include "../syscall/syscall.h"

struct trace_errno {
	int errnum;
	u64 nr;
};

struct trace_stat {
	const struct syscall_table *table;
	u32 nr;				/* the number of the call */
	u64 calls, errors;
	u64 timed;			/* calls whose duration is known */
	u64 total, min, max;
	double mean, m2;		/* Welford's: the sum of squared differences from the mean */
	struct histogram histogram;
	struct { VEC(struct trace_errno); } errnos;
};

/* all calls of one thread, group or of all */
struct trace_stats {
	VEC(struct trace_stat);
	struct hidx idx;
};

/* the row of a call; good until the next one is added */
struct trace_stat *trace_stat_of(struct trace_stats *s, const struct syscall_table *table, u32 nr);
void trace_stat_add(struct trace_stat *st, bool timed, u64 duration);
/* durations that were counted elsewhere, in the same buckets; the other numbers do not change */
void trace_stat_add_bucket(struct trace_stat *st, u32 bucket, u64 nr);
void trace_stat_fail(struct trace_stat *st, int errnum);
/* p of 0 to 100; in nanoseconds, 0 if no duration is known */
u64 trace_percentile(const struct trace_stat *st, double p);
/* the deviation of the mean, in percent of it */
double trace_deviation(const struct trace_stat *st);
void trace_stats_release(struct trace_stats *s);

/* stats by a 64-bit key: of control groups, or of everything with key 0 */
struct trace_group {
	u64 key;
	u64 nr_events;
	struct trace_stats stats;
};
struct trace_groups {
	VEC(struct trace_group);
	struct hidx idx;
};
struct trace_group *trace_group_of(struct trace_groups *g, u64 key);
void trace_groups_release(struct trace_groups *g);

#endif
