/* Metrics by name: the events that they need, in groups. */
#include "metric-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../pmu/pmu.h"

#define NONE UINT32_MAX

const struct plan_id *plan_find(const struct plan_ids *ids, const char *name)
{
	vec_foreach(ids, id)
		if (!strcmp(id->name, name))
			return id;
	return NULL;
}

/* ---- what an id is ---- */

static bool is_soft(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE || ev->attr.type == PERF_TYPE_TRACEPOINT ||
	       ev->attr.type == PERF_TYPE_BREAKPOINT || event_is_tool(ev);
}

static bool is_core_event(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_HARDWARE || ev->attr.type == PERF_TYPE_HW_CACHE ||
	       ev->attr.type == PERF_TYPE_RAW;
}

static size_t nr_core_pmus(struct pmus *ps, u32 *ret_type)
{
	size_t nr = 0;

	pmus_scan(ps);
	vec_foreach(&ps->pmu, pmu)
		if ((*pmu)->is_core) {
			*ret_type = (*pmu)->type;
			nr++;
		}
	return nr;
}

/* the counters that it competes for: events of one group must share them */
static u32 counters_of(struct pmus *pmus, const struct event *ev)
{
	u32 type = PERF_TYPE_RAW;

	if (!is_core_event(ev))
		return ev->attr.type;
	if (ev->attr.type != PERF_TYPE_RAW && ev->attr.config >> 32)
		return ev->attr.config >> 32;
	return nr_core_pmus(pmus, &type) == 1 ? type : PERF_TYPE_RAW;
}

/*
 * Intel's fixed counter "slots" feeds the topdown-* events (event 0, unit mask 0x80 and up) and must lead
 * their group (the kernel refuses it otherwise); the metrics' expressions do not always name it.
 */
static bool is_topdown(const struct event *ev)
{
	return !(ev->attr.config & 0xff) && (ev->attr.config >> 8 & 0xff) >= 0x80;
}

static bool is_slots(const struct event *ev)
{
	return (ev->attr.config & 0xffff) == 0x0400;
}

static struct pmu *pmu_with_slots(struct pmus *pmus, const struct event *ev)
{
	struct pmu *pmu = is_soft(ev) ? NULL : pmus_by_type(pmus, counters_of(pmus, ev));

	if (!pmu || !pmu->is_core || ev->attr.type == PERF_TYPE_HARDWARE ||
	    ev->attr.type == PERF_TYPE_HW_CACHE)
		return NULL;
	pmu_load(pmus, pmu);
	return pmu_event(pmu, "slots", 5) ? pmu : NULL;
}

/* true where s is one event, not a list: a table may say anything */
static bool is_one(const char *s)
{
	bool inside = false;

	for (; *s; s++) {
		inside ^= *s == '/';
		if (!inside && strchr(",{} \t\n", *s))
			return false;
	}
	return true;
}

static void look_up(struct stat_metrics *m, struct plan_id *id)
{
	struct evset *scratch = evset_new();
	struct err err = ERR_INIT;
	u32 type;

	if (!is_one(id->name)) {
		id->why = "its expression names something that is not one event";
	} else if (parse_events(scratch, id->name, &m->parse, &err)) {
		id->why = arena_strdup(&m->arena, err.msg);
	} else {
		id->soft = id->usable = id->free = true;
		vec_foreach(&scratch->ev, ev) {
			/* modifier R stands for a time that is sampled: its count would be taken for it */
			if ((*ev)->retire_lat)
				id->why = "retire latencies (modifier R) cannot be sampled "
					  "beside counting yet";
			id->free &= (is_topdown(*ev) || is_slots(*ev)) && pmu_with_slots(m->pmus, *ev);
			id->soft &= is_soft(*ev);
			/* a virtual machine often has no counters: the names are known nevertheless */
			id->usable &= !is_core_event(*ev) || nr_core_pmus(m->pmus, &type);
		}
	}
	evset_free(scratch);
}

const struct plan_id *plan_know(struct stat_metrics *m, const char *name)
{
	const struct plan_id *found = plan_find(&m->known, name);
	struct plan_id *id;

	if (found)
		return found;
	id = vec_add(&m->known);
	id->name = arena_strdup(&m->arena, name);
	if (!strcmp(name, PLAN_TIME))
		id->soft = id->usable = true;
	else if (m->bound)
		plan_bind_know(m, id);
	else
		look_up(m, id);
	return id;
}

