/* Metrics and what can be counted here: see metrics.h. */
#include "functions.h"
#include "metrics.h"
#include "../util/count/tool-events.h"
#include "../util/pmu/event-table.h"
#include "../util/pmu/parse-events.h"
#include "../util/stat/metric.h"
#include "../util/stat/metric-list.h"
#include "../util/stat/pmu-filter.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct table_source *module_tables(void)
{
	static struct table_source tables;

	return &tables;
}

/* ---- lists ---- */

static int put(PyObject *dict, const char *key, PyObject *value)
{
	int ret = value ? PyDict_SetItemString(dict, key, value) : -1;

	Py_XDECREF(value);
	return ret;
}

/* what is empty has no key */
static int put_text(PyObject *dict, const char *key, const char *text)
{
	return text && *text ? put(dict, key, text_object(text)) : 0;
}

static PyObject *groups_of(const char *groups)
{
	PyObject *list = PyList_New(0);

	for (const char *p = groups; list && *p;) {
		size_t len = strcspn(p, ";");
		PyObject *group = text_object_len(p, len);

		if (!group || PyList_Append(list, group))
			Py_CLEAR(list);
		Py_XDECREF(group);
		p += len + (p[len] == ';');
	}
	return list;
}

static PyObject *metric_dict(const struct metric_info *m)
{
	PyObject *dict = PyDict_New();

	if (dict && (put(dict, "MetricGroup", groups_of(m->groups)) ||
		     put_text(dict, "MetricName", m->name) ||
		     put_text(dict, "PMU", *m->pmu ? m->pmu : "default_core") ||
		     put_text(dict, "MetricExpr", m->expr) || put_text(dict, "MetricThreshold",
								       m->threshold) ||
		     put_text(dict, "ScaleUnit", m->scale_unit) ||
		     put_text(dict, "BriefDescription", m->desc) ||
		     put_text(dict, "PublicDescription", m->long_desc)))
		Py_CLEAR(dict);
	return dict;
}

PyObject *function_metrics(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { NULL };
	struct metric_list metrics = { 0 };
	PyObject *list;

	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":metrics", keys))
		return NULL;
	metric_list_make(&metrics, table_source_get(module_tables(), NULL));
	list = PyList_New(0);
	vec_foreach(&metrics, m) {
		PyObject *dict = list ? metric_dict(m) : NULL;

		if (!dict || PyList_Append(list, dict))
			Py_CLEAR(list);
		Py_XDECREF(dict);
	}
	metric_list_release(&metrics);
	if (list && raise_warnings())
		Py_CLEAR(list);
	return list;
}

/* ---- events for metrics ---- */

PyObject *function_parse_metrics(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "metrics", "pmu", "cpus", "threads", NULL };
	struct parse_events_opts parse = { .counting = true, .tables = module_tables() };
	struct stat_metrics_opts o = { .parse = &parse };
	PyObject *cpus_arg = NULL, *threads_arg = NULL, *list = NULL;
	struct opened_events *in = opened_new(evset_new());
	struct tid_list tids = { 0 };
	struct cpulist cpus = { 0 };
	struct err err = ERR_INIT;
	const char *pmu = NULL;
	int ret;

	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|zOO:parse_metrics", keys, &o.list, &pmu, &cpus_arg,
					 &threads_arg) ||
	    !cpus_of(cpus_arg, &cpus) || !tids_of(threads_arg, &tids))
		goto out;
	in->as_stat = true;
	opened_target(&in->counted, &cpus, &tids);
	o.target = &in->counted;
	ret = stat_metrics_plan(&in->metrics, in->set, &o, &err);
	if (!ret && pmu)
		ret = stat_pmu_filter(in->set, pmu, &err);
	vec_foreach(&in->set->ev, ev)
		(*ev)->attr.read_format |= ABI_READ_TIME_ENABLED | ABI_READ_TIME_RUNNING;
	if (ret) {
		raise_err(&err);
	} else if (!raise_warnings()) {
		list = evlist_of(in, &cpus, &tids);
		cpus = (struct cpulist){ 0 };
		tids = (struct tid_list){ 0 };
	}
