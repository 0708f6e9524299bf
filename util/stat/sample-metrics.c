/* Sample metrics: see sample-metrics.h. */
#include "sample-metrics.h"

#include <stdlib.h>
#include "metric.h"

struct sample_metrics {
	struct stat_derive *derive;
	struct tallies tallies;		/* one aggregate */
	struct { VEC(u32); } counted;	/* events with a tally that is not 0 */
	struct view_block block;
};

struct sample_metrics *sample_metrics_new(const struct evset *set)
{
	struct sample_metrics *m = xcalloc(1, sizeof(*m));

	m->derive = stat_derive_new(set, NULL, NULL);
	m->tallies = (struct tallies){ .nr_events = set->ev.nr, .nr_ids = 1 };
	m->tallies.v = xcalloc(MAX(set->ev.nr, (size_t)1), sizeof(*m->tallies.v));
	return m;
}

void sample_metrics_free(struct sample_metrics *m)
{
	if (!m)
		return;
	stat_derive_free(m->derive);
	tallies_release(&m->tallies);
	vec_release(&m->counted);
	view_block_release(&m->block);
	free(m);
}

void sample_metrics_begin(struct sample_metrics *m)
{
	vec_foreach(&m->counted, e)
		*tally_at(&m->tallies, *e, 0) = (struct tally){ 0 };
	m->counted.nr = 0;
}

void sample_metrics_add(struct sample_metrics *m, u32 event, u64 value)
{
	struct tally *t = tally_at(&m->tallies, event, 0);

	if (!t->nr++)
		vec_push(&m->counted, event);
	t->state = COUNT_READ;
	t->ena = t->run = 1;	/* the members of a group run together: nothing to scale */
	t->val += value;
	t->scaled += value;
}

const struct view_derived *sample_metrics_of(struct sample_metrics *m, u32 event, u32 *ret_nr)
{
	struct stat_values v = { .tallies = &m->tallies, .user_ns = -1, .system_ns = -1 };
	struct view_line line = { .idx = event };

	m->block.derived.nr = 0;
	stat_derive_add(m->derive, &v, event, 0, &m->block, &line);
	*ret_nr = line.nr_derived;
	return m->block.derived.v;
}
