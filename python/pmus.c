/* pmus(): what counts events on this machine, and the events of each by name. */
#include "functions.h"
#include "metrics.h"
#include "../util/count/hwmon.h"
#include "../util/list/list.h"
#include "../util/pmu/pmu.h"

#include <stdlib.h>
#include <string.h>

struct pmu_object {
	PyObject_HEAD
	char *name;
};

static PyTypeObject *pmu_type;

static int put_text(PyObject *dict, const char *key, const char *text)
{
	PyObject *value = text && *text ? text_object(text) : NULL;
	int ret = value ? PyDict_SetItemString(dict, key, value) : text && *text ? -1 : 0;

	Py_XDECREF(value);
	return ret;
}

/* "event=0x3c" of "cpu/event=0x3c/" */
static int put_terms(PyObject *dict, const char *encoding)
{
	const char *start = strchr(encoding, '/');
	PyObject *value;
	size_t len;
	int ret;

	if (!start++)
		return 0;
	len = strcspn(start, "/");
	value = text_object_len(start, len);
	ret = value ? PyDict_SetItemString(dict, "str", value) : -1;
	Py_XDECREF(value);
	return ret;
}

static PyObject *entry_dict(const struct list_entry *e)
{
	PyObject *dict = PyDict_New();

	if (dict && (put_text(dict, "name", e->name) || put_text(dict, "alias", e->alias) ||
		     put_text(dict, "desc", e->desc) || put_text(dict, "long_desc", e->long_desc) ||
		     put_text(dict, "encoding_desc", e->encoding) || put_text(dict, "topic", e->topic) ||
		     put_text(dict, "event_type_desc", e->tag) || put_text(dict, "scale_unit",
									   e->scale_unit) ||
		     put_terms(dict, e->encoding) ||
		     (e->deprecated && put_text(dict, "deprecated", "deprecated"))))
		Py_CLEAR(dict);
	return dict;
}

/* each PMU has the events that perf list shows with --unit */
static PyObject *pmu_events(PyObject *o, PyObject *unused)
{
	const char *name = ((struct pmu_object *)o)->name;
	bool tracepoints = !strcmp(name, "tracepoint");
	struct list_request req = {
		.kinds = tracepoints ? LIST_BIT(TRACEPOINT) : LIST_BIT(HW) | LIST_BIT(SW) | LIST_BIT(CACHE) |
			LIST_BIT(TOOL) | LIST_BIT(HWMON) | LIST_BIT(PMU) | LIST_BIT(TABLE),
		.unit = tracepoints ? NULL : name, .instances = true, .deprecated = true, .formats = true,
		.tables = module_tables(),
	};
	struct err err = ERR_INIT;
	struct list l = { 0 };
	PyObject *list;

	(void)unused;
	if (list_make(&l, &req, &err)) {
		list_release(&l);
		return raise_err(&err);
	}
	list = PyList_New(0);
	vec_foreach(&l, e) {
		PyObject *dict = list ? entry_dict(e) : NULL;

		if (!dict || PyList_Append(list, dict))
			Py_CLEAR(list);
		Py_XDECREF(dict);
	}
	list_release(&l);
	if (list && raise_warnings())
		Py_CLEAR(list);
	return list;
}

static PyObject *pmu_name(PyObject *o, PyObject *unused)
{
	(void)unused;
	return text_object(((struct pmu_object *)o)->name);
}

static PyObject *pmu_repr(PyObject *o)
{
	return PyUnicode_FromFormat("pmu(%s)", ((struct pmu_object *)o)->name);
}

static void pmu_dealloc(PyObject *o)
{
	free(((struct pmu_object *)o)->name);
	object_free(o);
}

static int add_pmu(PyObject *list, const char *name)
{
	struct pmu_object *o = (struct pmu_object *)object_new(pmu_type);
	int ret = -1;

	if (o) {
		o->name = xstrdup(name);
		ret = PyList_Append(list, (PyObject *)o);
	}
	Py_XDECREF(o);
	return ret;
}

/* those of the kernel, then those of perf itself */
static int add_all(PyObject *list)
{
	struct hwmon_list sensors = { 0 };
	struct arena arena = { 0 };
	struct pmus ps = { 0 };
	const char *last = "";
	int ret = 0;

	pmus_scan(&ps);
	for (size_t i = 0; !ret && i < ps.pmu.nr; i++)
		ret = add_pmu(list, ps.pmu.v[i]->name);
	pmus_release(&ps);
	if (!ret)
		ret = add_pmu(list, "tool");
	hwmon_scan(&sensors);
	for (size_t i = 0; !ret && i < sensors.nr; i++) {
		const char *name = hwmon_pmu_name(&sensors, &sensors.v[i], &arena);

		if (strcmp(name, last))
			ret = add_pmu(list, name);
		last = name;
	}
	hwmon_list_release(&sensors);
	arena_release(&arena);
	return ret;
}

PyObject *function_pmus(PyObject *module, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { NULL };
	PyObject *list, *iter = NULL;

	(void)module;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":pmus", keys))
		return NULL;
	list = PyList_New(0);
	if (list && !add_all(list))
		iter = PyObject_GetIter(list);
	Py_XDECREF(list);
	return iter;
}

static PyMethodDef pmu_methods[] = {
	{ "name", pmu_name, METH_NOARGS, "name()\n--\n\nIts name, as in 'cpu/cycles/'." },
	{ "events", pmu_events, METH_NOARGS,
	  "events()\n--\n\nIts events, a dict each: name, desc, topic, encoding_desc and others; what is "
	  "not known has no key." },
	{ 0 }
};
static PyType_Slot pmu_slots[] = {
	{ Py_tp_doc, "A unit that counts events: of the CPU, of other hardware, of the kernel, of perf "
		     "itself." },
	{ Py_tp_new, not_made_by_call },
	{ Py_tp_dealloc, pmu_dealloc },
	{ Py_tp_repr, pmu_repr },
	{ Py_tp_methods, pmu_methods },
	{ 0, NULL }
};
static PyType_Spec pmu_spec = { "perf.pmu", sizeof(struct pmu_object), 0, Py_TPFLAGS_DEFAULT, pmu_slots };

int pmus_init(PyObject *module)
{
	pmu_type = type_add(module, &pmu_spec);
	return pmu_type ? 0 : -1;
}
