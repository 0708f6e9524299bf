/* Functions of the module that make events from names. */
#include "functions.h"
#include "metrics.h"
#include "../util/kernel/tracefs.h"
#include "../util/pmu/parse-events.h"

#include <stdlib.h>

/* what samples of a tracepoint are worth nothing without, and the times by which counts are scaled */
static void complete_attr(struct pe_attr *attr)
{
	attr->size = sizeof(*attr);
	attr->read_format |= ABI_READ_TIME_ENABLED | ABI_READ_TIME_RUNNING;
	if (attr->type != PERF_TYPE_TRACEPOINT)
		return;
	attr->sample_type |= ABI_SAMPLE_TIME | ABI_SAMPLE_TID | ABI_SAMPLE_CPU | ABI_SAMPLE_PERIOD |
		ABI_SAMPLE_RAW;
	attr->flags |= ATTR_SAMPLE_ID_ALL;
	if (!attr->sample_period)
		attr->sample_period = 1;
}

PyObject *function_parse_events(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "events", "cpus", "threads", NULL };
	PyObject *cpus_arg = NULL, *threads_arg = NULL, *list;
	struct parse_events_opts opts = { .tables = module_tables() };
	struct tid_list tids = { 0 };
	struct cpulist cpus = { 0 };
	struct err err = ERR_INIT;
	const char *text;
	struct opened_events *in;
	int ret;

	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|OO:parse_events", keys, &text, &cpus_arg,
					 &threads_arg))
		return NULL;
	in = opened_new(evset_new());
	ret = parse_events(in->set, text, &opts, &err);
	if (ret)
		raise_err(&err);
	vec_foreach(&in->set->ev, ev)
		complete_attr(&(*ev)->attr);
	if (ret || raise_warnings() || !cpus_of(cpus_arg, &cpus) || !tids_of(threads_arg, &tids)) {
		vec_release(&cpus);
		opened_drop(in);
		return NULL;
	}
	list = evlist_of(in, &cpus, &tids);
	opened_drop(in);
	return list;
}

PyObject *function_tracepoint(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "sys", "name", NULL };
	struct err err = ERR_INIT;
	const char *sys, *name;
	u64 id;

	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "ss:tracepoint", keys, &sys, &name))
		return NULL;
	if (tracefs_event_id(sys, name, &id, &err))
		return raise_err(&err);
	return PyLong_FromUnsignedLongLong(id);
}
