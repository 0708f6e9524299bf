/*
 * List: events of PMUs, from sysfs and from event tables; tool events and sensors; how to write
 * events by their codes.
 */
#include "collect.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../pmu/event-table.h"
#include "../pmu/pmu.h"
#include "../count/hwmon.h"
#include "../count/tool-events.h"

/* "uncore_imc_0": how long the name without its number is; the whole where it has none */
static size_t kind_len(const char *name)
{
	size_t len = strlen(name), n = len;

	while (n && isdigit((unsigned char)name[n - 1]))
		n--;
	return n && n < len && name[n - 1] == '_' ? n - 1 : len;
}

/* one of several PMUs that differ in their number only, and not the first of them */
static bool is_further_instance(const struct pmus *ps, size_t at)
{
	const char *name = ps->pmu.v[at]->name;
	size_t len = kind_len(name);

	for (size_t i = 0; i < at && name[len]; i++)
		if (kind_len(ps->pmu.v[i]->name) == len && !strncmp(ps->pmu.v[i]->name, name, len) &&
		    ps->pmu.v[i]->name[len])
			return true;
	return false;
}

static const char *scale_unit(struct list *l, double scale, const char *unit)
{
	return *unit || scale != 1.0 ? list_printf(l, "%g%s", scale, unit) : "";
}

/* the name that stands for all PMUs of its kind, unless each is to be shown */
static const char *shown_name(struct collect *c, const struct pmu *pmu)
{
	size_t len = c->req->instances ? strlen(pmu->name) : kind_len(pmu->name);

	return list_printf(c->l, "%.*s", (int)len, pmu->name);
}

int list_collect_pmu(struct collect *c)
{
	struct pmus ps = { 0 };

	pmus_scan(&ps);
	for (size_t i = 0; i < ps.pmu.nr; i++) {
		struct pmu *pmu = ps.pmu.v[i];

		if (!list_wants_pmu(c->req, pmu->name) || (!c->req->instances && is_further_instance(&ps, i)))
			continue;
		pmu_load(&ps, pmu);
		vec_foreach(&pmu->event, ev) {
			const char *shown = shown_name(c, pmu);
			struct list_entry *e = list_add(c->l, LIST_PMU,
							list_printf(c->l, "%s/%s/", shown, ev->name),
							"Kernel PMU event");

			e->pmu = shown;
			/* "mem-loads" works as well, on the CPU's own PMU */
			if (pmu->is_core)
				e->alias = list_printf(c->l, "%s", ev->name);
			e->encoding = list_printf(c->l, "%s/%s/", shown, ev->terms);
			e->scale_unit = scale_unit(c->l, ev->scale, ev->unit);
		}
	}
	pmus_release(&ps);
	return 0;
}

/* ---- event tables ---- */

/* the first PMU here that counts it, or NULL */
static const struct pmu *table_pmu(const struct pmus *ps, const struct table_event *ev)
{
	for (size_t i = 0; i < ps->pmu.nr; i++)
		if (table_event_on(ev, ps->pmu.v[i]))
			return ps->pmu.v[i];
	return NULL;
}

static int by_topic(const void *pa, const void *pb)
{
	const struct list_entry *a = pa, *b = pb;
	int d = strcmp(a->topic, b->topic);

	return d ? d : strcmp(a->name, b->name);
}

static void add_table_event(struct collect *c, const struct table_event *ev, const struct pmu *pmu)
{
	struct list_entry *e = list_add(c->l, LIST_TABLE, ev->name, "Kernel PMU event");

	e->pmu = strcmp(ev->pmu, "cpu") || !pmu ? ev->pmu : arena_strdup(&c->l->arena, pmu->name);
	e->topic = ev->topic;
	e->desc = ev->desc;
	e->long_desc = ev->long_desc;
	e->deprecated = ev->deprecated;
	e->encoding = list_printf(c->l, "%s/%s/", e->pmu, ev->terms);
	e->scale_unit = scale_unit(c->l, ev->scale, ev->unit);
}

int list_collect_table(struct collect *c)
{
	const struct event_table *t = table_source_get(c->req->tables, c->err);
	struct pmus ps = { 0 };
	size_t first = c->l->nr;

	if (!t) {
		if (!c->req->tables->status)
			return 0;
		/* one that was found by the way must not hide everything else */
		if (!c->req->tables->dir)
			list_note(c->l, "no event table is listed: %s", c->req->tables->err.msg);
		return c->req->tables->dir ? c->req->tables->status : 0;
	}
	pmus_scan(&ps);
	vec_foreach(&t->event, ev) {
		const struct pmu *pmu = table_pmu(&ps, ev);

		/* a table that was named is shown whole, wherever it can be used */
		if ((pmu || c->req->tables->dir) && list_wants_pmu(c->req, pmu ? pmu->name : ev->pmu))
			add_table_event(c, ev, pmu);
	}
	pmus_release(&ps);
	if (c->l->nr > first)
		qsort(c->l->v + first, c->l->nr - first, sizeof(*c->l->v), by_topic);
	return 0;
}

