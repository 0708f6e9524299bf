/* List: metrics and their groups, and what libpfm4 knows. */
#include "collect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/plugin.h"
#include "../pmu/event-table.h"
#include "../pmu/pfm-plugin.h"
#include "../stat/metric-list.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct metric_info *)a)->name, ((const struct metric_info *)b)->name);
}

/* a table that cannot be read was said by the events' collector */
static void make(struct collect *c, struct metric_list *ret)
{
	metric_list_make(ret, table_source_get(c->req->tables, NULL));
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_name);
}

static const char *keep(struct list *l, const char *s)
{
	return *s ? arena_strdup(&l->arena, s) : "";
}

int list_collect_metric(struct collect *c)
{
	struct metric_list metrics = { 0 };

	make(c, &metrics);
	vec_foreach(&metrics, m) {
		const char *pmu = *m->pmu ? m->pmu : "default_core";
		struct list_entry *e;

		if (!list_wants_pmu(c->req, pmu))
			continue;
		e = list_add(c->l, LIST_METRIC, m->name, "Metric");
		e->pmu = keep(c->l, pmu);
		e->expr = keep(c->l, m->expr);
		e->threshold = keep(c->l, m->threshold);
		e->scale_unit = keep(c->l, m->scale_unit);
		e->desc = keep(c->l, m->desc);
		e->long_desc = keep(c->l, m->long_desc);
		e->groups = keep(c->l, m->groups);
	}
	metric_list_release(&metrics);
	return 0;
}

int list_collect_metricgroup(struct collect *c)
{
	struct metric_list metrics = { 0 };
	struct metric_groups groups = { 0 };

	if (c->req->unit || c->req->cputype)
		return 0;
	make(c, &metrics);
	metric_groups_make(&groups, &metrics);
	vec_foreach(&groups, g)
		list_add(c->l, LIST_METRICGROUP, *g, "Metric group")->desc = metric_group_desc(*g);
	metric_groups_release(&groups);
	metric_list_release(&metrics);
	return 0;
}

static int add_pfm(void *ctx, const struct pfm_event *ev)
{
	struct collect *c = ctx;
	struct list_entry *e;

	if (!list_wants_pmu(c->req, ev->pmu))
		return 0;
	e = list_add(c->l, LIST_PFM, list_printf(c->l, "%s::%s%s%s", ev->pmu, ev->name, *ev->umask ? ":" : "",
						 ev->umask), "PFM event");
	e->pmu = arena_strdup(&c->l->arena, ev->pmu);
	e->desc = keep(c->l, ev->desc);
	return 0;
}

int list_collect_pfm(struct collect *c)
{
	const struct pfm_plugin_ops *pfm;
	struct err err = ERR_INIT;
	char msg[200] = "";

	if (!plugin_find("libpfm4", NULL)) {
		if (c->req->kinds == LIST_BIT(PFM))
			list_note(c->l, "no events of libpfm4 are listed: this perf was built without it, "
				  "or its plug-in is not installed");
		return 0;
	}
	pfm = plugin_load("libpfm4", sizeof(*pfm), &err);
	if (!pfm) {
		err_prefix(&err, "no events of libpfm4 are listed: ");
		list_note_err(c->l, &err);
	} else if (pfm->list(add_pfm, c, msg, sizeof(msg)) < 0) {
		list_note(c->l, "no events of libpfm4 are listed: %s", msg);
	}
	return 0;
}