/* ---- groups ---- */

static int add_id(struct stat_metrics *m, struct evset *set, struct plan_ids *ids, const char *name,
		  struct err *err)
{
	struct plan_id *id;
	u32 from = set->ev.nr;
	int ret = 0;

	if (plan_find(ids, name))
		return 0;
	if (strcmp(name, PLAN_TIME))
		ret = parse_events(set, name, &m->parse, err);
	if (ret)
		return ret;
	id = vec_add(ids);
	*id = *plan_know(m, name);
	memset(&id->ev, 0, sizeof(id->ev));
	for (u32 i = from; i < set->ev.nr; i++)
		vec_push(&id->ev, evset_at(set, i));
	return 0;
}

static int add_slots(struct stat_metrics *m, struct evset *set, struct plan_ids *ids, u32 from,
		     struct err *err)
{
	struct pmu *pmu = NULL;
	bool has = false;
	char name[128];

	for (u32 i = from; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);
		struct pmu *own = is_topdown(ev) || is_slots(ev) ? pmu_with_slots(m->pmus, ev) : NULL;

		if (own && is_slots(ev))
			has = true;
		else if (own)
			pmu = own;
	}
	if (!pmu || has)
		return 0;
	snprintf(name, sizeof(name), "%.100s/slots/", pmu->name);
	return add_id(m, set, ids, arena_strdup(&m->arena, name), err);
}

/* events of the same counters next to each other, slots in front; then each such row is a weak group */
static void make_groups(struct stat_metrics *m, struct evset *set, u32 from)
{
	struct event **v = set->ev.v;
	u32 leader = from;

	for (u32 i = from + 1; i < set->ev.nr; i++) {
		struct event *ev = v[i];
		u32 counters = counters_of(m->pmus, ev), k = i;
		bool first = is_slots(ev) && pmu_with_slots(m->pmus, ev);

		/* after the last of its kind, if any */
		while (k > from && counters_of(m->pmus, v[k - 1]) != counters)
			k--;
		if (k == from)
			k = i;
		while (first && k > from && counters_of(m->pmus, v[k - 1]) == counters)
			k--;
		memmove(&v[k + 1], &v[k], (i - k) * sizeof(*v));
		v[k] = ev;
	}
	for (u32 i = from; i < set->ev.nr; i++) {
		if (counters_of(m->pmus, v[i]) != counters_of(m->pmus, v[leader]))
			leader = i;
		v[i]->idx = i;
		v[i]->leader = leader;
		v[i]->weak_group = true;
	}
}

static bool covers(const struct plan_ids *group, const struct plan_shown *s)
{
	vec_foreach(&s->hard, name)
		if (!plan_find(group, *name))
			return false;
	return true;
}

/* its own group, or one that has all it needs */
static int add_group(struct stat_metrics *m, struct evset *set, struct plan_shown *s, struct err *err)
{
	u32 from = set->ev.nr;
	struct plan_ids *g;
	int ret = 0;

	for (u32 i = 0; !m->opts->no_merge && i < m->group.nr; i++)
		if (covers(&m->group.v[i], s)) {
			s->group = i;
			return 0;
		}
	g = vec_add(&m->group);
	s->group = m->group.nr - 1;
	for (size_t i = 0; !ret && i < s->hard.nr; i++)
		ret = add_id(m, set, g, s->hard.v[i], err);
	if (!ret)
		ret = add_slots(m, set, g, from, err);
	if (!ret)
		make_groups(m, set, from);
	return ret;
}

static int add_loose(struct stat_metrics *m, struct evset *set, const struct plan_shown *s, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && s->group == NONE && i < s->hard.nr; i++)
		ret = add_id(m, set, &m->loose, s->hard.v[i], err);
	for (size_t i = 0; !ret && i < s->soft.nr; i++)
		ret = add_id(m, set, &m->loose, s->soft.v[i], err);
	return ret;
}