/* ---- what perf reads itself ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp((*(const struct tool_row *const *)a)->name, (*(const struct tool_row *const *)b)->name);
}

int list_collect_tool(struct collect *c)
{
	const struct tool_row *sorted[64];
	size_t nr = 0;

	if (!list_wants_pmu(c->req, "tool"))
		return 0;
	for (size_t i = 0; i < nr_tool_rows && nr < ARRAY_SIZE(sorted); i++)
		if (tool_row_available(&tool_rows[i]))
			sorted[nr++] = &tool_rows[i];
	qsort(sorted, nr, sizeof(*sorted), by_name);
	for (size_t i = 0; i < nr; i++) {
		struct list_entry *e = list_add(c->l, LIST_TOOL, sorted[i]->name, "Tool event");

		e->pmu = e->topic = "tool";
		e->json_tag = "Kernel PMU event";
		e->desc = sorted[i]->desc;
		e->encoding = list_encoding(c->l, "tool", sorted[i]->config);
	}
	return 0;
}

int list_collect_hwmon(struct collect *c)
{
	struct hwmon_list sensors = { 0 };

	hwmon_scan(&sensors);
	vec_foreach(&sensors, s) {
		const char *pmu = hwmon_pmu_name(&sensors, s, &c->l->arena);
		struct list_entry *e;

		if (!list_wants_pmu(c->req, pmu))
			continue;
		e = list_add(c->l, LIST_HWMON, s->name, "Hwmon event");
		e->alias = strcmp(s->name, s->file_name) ? arena_strdup(&c->l->arena, s->file_name) : "";
		e->pmu = pmu;
		e->topic = "hwmon";
		e->json_tag = "Kernel PMU event";
		e->desc = list_printf(c->l, "%s in %s of %s%s%s%s%s", s->what, s->unit, s->chip,
				      s->label ? ": " : "", s->label ? s->label : "", *s->items ? "; " : "",
				      s->items);
		e->encoding = list_encoding(c->l, pmu, s->config);
		e->scale_unit = scale_unit(c->l, s->scale, s->unit);
	}
	hwmon_list_release(&sensors);
	return 0;
}

/* ---- hints: codes and addresses ---- */

/* "cpu/event=0..255,offcore_rsp=0..0xffffffff,.../modifier" */
static const char *formats(struct list *l, const struct pmu *pmu)
{
	struct strbuf sb = STRBUF_INIT;
	const char *s, *sep = "";

	strbuf_addf(&sb, "%s/", pmu->name);
	vec_foreach(&pmu->format, f) {
		u64 max = pmu_format_max(f);

		strbuf_addf(&sb, max == 1 ? "%s%s" : max < 256 ? "%s%s=0..%llu" : "%s%s=0..0x%llx", sep,
			    f->name, (unsigned long long)max);
		sep = ",";
	}
	strbuf_addstr(&sb, "/modifier");
	s = arena_strdup(&l->arena, sb.buf);
	strbuf_release(&sb);
	return s;
}

int list_collect_raw(struct collect *c)
{
	static const char hardware[] = "Raw hardware event descriptor";
	const char *hint;
	struct pmus ps = { 0 };
	bool core = false;

	if (c->req->cputype)
		return 0;
	pmus_scan(&ps);
	if (!c->req->unit)
		list_add(c->l, LIST_RAW, "rNNN",
			 hardware)->desc = "the event's code in hexadecimal, as the CPU's manual has it";
	for (size_t i = 0; i < ps.pmu.nr; i++)
		core |= ps.pmu.v[i]->is_core;
	if (!core && !c->req->unit)
		list_add(c->l, LIST_RAW, "cpu/t1=v1[,t2=v2,t3 ...]/modifier", hardware)->desc =
			"an event of a PMU by its own terms; this machine has no CPU PMU";
	for (size_t i = 0; i < ps.pmu.nr; i++) {
		struct pmu *pmu = ps.pmu.v[i];

		if (!list_wants_pmu(c->req, pmu->name) || (!c->req->instances && is_further_instance(&ps, i)))
			continue;
		pmu_load(&ps, pmu);
		hint = formats(c->l, pmu);
		list_add(c->l, LIST_RAW, hint,
			 pmu->is_core ? hardware : "Raw event descriptor")->encoding = hint;
	}
	if (list_wants_pmu(c->req, "tool")) {
		struct list_entry *e = list_add(c->l, LIST_RAW, "tool//modifier", "Raw event descriptor");

		e->encoding = e->name;
	}
	if (!c->req->unit)
		list_add(c->l, LIST_RAW, "mem:<addr>[/len][:access]", "Hardware breakpoint")->desc =
			"accesses (r, w, x) to an address or a symbol";
	pmus_release(&ps);
	return 0;
}
