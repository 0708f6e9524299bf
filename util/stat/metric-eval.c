/* Metrics by name, after counting: values, grades, and why there is none. */
#include "metric-private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../count/tool-events.h"

#define NONE UINT32_MAX

struct metric_eval {
	const struct stat_metrics *m;
	const struct evset *set;
	const struct stat_values *v;
	const struct plan_shown *shown;
	const struct plan_metric *of;	/* whose expression is evaluated */
	double *value;			/* by metric; what order has computed so far */
	u32 id;
	u32 copy;			/* added to the idx of events: a set that is copied for each cgroup */
};

/*
 * in the unit in which expressions have it: clocks in ns, other times in seconds, scaled events in their unit
 */
static double event_value(const struct event *ev, const struct tally *t)
{
	const struct tool_row *row;

	if (ev->attr.type == PERF_TYPE_SOFTWARE)
		return t->scaled;
	row = ev->attr.type == PE_TYPE_TOOL ? tool_row_by_config(ev->attr.config) : NULL;
	if (row && row->kind != TOOL_FACT)
		return t->scaled * 1e-9;
	return t->scaled * ev->scale;
}

static u32 first_of(const struct metric_eval *e, const struct event *ev)
{
	return e->v->tallies->first ? e->v->tallies->first[ev->idx + e->copy] : ev->idx + e->copy;
}

/* events may have been taken out since the plan was made */
static bool is_there(const struct evset *set, const struct event *ev)
{
	return ev->idx < set->ev.nr && evset_at(set, ev->idx) == ev;
}

/* all events that an id stands for, each tally once: some were merged already */
static bool sum_events(const struct metric_eval *e, const struct plan_id *id, double *value, u32 *count)
{
	bool any = false;

	*value = 0;
	*count = 0;
	for (size_t i = 0; i < id->ev.nr; i++) {
		const struct event *ev = id->ev.v[i];
		const struct tally *t = is_there(e->set, ev) ? stat_counted(e->v, ev->idx + e->copy,
									    e->id) : NULL;
		bool again = false;

		for (size_t k = 0; k < i && t && !again; k++)
			again = is_there(e->set, id->ev.v[k]) && first_of(e, id->ev.v[k]) == first_of(e, ev);
		if (!t || again)
			continue;
		*value += event_value(ev, t);
		*count += t->nr;
		any = true;
	}
	return any;
}

static const struct plan_id *find_id(const struct metric_eval *e, const char *name)
{
	const struct plan_id *id = e->shown->group == NONE ? NULL : plan_find(&e->m->group.v[e->shown->group],
									      name);

	return id ? id : plan_find(&e->m->loose, name);
}

static bool id_value(const void *ctx, const char *name, double *value, u32 *count)
{
	const struct metric_eval *e = ctx;
	u32 ref = plan_ref(e->m, e->of, name);
	const struct plan_id *id;

	*count = 1;
	if (ref != NONE) {
		*value = e->value[ref];
		return !isnan(*value);
	}
	id = find_id(e, name);
	if (id && id->ev.nr)
		return sum_events(e, id, value, count);
	*value = e->v->elapsed_ns / 1e9;
	return id && !strcmp(name, PLAN_TIME);
}

static bool threshold_value(const void *ctx, const char *name, double *value, u32 *count)
{
	const struct metric_eval *e = ctx;

	if (strcasecmp(name, e->of->info.name))
		return id_value(ctx, name, value, count);
	*count = 1;
	*value = e->value[e->of - e->m->metric.v];
	return !isnan(*value);
}

static bool cpuid(const void *ctx, const char *pattern, bool *matches)
{
	return metric_cpuid(((const struct metric_eval *)ctx)->m, pattern, matches);
}

static bool literal(const void *ctx, const char *name, double *value)
{
	return metric_literal(((const struct metric_eval *)ctx)->m, name, value);
}

/* as it was planned; an event that the kernel has refused since then is none either */
static bool has_event(const void *ctx, const char *name, bool *has)
{
	const struct metric_eval *e = ctx;
	const struct plan_id *known = plan_find(&e->m->known, name), *id = find_id(e, name);

	*has = known && known->usable;
	if (id && id->ev.nr && *has) {
		bool all_refused = true;

		vec_foreach(&id->ev, ev)
			all_refused &= !is_there(e->set, *ev) ||
				       stat_unsupported(e->v, (*ev)->idx + e->copy, e->id);
		*has = !all_refused;
	}
	return known;
}

