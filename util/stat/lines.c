/* Lines: see lines.h. */
#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the word that was typed for several PMUs stands for their sum; apart each has its own, or "name [pmu]" */
static const char *line_name(struct view_block *b, const struct stat_lines_in *in, const struct event *ev)
{
	size_t pmu_len = ev->pmu ? strlen(ev->pmu) : 0, size;
	bool own = pmu_len && !strncmp(ev->name, ev->pmu, pmu_len) && ev->name[pmu_len] == '/';
	char *name;

	if (!ev->shared_name)
		return ev->name;
	if (!in->o->no_merge)
		return own ? ev->shared_name : ev->name;
	if (own)
		return ev->name;
	size = strlen(ev->name) + pmu_len + sizeof(" []");
	name = arena_alloc(&b->arena, size);
	snprintf(name, size, "%s [%s]", ev->name, ev->pmu);
	return name;
}

/* msec for clocks, else what the event says. Returns what the count is multiplied with */
static double set_unit(struct view_line *l, const struct event *ev)
{
	if (event_is_clock(ev) && ev->scale == 1.0) {
		l->unit = "msec";
		l->value.decimals = 2;
		return 1e-6;
	}
	l->unit = ev->unit ? ev->unit : "";
	l->value.decimals = floor(ev->scale) != ev->scale ? 2 : 0;
	return ev->scale;
}

static enum view_state line_state(const struct tally *t)
{
	if (t->state == COUNT_UNSUPPORTED)
		return VIEW_NOT_SUPPORTED;
	return t->state == COUNT_READ && t->ena && t->run ? VIEW_COUNTED : VIEW_NOT_COUNTED;
}

static void add_line(struct view_block *b, const struct stat_lines_in *in, u32 e, u32 id)
{
	const struct event *ev = evset_at(in->set, e);
	const struct tally *t = tally_at(in->tallies, e, id);
	struct view_line *l;
	double factor;

	/* on none of the CPUs that are measured: missed where it was asked for by its term cpu= */
	if (t->state == COUNT_ABSENT && !(t->refused && in->aggr->mode == AGGR_GLOBAL))
		return;
	if (in->tallies->first[e] != e || ev->dummy)
		return;
	if (in->o->hide_zero && (!t->scaled || t->state != COUNT_READ))
		return;
	/* a system has many threads, most of which sleep */
	if (in->aggr->mode == AGGR_THREAD && in->o->target && in->o->target->all_threads && !t->run &&
	    t->state != COUNT_UNSUPPORTED)
		return;
	l = vec_add(&b->line);
	factor = set_unit(l, ev);
	l->place = id;
	l->idx = e;
	l->nr = t->nr;
	l->state = line_state(t);
	l->name = line_name(b, in, ev);
	l->group = in->o->cgroup ? in->o->cgroup[e] : NULL;
	l->value.type = VIEW_ABSENT;
	if (l->state == VIEW_COUNTED) {
		l->value.type = VIEW_REAL;
		l->value.real = t->scaled * factor;
	}
	l->run_ns = t->run;
	l->running_percent = t->ena ? 100.0 * t->run / t->ena : 100;	/* never enabled: never multiplexed */
	l->enabled = t->ena;
	l->deviation = -1;
	if (in->nr_runs > 1)
		l->deviation = t->scaled ? fabs(100.0 * t->stddev / t->scaled) : 0;
	if (in->derive)
		stat_derive_add(in->derive, &in->values, e, id, b, l);
}

struct by_value {
	double value;
	u32 id;
};

static int compare_values(const void *a, const void *b)
{
	const struct by_value *p = a, *q = b;

	if (p->value != q->value)
		return p->value < q->value ? 1 : -1;
	return p->id < q->id ? -1 : 1;
}

/* threads: the busiest first */
static void add_threads(struct view_block *b, const struct stat_lines_in *in, u32 e)
{
	u32 nr = in->tallies->nr_ids;
	struct by_value *v = xcalloc(nr, sizeof(*v));

	for (u32 id = 0; id < nr; id++)
		v[id] = (struct by_value){ tally_at(in->tallies, e, id)->scaled, id };
	qsort(v, nr, sizeof(*v), compare_values);
	for (u32 i = 0; i < nr; i++)
		add_line(b, in, e, v[i].id);
	free(v);
}

void stat_lines_build(struct view_block *b, const struct stat_lines_in *in)
{
	u32 nr_events = in->tallies->nr_events, nr_ids = in->tallies->nr_ids;

	switch (in->aggr->mode) {
	case AGGR_THREAD:
		for (u32 e = 0; e < nr_events; e++)
			add_threads(b, in, e);
		break;
	case AGGR_GLOBAL:
	case AGGR_NONE:
		for (u32 e = 0; e < nr_events; e++)
			for (u32 id = 0; id < nr_ids; id++)
				add_line(b, in, e, id);
		break;
	default:
		for (u32 id = 0; id < nr_ids; id++)
			for (u32 e = 0; e < nr_events; e++)
				add_line(b, in, e, id);
	}
}