out:
	vec_release(&cpus);
	vec_release(&tids);
	opened_drop(in);
	return list;
}

int metrics_add_names(const struct opened_events *o, PyObject *list)
{
	const char *name;
	int ret = 0;

	for (u32 i = 0; !ret && o->metrics && (name = stat_metrics_name(o->metrics, i)); i++) {
		PyObject *text = text_object(name);

		ret = text ? PyList_Append(list, text) : -1;
		Py_XDECREF(text);
	}
	return ret;
}

static bool has_metric(const struct opened_events *o, const char *name)
{
	const char *own;

	for (u32 i = 0; o->metrics && (own = stat_metrics_name(o->metrics, i)); i++)
		if (!strcmp(own, name))
			return true;
	return false;
}

/* ---- computing ---- */

/* one cell of each event; the time that passed is counted once, for all of them */
static bool read_cells(const struct opened_events *o, u32 cpu, u32 thread, struct counts *ret, u64 *elapsed)
{
	vec_foreach(&o->set->ev, ev) {
		const struct tool_row *row = event_is_tool(*ev) ? tool_row_by_config((*ev)->attr.config) :
			NULL;
		bool once = row && (row->kind == TOOL_ELAPSED || row->kind == TOOL_FACT);
		struct counts_values v;
		size_t at = counts_at(ret, (*ev)->idx, 0, 0);

		if (!opened_read(o, *ev, once ? 0 : cpu, once ? 0 : thread, &v))
			return false;
		ret->v[at] = (struct count){ v.val, v.ena, v.run };
		ret->state[at] = v.ena || v.run || v.val ? COUNT_READ : COUNT_ABSENT;
		*elapsed = MAX(*elapsed, v.ena);
	}
	return true;
}

static double derive(const struct opened_events *o, const struct counts *c, u64 elapsed, const char *name)
{
	u32 *first = tally_merging(o->set, false);
	struct stat_derive *d = stat_derive_new(o->set, o->metrics, NULL);
	struct view_block block = { 0 };
	struct tallies t = { 0 };
	struct aggr a = { 0 };
	double ret = NAN;

	aggr_init(&a, AGGR_GLOBAL, c, NULL, NULL);
	tallies_init(&t, &a, c, o->set, first, true);
	for (u32 e = 0; e < o->set->ev.nr; e++) {
		const struct stat_values v = { &t, elapsed, -1, -1 };
		struct view_line line = { .idx = e };

		stat_derive_add(d, &v, e, 0, &block, &line);
	}
	vec_foreach(&block.derived, m)
		if (m->by_name && !strcmp(m->name, name) && m->value.type == VIEW_REAL)
			ret = m->value.real;
	view_block_release(&block);
	tallies_release(&t);
	aggr_release(&a);
	stat_derive_free(d);
	free(first);
	return ret;
}

int metrics_compute(const struct opened_events *o, const char *name, int cpu, int thread, double *ret)
{
	int at_cpu, at_thread, code = -1;
	struct counts c = { 0 };
	u64 elapsed = 0;
	s32 tid = thread;

	if (!has_metric(o, name))
		return 0;
	if (!o->is_open) {
		PyErr_SetString(PyExc_ValueError, "the events are not open");
		return -1;
	}
	at_cpu = opened_cpu_at(o, cpu);
	at_thread = at_cpu < 0 ? -1 : opened_thread_at(o, thread);
	if (at_thread < 0)
		return -1;
	counts_init(&c, (u32)o->set->ev.nr, &cpu, 1, &tid, 1);
	if (read_cells(o, (u32)at_cpu, (u32)at_thread, &c, &elapsed)) {
		*ret = derive(o, &c, elapsed, name);
		code = 1;
	}
	counts_release(&c);
	return code;
}
