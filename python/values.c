/* Values and types that all files make. */
#include "module.h"

#include <string.h>

PyObject *text_object_len(const char *text, size_t len)
{
	return PyUnicode_DecodeUTF8(text, (Py_ssize_t)len, "backslashreplace");
}

PyObject *text_object(const char *text)
{
	if (!text)
		Py_RETURN_NONE;
	return text_object_len(text, strlen(text));
}

PyObject *list_of_ints(const int *v, size_t nr)
{
	PyObject *list = PyList_New((Py_ssize_t)nr);

	for (size_t i = 0; list && i < nr; i++) {
		PyObject *o = PyLong_FromLong(v[i]);

		if (!o || PyList_SetItem(list, (Py_ssize_t)i, o))
			Py_CLEAR(list);
	}
	return list;
}

PyObject *object_new(PyTypeObject *type)
{
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);

	return alloc(type, 0);
}

void object_free(PyObject *o)
{
	PyTypeObject *type = Py_TYPE(o);
	freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);

	release(o);
	Py_DECREF(type);
}

PyObject *not_made_by_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	PyObject *name = PyObject_GetAttrString((PyObject *)type, "__name__");

	(void)args;
	(void)kwargs;
	if (name)
		PyErr_Format(PyExc_TypeError, "perf makes objects of the type '%U', a call does not", name);
	Py_XDECREF(name);
	return NULL;
}

PyTypeObject *type_add(PyObject *module, PyType_Spec *spec)
{
	PyObject *type = PyType_FromSpec(spec);

	if (type && PyObject_SetAttrString(module, strrchr(spec->name, '.') + 1, type))
		Py_CLEAR(type);
	return (PyTypeObject *)type;
}

Py_ssize_t index_in(Py_ssize_t i, size_t nr)
{
	/* Python has added the length to negative ones */
	if (i >= 0 && (size_t)i < nr)
		return i;
	PyErr_SetString(PyExc_IndexError, "index out of range");
	return -1;
}
