/* counts_values: what a counter read. */
#include "module.h"

struct counts_object {
	PyObject_HEAD
	struct counts_values v;
};

static PyTypeObject *counts_type;

/* in the order of the list `values` */
static const struct counts_row {
	const char *name;
	size_t offset;
} rows[] = {
#define ROW(name) { #name, offsetof(struct counts_values, name) }
	ROW(val), ROW(ena), ROW(run), ROW(id), ROW(lost),
};

static u64 *value_at(PyObject *o, size_t row)
{
	return (u64 *)((char *)&((struct counts_object *)o)->v + rows[row].offset);
}

static bool set_value(PyObject *o, size_t row, PyObject *value)
{
	u64 v;

	if (!value) {
		PyErr_Format(PyExc_TypeError, "'%s' cannot be deleted", rows[row].name);
		return false;
	}
	v = PyLong_AsUnsignedLongLong(value);
	if (v == UINT64_MAX && PyErr_Occurred())
		return false;
	*value_at(o, row) = v;
	return true;
}

PyObject *counts_values_new(const struct counts_values *v)
{
	struct counts_object *o = (struct counts_object *)object_new(counts_type);

	if (o)
		o->v = *v;
	return (PyObject *)o;
}

/* from the items of a sequence, at most one a row */
static bool set_all(PyObject *o, PyObject *seq)
{
	Py_ssize_t nr = PySequence_Size(seq);
	bool ok = nr >= 0;

	if (ok && nr > (Py_ssize_t)ARRAY_SIZE(rows)) {
		PyErr_Format(PyExc_ValueError, "counts_values has %zu values, %zd were given",
			     ARRAY_SIZE(rows), nr);
		return false;
	}
	for (Py_ssize_t i = 0; ok && i < nr; i++) {
		PyObject *item = PySequence_GetItem(seq, i);

		ok = item && set_value(o, (size_t)i, item);
		Py_XDECREF(item);
	}
	return ok;
}

static PyObject *counts_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "values", NULL };
	PyObject *values = NULL, *o;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:counts_values", keys, &values))
		return NULL;
	o = object_new(type);
	if (o && values && !set_all(o, values))
		Py_CLEAR(o);
	return o;
}

static PyObject *get_value(PyObject *o, void *row)
{
	return PyLong_FromUnsignedLongLong(*value_at(o, (size_t)row));
}

static int set_one(PyObject *o, PyObject *value, void *row)
{
	return set_value(o, (size_t)row, value) ? 0 : -1;
}

static PyObject *get_values(PyObject *o, void *unused)
{
	PyObject *list = PyList_New(ARRAY_SIZE(rows));

	(void)unused;
	for (size_t i = 0; list && i < ARRAY_SIZE(rows); i++) {
		PyObject *v = get_value(o, (void *)i);

		if (!v || PyList_SetItem(list, (Py_ssize_t)i, v))
			Py_CLEAR(list);
	}
	return list;
}

static int set_values(PyObject *o, PyObject *values, void *unused)
{
	(void)unused;
	if (!values) {
		PyErr_SetString(PyExc_TypeError, "'values' cannot be deleted");
		return -1;
	}
	return set_all(o, values) ? 0 : -1;
}

static PyObject *get_scaled(PyObject *o, void *unused)
{
	const struct counts_values *v = &((struct counts_object *)o)->v;

	(void)unused;
	if (v->ena && !v->run)
		Py_RETURN_NONE;
	return PyFloat_FromDouble(v->run && v->run < v->ena ? (double)v->val * v->ena / v->run :
				  (double)v->val);
}

static PyObject *counts_repr(PyObject *o)
{
	const struct counts_values *v = &((struct counts_object *)o)->v;

	return PyUnicode_FromFormat("counts_values(val=%llu, ena=%llu, run=%llu)", (unsigned long long)v->val,
				    (unsigned long long)v->ena, (unsigned long long)v->run);
}

static PyGetSetDef counts_members[] = {
	{ "val", get_value, set_one, "the count", (void *)0 },
	{ "ena", get_value, set_one, "ns for which the event was enabled", (void *)1 },
	{ "run", get_value, set_one, "ns for which it counted: less than ena if events shared a counter",
	  (void *)2 },
	{ "id", get_value, set_one, "the kernel's id of the event; 0 if read_format has no FORMAT_ID",
	  (void *)3 },
	{ "lost", get_value, set_one, "samples that the kernel dropped; 0 if read_format has no FORMAT_LOST",
	  (void *)4 },
	{ "values", get_values, set_values, "[val, ena, run, id, lost]", NULL },
	{ "scaled", get_scaled, NULL, "val as it would be if the event had counted all the time; None if "
				      "it never counted", NULL },
	{ 0 }
};

static PyType_Slot counts_slots[] = {
	{ Py_tp_doc, "counts_values(values=())\n--\n\nWhat a counter read: val, ena, run, id, lost." },
	{ Py_tp_new, counts_call },
	{ Py_tp_dealloc, object_free },
	{ Py_tp_repr, counts_repr },
	{ Py_tp_getset, counts_members },
	{ 0, NULL }
};
static PyType_Spec counts_spec = { "perf.counts_values", sizeof(struct counts_object), 0, Py_TPFLAGS_DEFAULT,
				   counts_slots };

int counts_init_types(PyObject *module)
{
	counts_type = type_add(module, &counts_spec);
	return counts_type ? 0 : -1;
}
