/* Tallies: counters summed up by aggregate, events of one name on several PMUs by name, and repeated runs. */
#include "aggr.h"

#include <stdlib.h>
#include <string.h>
#include "../base/maths.h"

static bool has_pmu(const struct evset *set, const u32 *first, u32 upto, u32 of, const char *pmu)
{
	for (u32 i = of; i < upto; i++)
		if (first[i] == of && !strcmp(evset_at(set, i)->pmu, pmu))
			return true;
	return false;
}

/* what came of one word; in files, which do not tell, what has one name */
static bool belong_together(const struct event *a, const struct event *b)
{
	if (strcmp(a->unit, b->unit))
		return false;
	return a->shared_name || b->shared_name ? a->shared_name == b->shared_name :
						  !strcmp(a->name, b->name);
}

u32 *tally_merging(const struct evset *set, bool no_merge)
{
	u32 *first = xcalloc(MAX(set->ev.nr, 1u), sizeof(*first));

	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		first[i] = i;
		for (u32 k = 0; !no_merge && ev->pmu && k < i; k++) {
			const struct event *other = evset_at(set, k);

			if (first[k] != k || !other->pmu || !belong_together(ev, other) ||
			    has_pmu(set, first, i, k, ev->pmu))
				continue;
			first[i] = k;
			break;
		}
	}
	return first;
}

static void add_count(struct tally *t, const struct count *v, enum count_state state, bool scale)
{
	if (state == COUNT_ABSENT)
		return;
	if (state != COUNT_READ) {
		if (t->state == COUNT_ABSENT || (t->state != COUNT_READ && state == COUNT_GONE))
			t->state = state;
		/* a thread that has gone keeps what it had counted */
		if (state == COUNT_UNSUPPORTED || !v->ena)
			return;
	}
	t->state = COUNT_READ;
	t->nr++;
	t->val += v->val;
	t->ena += v->ena;
	t->run += v->run;
	if (scale && v->run && v->run < v->ena)
		t->scaled += (double)v->val * v->ena / v->run;
	else
		t->scaled += v->val;
}

/*
 * events that the kernel counts once a package: one CPU of each says it. False where another CPU has already
 */
static bool first_of_package(const struct aggr *a, const struct counts *c, u32 ev, u32 cpu)
{
	if (a->own_cpus || !a->place || a->mode == AGGR_NONE)
		return true;
	for (u32 i = 0; i < cpu; i++)
		if (a->place[i].socket == a->place[cpu].socket && a->place[i].die == a->place[cpu].die &&
		    c->state[counts_at(c, ev, i, 0)] == COUNT_READ)
			return false;
	return true;
}

static bool is_percore(const struct evset *set, u32 e)
{
	return evset_at(set, e)->term_flags & EVENT_TERM_PERCORE;
}

void tallies_init(struct tallies *t, const struct aggr *a, const struct counts *c, const struct evset *set,
		  const u32 *first, bool scale)
{
	*t = (struct tallies){ .nr_events = c->nr_events, .nr_ids = a->id.nr, .first = first };
	t->v = xcalloc((size_t)t->nr_events * t->nr_ids, sizeof(*t->v));
	for (u32 e = 0; e < t->nr_events; e++) {
		const u32 *of = a->core_of && is_percore(set, e) ? a->core_of : a->of;
		bool per_pkg = evset_at(set, e)->per_pkg;

		for (u32 id = 0; id < t->nr_ids; id++) {
			struct tally *y = tally_at(t, e, id);

			y->event = e;
			y->id = id;
			y->refused = c->refused[e];
		}
		for (u32 cpu = 0; cpu < c->nr_cpus; cpu++) {
			if (per_pkg && !first_of_package(a, c, e, cpu))
				continue;
			for (u32 th = 0; th < c->nr_threads; th++) {
				u32 id = a->mode == AGGR_THREAD ? a->of[th] : of[cpu];
				size_t at = counts_at(c, e, cpu, th);

				add_count(tally_at(t, t->first[e], id), &c->v[at], c->state[at], scale);
			}
		}
	}
}

static bool same_core(const struct cpu_location *p, const struct cpu_location *q)
{
	return p->socket == q->socket && p->die == q->die && p->core == q->core;
}

void tallies_share_cores(struct tallies *t, const struct aggr *a, const struct evset *set)
{
	struct tally *sum;

	if (a->mode != AGGR_NONE || !a->place || a->core_of)
		return;
	sum = xcalloc(MAX(t->nr_ids, 1u), sizeof(*sum));
	for (u32 e = 0; e < t->nr_events; e++) {
		if (!is_percore(set, e))
			continue;
		for (u32 i = 0; i < t->nr_ids; i++) {
			sum[i] = *tally_at(t, e, i);
			for (u32 k = 0; k < t->nr_ids; k++) {
				const struct tally *y = tally_at(t, e, k);

				if (k == i || y->state != COUNT_READ ||
				    !same_core(&a->id.v[i].place, &a->id.v[k].place))
					continue;
				sum[i].val += y->val;
				sum[i].ena += y->ena;
				sum[i].run += y->run;
				sum[i].scaled += y->scaled;
				sum[i].nr += y->nr;
			}
		}
		memcpy(tally_at(t, e, 0), sum, t->nr_ids * sizeof(*sum));
	}
	free(sum);
}

void tallies_release(struct tallies *t)
{
	free(t->v);
	*t = (struct tallies){ 0 };
}

/* ---- repeated runs ---- */

double stddev_of_mean(double sum, double squares, u32 nr)
{
	double mean = sum / nr, variance;

	if (nr < 2)
		return 0;
	variance = (squares - sum * mean) / (nr - 1);
	return variance > 0 ? maths_sqrt(variance / nr) : 0;
}

void tally_runs_add(struct tally_runs *r, const struct tallies *t)
{
	size_t nr = (size_t)t->nr_events * t->nr_ids;

	if (!r->sum) {
		r->nr = nr;
		r->sum = xcalloc(nr, sizeof(*r->sum));
	}
	r->nr_runs++;
	for (size_t i = 0; i < MIN(nr, r->nr); i++) {
		const struct tally *y = &t->v[i];
		struct tally_sum *s = &r->sum[i];

		s->scaled += y->scaled;
		s->squares += y->scaled * y->scaled;
		s->val += y->val;
		s->ena += y->ena;
		s->run += y->run;
	}
}

void tally_runs_mean(const struct tally_runs *r, struct tallies *t)
{
	u32 n = r->nr_runs;

	for (size_t i = 0; n && i < MIN(r->nr, (size_t)t->nr_events * t->nr_ids); i++) {
		const struct tally_sum *s = &r->sum[i];
		struct tally *y = &t->v[i];

		if (s->ena > 0)
			y->state = COUNT_READ;
		y->scaled = s->scaled / n;
		y->val = s->val / n;
		y->ena = s->ena / n;
		y->run = s->run / n;
		y->stddev = stddev_of_mean(s->scaled, s->squares, n);
	}
}

void tally_runs_release(struct tally_runs *r)
{
	free(r->sum);
	*r = (struct tally_runs){ 0 };
}
