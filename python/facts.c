/* Facts of a header as dicts and lists. */
#include "facts.h"
#include "../util/data/header-facts.h"

static PyObject *value_object(const struct view_value *v);

static PyObject *facts_object(const struct view_fact *f, size_t nr)
{
	PyObject *dict = PyDict_New();

	for (size_t i = 0; dict && i < nr; i++) {
		PyObject *v = value_object(&f[i].value);

		if (!v || PyDict_SetItemString(dict, f[i].key, v))
			Py_CLEAR(dict);
		Py_XDECREF(v);
	}
	return dict;
}

static PyObject *values_object(const struct view_value *v, size_t nr)
{
	PyObject *list = PyList_New((Py_ssize_t)nr);

	for (size_t i = 0; list && i < nr; i++) {
		PyObject *o = value_object(&v[i]);

		if (!o || PyList_SetItem(list, (Py_ssize_t)i, o))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *value_object(const struct view_value *v)
{
	switch (v->type) {
	case VIEW_TEXT:
		return text_object(v->text);
	case VIEW_REAL:
	case VIEW_SHARE:
		return PyFloat_FromDouble(v->real);
	case VIEW_SIGNED:
		return PyLong_FromLongLong((s64)v->number);
	case VIEW_BOOL:
		return PyBool_FromLong(v->number != 0);
	case VIEW_LIST:
		return values_object(v->list->v, v->list->nr);
	case VIEW_OBJECT:
		return facts_object(v->object->v, v->object->nr);
	case VIEW_ABSENT:
		return text_object(NULL);
	default:
		return PyLong_FromUnsignedLongLong(v->number);
	}
}

PyObject *header_object(const struct data *d)
{
	struct view_facts facts = { 0 };
	struct arena arena = { 0 };
	PyObject *dict;

	header_facts(d, &arena, &facts);
	dict = facts_object(facts.v, facts.nr);
	vec_release(&facts);
	arena_release(&arena);
	return dict;
}
