/* Stats: see stats.h. */
#include "stats.h"

#include <stdlib.h>
#include "../base/maths.h"

struct trace_stat *trace_stat_of(struct trace_stats *s, const struct syscall_table *table, u32 nr)
{
	u64 hash = hash_u64((u64)(uintptr_t)table ^ nr);

	return vec_find_or_add(s, &s->idx, hash, e, e->nr == nr && e->table == table,
			       (struct trace_stat){ .table = table, .nr = nr, .min = UINT64_MAX });
}

void trace_stat_add(struct trace_stat *st, bool timed, u64 duration)
{
	double delta;

	st->calls++;
	if (!timed)
		return;
	st->timed++;
	st->total += duration;
	st->min = MIN(st->min, duration);
	st->max = MAX(st->max, duration);
	delta = duration - st->mean;
	st->mean += delta / st->timed;
	st->m2 += delta * (duration - st->mean);
	histogram_add(&st->histogram, duration);
}

void trace_stat_add_bucket(struct trace_stat *st, u32 bucket, u64 nr)
{
	histogram_add_bucket(&st->histogram, bucket, nr);
}

void trace_stat_fail(struct trace_stat *st, int errnum)
{
	st->errors++;
	vec_foreach(&st->errnos, e)
		if (e->errnum == errnum) {
			e->nr++;
			return;
		}
	vec_push(&st->errnos, (struct trace_errno){ errnum, 1 });
}

u64 trace_percentile(const struct trace_stat *st, double p)
{
	return MIN(MAX(histogram_percentile(&st->histogram, st->timed, p), st->min), st->max);
}

double trace_deviation(const struct trace_stat *st)
{
	if (st->timed < 2 || st->mean <= 0)
		return 0;
	return 100 * maths_sqrt(st->m2 / (st->timed - 1) / st->timed) / st->mean;
}

void trace_stats_release(struct trace_stats *s)
{
	for (size_t i = 0; i < s->nr; i++) {
		histogram_release(&s->v[i].histogram);
		vec_release(&s->v[i].errnos);
	}
	vec_release(s);
	hidx_release(&s->idx);
}

struct trace_group *trace_group_of(struct trace_groups *g, u64 key)
{
	return vec_find_or_add(g, &g->idx, hash_u64(key), e, e->key == key,
			       (struct trace_group){ .key = key });
}

void trace_groups_release(struct trace_groups *g)
{
	for (size_t i = 0; i < g->nr; i++)
		trace_stats_release(&g->v[i].stats);
	vec_release(g);
	hidx_release(&g->idx);
}
