/* Metrics by name over the events of a file: which of them a name means. */
#include "metric-private.h"

#include <stdio.h>
#include <string.h>

#define WHOSE (ATTR_EXCLUDE_USER | ATTR_EXCLUDE_KERNEL)

static bool counts_the_same(const struct event *have, const struct event *want)
{
	const struct pe_attr *a = &have->attr, *b = &want->attr;

	return a->type == b->type && a->config == b->config && a->config1 == b->config1 &&
	       a->config2 == b->config2 && a->config3 == b->config3;
}

/* without rights the kernel was left out of everything: then ratios of such counts are right */
static bool only_user(const struct stat_metrics *m)
{
	for (u32 i = 0; i < m->nr_bound; i++) {
		const struct event *ev = evset_at(m->bound, i);

		if (!event_is_tool(ev) && (ev->attr.flags & WHOSE) != ATTR_EXCLUDE_KERNEL)
			return false;
	}
	return true;
}

static const struct event *find_like(const struct stat_metrics *m, const struct event *want)
{
	u64 whose = only_user(m) ? ATTR_EXCLUDE_KERNEL : want->attr.flags & WHOSE;

	for (u32 i = 0; i < m->nr_bound; i++) {
		const struct event *have = evset_at(m->bound, i);

		if (counts_the_same(have, want) &&
		    (event_is_tool(have) || (have->attr.flags & WHOSE) == whose))
			return have;
	}
	return NULL;
}

static const struct event *find_named(const struct stat_metrics *m, const char *name)
{
	for (u32 i = 0; i < m->nr_bound; i++)
		if (!strcmp(evset_at(m->bound, i)->name, name))
			return evset_at(m->bound, i);
	return NULL;
}

void plan_bind(const struct stat_metrics *m, struct plan_id *id)
{
	struct evset *scratch = evset_new();
	const struct event *ev = NULL;
	struct err err = ERR_INIT;

	if (!parse_events(scratch, id->name, &m->parse, &err))
		vec_foreach(&scratch->ev, want)
			if ((ev = find_like(m, *want)))
				vec_push(&id->ev, ev);
	evset_free(scratch);
	if (!id->ev.nr && (ev = find_named(m, id->name)))
		vec_push(&id->ev, ev);
}

void plan_bind_know(struct stat_metrics *m, struct plan_id *id)
{
	struct strbuf why = STRBUF_INIT;

	plan_bind(m, id);
	id->usable = id->soft = id->ev.nr;	/* groups are of no account any more */
	if (!id->ev.nr) {
		strbuf_addf(&why, "event '%.200s' was not counted", id->name);
		id->why = arena_strdup(&m->arena, strbuf_str(&why));
		strbuf_release(&why);
	}
	vec_release(&id->ev);
}