static enum view_grade grade(struct metric_eval *e, const struct plan_metric *pm)
{
	const struct expr_env env = { .id = threshold_value, .literal = literal, .has_event = has_event,
				      .cpuid = cpuid, .ctx = e };
	double v;

	if (!pm->threshold)
		return VIEW_PLAIN;
	e->of = pm;
	v = expr_eval(pm->threshold, &env, NULL);
	return isnan(v) ? VIEW_PLAIN : v != 0 ? VIEW_BAD : VIEW_GOOD;
}

/* what a metric that could not be computed lacked: the first event, through all metrics between */
static const char *why_missing(const struct stat_metrics *m, struct arena *a, const char *missing)
{
	char text[256];

	if (!missing)
		return "its expression divides by zero";
	snprintf(text, sizeof(text),
		 metric_unknown_fact(m, missing) ? "needs #%.200s, which this machine does not tell" :
		 "needs '%.200s', which was not counted", missing);
	return arena_strdup(a, text);
}

/* one decimal, two for small numbers, since 0.0 instructions per cycle say nothing */
static u8 decimals_of(const struct plan_metric *pm, double shown)
{
	return !*pm->unit || fabs(shown) < 9.995 ? 2 : 1;
}

static void show_one(struct metric_eval *e, struct view_block *b, struct view_line *line)
{
	const struct expr_env env = { .id = id_value, .literal = literal, .has_event = has_event,
				      .cpuid = cpuid, .ctx = e };
	const struct plan_metric *pm = &e->m->metric.v[e->shown->metric];
	const char *missing = NULL, *first = NULL;
	/* a blank before '%', as before every unit */
	struct view_derived out = { .name = pm->info.name, .unit = pm->unit, .by_name = true, .width = 8,
				    .gap = !strcmp(pm->unit, "%") };
	double value;

	for (size_t i = 0; i < pm->order.nr; i++) {
		const struct plan_metric *need = &e->m->metric.v[pm->order.v[i]];

		e->of = need;
		e->value[pm->order.v[i]] = expr_eval(need->expr, &env, &missing);
		if (missing && !first && i < pm->own)
			first = missing;
	}
	value = e->value[e->shown->metric];
	if (isnan(value)) {
		out.value = (struct view_value){ .type = VIEW_ABSENT,
						 .text = why_missing(e->m, &b->arena, first) };
	} else {
		out.grade = grade(e, pm);
		value *= pm->scale;
		out.value = (struct view_value){ .type = VIEW_REAL, .decimals = decimals_of(pm, value),
						 .real = value };
	}
	stat_derive_push(b, line, out);
}

/* the line of the first of its anchor's events that is there in this aggregate */
static bool stands_on(const struct metric_eval *e, const struct plan_shown *s, u32 event)
{
	vec_foreach(&s->anchor, ev) {
		if (!is_there(e->set, *ev) || first_of(e, *ev) != (*ev)->idx + e->copy)
			continue;	/* merged into another one */
		if (tally_at(e->v->tallies, (*ev)->idx + e->copy, e->id)->state != COUNT_ABSENT)
			return (*ev)->idx + e->copy == event;
	}
	return false;
}

static void extend(const struct evset *set, const struct plan_ids *ids, u32 *first, u32 *end)
{
	vec_foreach(ids, id)
		vec_foreach(&id->ev, ev)
			if (is_there(set, *ev)) {
				*first = MIN(*first, (*ev)->idx);
				*end = MAX(*end, (*ev)->idx + 1);
			}
}

void plan_extent(const struct stat_metrics *m, const struct evset *set, u32 *first, u32 *end)
{
	if (m->bound) {		/* any of them may be one's */
		*first = 0;
		*end = MAX(m->nr_bound, 1u);
		return;
	}
	*first = set->ev.nr;
	*end = 0;
	extend(set, &m->loose, first, end);
	vec_foreach(&m->group, g)
		extend(set, g, first, end);
	if (!*end)
		*end = MAX((u32)set->ev.nr, 1u);
}

void plan_show(const struct stat_metrics *m, const struct evset *set, const struct stat_values *v, u32 event,
	       u32 copy, u32 id, struct view_block *b, struct view_line *line)
{
	struct metric_eval e = { .m = m, .set = set, .v = v, .id = id, .copy = copy };

	vec_foreach(&m->shown, s) {
		if (!stands_on(&e, s, event))
			continue;
		if (!e.value)
			e.value = xcalloc(m->metric.nr, sizeof(*e.value));
		e.shown = s;
		show_one(&e, b, line);
	}
	free(e.value);
}