/* the line that it stands on */
static int find_anchor(struct stat_metrics *m, struct evset *set, struct plan_shown *s, struct err *err)
{
	const struct plan_ids *where = s->group == NONE ? &m->loose : &m->group.v[s->group];
	const struct plan_id *id = s->hard.nr ? plan_find(where, s->hard.v[0]) : NULL;
	u32 from = set->ev.nr;
	int ret;

	for (size_t i = 0; !id && i < s->soft.nr; i++) {
		id = plan_find(&m->loose, s->soft.v[i]);
		if (!id->ev.nr)
			id = NULL;
	}
	if (id) {
		vec_foreach(&id->ev, ev)
			vec_push(&s->anchor, *ev);
		return 0;
	}
	/* of constants and times alone: some line must be there */
	if (!set->ev.nr) {
		ret = parse_events(set, PLAN_TIME, &m->parse, err);
		if (ret)
			return ret;
	} else {
		from = 0;
	}
	vec_push(&s->anchor, evset_at(set, from));
	return 0;
}

/*
 * free metrics of one PMU share one group, since each group would need its own slots: the first metric gets
 * the events of all
 */
static void join_free(struct stat_metrics *m)
{
	for (u32 i = 0; i < m->shown.nr; i++) {
		struct plan_shown *s = &m->shown.v[i], *to = NULL;
		bool all = s->hard.nr;

		vec_foreach(&s->hard, name)
			all &= plan_know(m, *name)->free;
		s->free = all;
		for (u32 k = 0; k < i && all && !to; k++)
			if (m->shown.v[k].free && !strcmp(m->metric.v[m->shown.v[k].metric].info.pmu,
							  m->metric.v[s->metric].info.pmu))
				to = &m->shown.v[k];
		for (size_t n = 0; to && n < s->hard.nr; n++)
			vec_push(&to->hard, s->hard.v[n]);
	}
}

static int by_size(const void *a, const void *b, void *ctx)
{
	const struct stat_metrics *m = ctx;
	u32 x = *(const u32 *)a, y = *(const u32 *)b;
	size_t nx = m->shown.v[x].hard.nr, ny = m->shown.v[y].hard.nr;

	return nx != ny ? (nx < ny ? 1 : -1) : x < y ? -1 : 1;
}

int plan_add_events(struct stat_metrics *m, struct evset *set, struct err *err)
{
	u32 *order = xcalloc(m->shown.nr + 1, sizeof(*order)), before = set->ev.nr;
	int ret = 0;

	if (!m->opts->no_merge)
		join_free(m);
	for (u32 i = 0; i < m->shown.nr; i++)
		order[i] = i;
	/* the largest first: the smaller ones may find all they need in its group */
	qsort_r(order, m->shown.nr, sizeof(*order), by_size, m);
	for (u32 i = 0; !ret && i < m->shown.nr; i++) {
		struct plan_shown *s = &m->shown.v[order[i]];

		if (s->hard.nr && !s->no_group && !m->opts->no_group)
			ret = add_group(m, set, s, err);
	}
	for (u32 i = 0; !ret && i < m->shown.nr; i++)
		ret = add_loose(m, set, &m->shown.v[i], err);
	for (u32 i = 0; !ret && i < m->shown.nr; i++)
		ret = find_anchor(m, set, &m->shown.v[i], err);
	if (ret)
		set->ev.nr = before;
	free(order);
	return ret;
}

/* ---- over the events of a file: none is added, a missing one is reported as missing ---- */

static void bind_names(struct stat_metrics *m, struct plan_shown *s)
{
	vec_foreach(&s->soft, name) {
		struct plan_id *id;

		if (plan_find(&m->loose, *name))
			continue;
		id = vec_add(&m->loose);
		*id = *plan_know(m, *name);
		memset(&id->ev, 0, sizeof(id->ev));
		if (strcmp(*name, PLAN_TIME))
			plan_bind(m, id);
	}
	for (size_t i = 0; !s->anchor.nr && i < s->soft.nr; i++)
		vec_foreach(&plan_find(&m->loose, s->soft.v[i])->ev, ev)
			vec_push(&s->anchor, *ev);
	if (!s->anchor.nr)	/* of times alone */
		vec_push(&s->anchor, evset_at(m->bound, 0));
}

void plan_bind_events(struct stat_metrics *m)
{
	vec_foreach(&m->shown, s)
		bind_names(m, s);
}
