/* The module itself: its functions, constants and types. */
#include "functions.h"
#include "../util/base/self.h"
#include "../util/event/abi.h"
#include "../util/event/record-type.h"
#include "version.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#define FUNCTION(name, doc) \
	{ #name, (PyCFunction)(void *)function_##name, METH_VARARGS | METH_KEYWORDS, doc }

static PyMethodDef functions[] = {
	FUNCTION(parse_events, "parse_events(events, cpus=None, threads=None)\n--\n\nThe evlist of an "
			       "event string as perf record -e takes it: "
			       "'cycles:u,{instructions,branches}', 'sched:*'."),
	FUNCTION(tracepoint, "tracepoint(sys, name)\n--\n\nThe id of a tracepoint: config of "
		 "evsel(type=TYPE_TRACEPOINT)."),
	FUNCTION(metrics, "metrics()\n--\n\nThe metrics that this machine has, a dict each: MetricName, "
			  "MetricGroup, MetricExpr, ScaleUnit, BriefDescription and others."),
	FUNCTION(parse_metrics, "parse_metrics(metrics, pmu=None, cpus=None, threads=None)\n--\n\nThe "
				"evlist of the events that metrics need, named as perf stat -M takes "
				"them: names, groups, globs. evlist.compute_metric() gives their values."),
	FUNCTION(pmus, "pmus()\n--\n\nIterates over what counts events here, as objects with name() and "
		       "events()."),
	{ 0 }
};

static const struct constant {
	const char *name;
	long long value;
} constants[] = {
#define CONSTANT(prefix, name, value) { #prefix #name, value },
#include "constants.def"
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "perf",
	.m_doc = "Performance events of Linux, live and recorded.\n\nsession() reads recordings, count() "
		 "counts a block, parse_events(), evlist and evsel open events and read their rings, "
		 "metrics() and pmus() say what this machine has. Errors are exceptions below perf.Error. "
		 "The manual page is perf-python(1).",
	.m_size = -1,
	.m_methods = functions,
};

/* plug-ins are looked for beside the module's file, not beside Python */
static void find_self(void)
{
	char path[PATH_MAX];
	Dl_info info;

	if (dladdr(&definition, &info) && info.dli_fname && realpath(info.dli_fname, path))
		self_set(path);
}

/* older ones load the file, too, and would crash later */
static bool is_too_old(void)
{
	int major = 0, minor = 0;

	sscanf(Py_GetVersion(), "%d.%d", &major, &minor);
	if (major > 3 || minor >= 8)
		return false;
	PyErr_Format(PyExc_ImportError, "the module perf needs Python 3.8, this is %d.%d", major, minor);
	return true;
}

PyMODINIT_FUNC PyInit_perf(void);
__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit_perf(void)
{
	PyObject *module = is_too_old() ? NULL : PyModule_Create(&definition);

	if (!module)
		return NULL;
	find_self();
	for (size_t i = 0; i < ARRAY_SIZE(constants); i++)
		if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value)) {
			Py_DECREF(module);
			return NULL;
		}
	if (PyModule_AddStringConstant(module, "__version__", PERF_VERSION) || raise_init(module) ||
	    maps_init(module) || counts_init_types(module) || evsel_init(module) || evlist_init(module) ||
	    events_init(module) || session_init(module) ||
	    count_init(module) || pmus_init(module)) {
		Py_DECREF(module);
		return NULL;
	}
	return module;
}
