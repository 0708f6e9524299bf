/* Events: see events.h. */
#include "events.h"
#include "streams.h"
#include "../base/cursor.h"
#include "../event/attr.h"
#include "../base/search.h"

#include <stdlib.h>

void data_add_attr(struct data *d, const u8 *attr, u32 attr_size, const u8 *ids, u64 ids_size)
{
	struct cursor c = cursor_of(ids, ids_size, d->swap);
	struct event *ev = evset_add(d->evset, "");
	u64 nr = ids_size / 8;
	u64 *v = xcalloc(nr + 1, sizeof(*v));

	if (!pe_attr_decode(&ev->attr, attr, attr_size, d->swap))
		diag_count(&d->diag, DIAG_BAD_ATTR, 0);
	for (u64 i = 0; i < nr; i++)
		v[i] = cursor_u64(&c);
	evset_set_ids(d->evset, ev, v, nr);
	free(v);
}

/* events are matched by their ids; those without ids by their position */
static struct event *find_event(struct evset *set, u32 place, const u64 *ids, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		struct event *ev = evset_by_id(set, ids[i]);

		if (ev)
			return ev;
	}
	return place < set->ev.nr ? set->ev.v[place] : NULL;
}

/* EVENT_DESC: u32 nr, u32 attr size; each: attr, u32 number of ids, string name, u64 ids[] */
void data_apply_event_desc(struct data *d, const void *p, u64 size)
{
	struct cursor c = cursor_of(p, size, d->swap);
	u32 nr = cursor_u32(&c), attr_size = cursor_u32(&c);

	for (u32 i = 0; i < nr && !c.bad; i++) {
		struct event *ev;
		const char *name;
		u64 *ids;
		u32 nr_ids;

		cursor_skip(&c, attr_size);
		nr_ids = cursor_u32(&c);
		name = cursor_str(&c, cursor_u32(&c));
		if (c.bad || nr_ids > cursor_left(&c) / 8)
			return;
		ids = xcalloc(nr_ids + 1, sizeof(*ids));
		for (u32 k = 0; k < nr_ids; k++)
			ids[k] = cursor_u64(&c);
		ev = find_event(d->evset, i, ids, nr_ids);
		if (ev) {
			ev->name = arena_strdup(&d->evset->arena, name);
			if (!ev->nr_ids)
				evset_set_ids(d->evset, ev, ids, nr_ids);
		}
		free(ids);
	}
}

void data_name_by_config(struct data *d, const void *p, u64 size)
{
	struct cursor c = cursor_of(p, size, d->swap);
	u64 config = cursor_u64(&c);

	if (!c.bad)
		data_add_tracepoint_name(d, config, (const char *)c.p,
					 strnlen((const char *)c.p, cursor_left(&c)));
}

void data_add_tracepoint_name(struct data *d, u64 config, const char *name, size_t len)
{
	struct tracepoint_name n = { config, d->priv->tp_name.nr,
				     arena_strndup(&d->evset->arena, name, len) };

	vec_push(&d->priv->tp_name, n);
}

/* sorts by config; of several with the same config, the one that was added first is first */
static int compare_tracepoint_names(const void *a, const void *b)
{
	const struct tracepoint_name *x = a, *y = b;

	if (x->config != y->config)
		return x->config < y->config ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

static void sort_tracepoint_names(struct data *d)
{
	if (d->priv->tp_name.nr)
		qsort(d->priv->tp_name.v, d->priv->tp_name.nr, sizeof(*d->priv->tp_name.v),
		      compare_tracepoint_names);
}

/* the first name with this config, or the position where it would be */
static size_t find_tracepoint_name(const struct data *d, u64 config)
{
	return LOWER_BOUND(d->priv->tp_name.nr, i, d->priv->tp_name.v[i].config < config);
}

/* uses names of tracepoints from elsewhere in the file; a file may contain very many names and events */
static void apply_tracepoint_names(struct data *d)
{
	size_t nr = d->priv->tp_name.nr;

	sort_tracepoint_names(d);
	vec_foreach(&d->evset->ev, it) {
		struct event *ev = *it;
		size_t i;

		if (*ev->name || ev->attr.type != PERF_TYPE_TRACEPOINT)
			continue;
		i = find_tracepoint_name(d, ev->attr.config);
		if (i < nr && d->priv->tp_name.v[i].config == ev->attr.config)
			ev->name = d->priv->tp_name.v[i].name;
	}
}

static void split_tracepoint(struct evset *set, struct event *ev)
{
	const char *colon = strchr(ev->name, ':');

	if (!colon || ev->tp_system)
		return;
	ev->tp_system = arena_strndup(&set->arena, ev->name, colon - ev->name);
	ev->tp_name = arena_strdup(&set->arena, colon + 1);
}

static void apply_groups(struct data *d)
{
	struct evset *set = d->evset;

	for (u32 i = 0; i < d->feat.nr_groups; i++) {
		const struct feat_group *g = &d->feat.groups[i];

		if (g->leader >= set->ev.nr)
			continue;
		if (strcmp(g->name, "{anon_group}"))
			set->ev.v[g->leader]->group_name = arena_strdup(&set->arena, g->name);
		for (u64 k = g->leader; k < (u64)g->leader + g->nr_members && k < set->ev.nr; k++)
			set->ev.v[k]->leader = g->leader;
	}
}

const char *data_pmu_name(const struct data *d, const struct pe_attr *attr)
{
	u32 type = attr->type;

	if (type == PERF_TYPE_HARDWARE || type == PERF_TYPE_HW_CACHE)
		type = attr->config >> 32;
	for (u32 i = 0; i < d->feat.nr_pmus && type; i++)
		if (d->feat.pmus[i].type == type)
			return d->feat.pmus[i].name;
	return NULL;
}

const char *data_tracepoint_name(const struct data *d, const struct pe_attr *attr)
{
	size_t i = find_tracepoint_name(d, attr->config);

	if (attr->type != PERF_TYPE_TRACEPOINT || i == d->priv->tp_name.nr ||
	    d->priv->tp_name.v[i].config != attr->config)
		return NULL;
	return d->priv->tp_name.v[i].name;
}

/* from now on the table contains the events themselves: for data_tracepoint_name() */
static void index_tracepoints(struct data *d)
{
	vec_release(&d->priv->tp_name);
	vec_foreach(&d->evset->ev, it) {
		struct event *ev = *it;
		struct tracepoint_name n = { ev->attr.config, ev->idx, ev->name };

		if (ev->attr.type == PERF_TYPE_TRACEPOINT && ev->tp_system)
			vec_push(&d->priv->tp_name, n);
	}
	sort_tracepoint_names(d);
}

void data_finish_events(struct data *d)
{
	struct strbuf name = STRBUF_INIT;

	apply_tracepoint_names(d);
	vec_foreach(&d->evset->ev, p) {
		struct event *ev = *p;

		if (!*ev->name) {
			strbuf_reset(&name);
			pe_attr_make_name(&ev->attr, data_pmu_name(d, &ev->attr), &name);
			ev->name = arena_strdup(&d->evset->arena, strbuf_str(&name));
		}
		if (ev->attr.type == PERF_TYPE_TRACEPOINT)
			split_tracepoint(d->evset, ev);
		ev->dummy = ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_DUMMY;
	}
	index_tracepoints(d);
	apply_groups(d);
	strbuf_release(&name);
}
