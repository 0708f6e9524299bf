/*
 * Dictionaries of samples, whose values are made when a script asks for them: most ask for two or three of
 * fifty. For scripts it is a dict (a subclass): whatever looks at more than one key makes all of them first.
 * Entries belong to perf and end with the call, so a dictionary that the script keeps is filled then.
 */
#ifndef PERF_LIBPYTHON_DICT_H
#define PERF_LIBPYTHON_DICT_H

#define POOL 64u			/* dictionaries that wait for the next call */

/* after the memory of a dict, whose size is that of the library in use */
struct late {
	const struct script_value *v;	/* NULL: all values are made */
	uint32_t nr;
};

static struct {
	PyObject *type, *no_args;
	newfunc new;
	Py_ssize_t offset;		/* of struct late */
	PyObject **in_use;		/* of this call, in the order in which they were made */
	size_t nr_in_use, room;
	PyObject *pool[POOL];
	uint32_t nr_pool;
} dicts;

static struct late *late_of(PyObject *dict)
{
	return (struct late *)((char *)dict + dicts.offset);
}

static int is_late(PyObject *o)
{
	return Py_TYPE(o) == (PyTypeObject *)dicts.type;
}

/* one value, which can have been made before, or replaced by the script; 0 or -1 */
static int fill_value(PyObject *dict, PyObject *made, const struct script_value *v)
{
	PyObject *key = key_of(v->key), *value;
	int ret;

	if (!key)
		return -1;
	Py_INCREF(key);			/* values can take its place in the table */
	value = made ? PyDict_GetItemWithError(made, key) : NULL;
	if (value)
		Py_INCREF(value);
	else
		value = PyErr_Occurred() ? NULL : to_python(v);
	ret = value ? PyDict_SetItem(dict, key, value) : -1;
	Py_DECREF(key);
	Py_XDECREF(value);
	return ret;
}

static int fill_values(PyObject *dict, PyObject *made, const struct script_value *v, uint32_t nr)
{
	struct script_value more;
	int ret = 0;

	for (uint32_t i = 0; i < nr && !ret; i++) {
		if (v[i].kind != VALUE_MORE) {
			ret = fill_value(dict, made, &v[i]);
			continue;
		}
		more = py.script->later(py.script->ctx, v[i].later);
		ret = fill_values(dict, made, more.of.v, more.of.nr);
	}
	return ret;
}

/*
 * a new reference; the table keeps another one until the call ends. The first value is made at once: json
 * takes a dict without entries for empty, whatever its type says
 */
static PyObject *late_dict(const struct script_value *v, uint32_t nr)
{
	PyObject *dict, **all = dicts.in_use;

	if (dicts.nr_in_use == dicts.room) {
		dicts.room = dicts.room ? dicts.room * 2 : 64;
		all = realloc(dicts.in_use, dicts.room * sizeof(*all));
		if (!all)
			return PyErr_NoMemory();
		dicts.in_use = all;
	}
	dict = dicts.nr_pool ? dicts.pool[--dicts.nr_pool] :
			       dicts.new((PyTypeObject *)dicts.type, dicts.no_args, NULL);
	if (!dict)
		return NULL;
	*late_of(dict) = (struct late){ v, nr };
	dicts.in_use[dicts.nr_in_use++] = dict;
	Py_INCREF(dict);
	if (nr && v[0].kind != VALUE_MORE && fill_value(dict, NULL, &v[0]))
		Py_CLEAR(dict);
	return dict;
}

/* makes all values; keys are in the order of perf, then those of the script. 0 or -1 */
static int fill(PyObject *dict)
{
	struct late *l = late_of(dict);
	const struct script_value *v = l->v;
	PyObject *made = NULL, *key, *value;
	Py_ssize_t pos = 0;
	int ret;

	l->v = NULL;
	if (!v)
		return 0;
	if (PyDict_Size(dict)) {
		made = PyDict_Copy(dict);
		if (!made)
			return -1;
		PyDict_Clear(dict);
	}
	ret = fill_values(dict, made, v, l->nr);
	while (made && !ret && PyDict_Next(made, &pos, &key, &value))
		ret = PyDict_SetItem(dict, key, value);
	Py_XDECREF(made);
	return ret;
}

/* the entry of a key; NULL: there is none */
static const struct script_value *find_late(const struct script_value *v, uint32_t nr, PyObject *key)
{
	/* keys in the text of a script are the same object as ours */
	for (uint32_t i = 0; i < nr; i++)
		if (v[i].kind != VALUE_MORE && key_of(v[i].key) == key)
			return &v[i];
	for (uint32_t i = 0; i < nr; i++)
		if (v[i].kind != VALUE_MORE && !PyUnicode_CompareWithASCIIString(key, v[i].key))
			return &v[i];
	for (uint32_t i = 0; i < nr; i++) {
		struct script_value more;
		const struct script_value *found;

		if (v[i].kind != VALUE_MORE)
			continue;
		more = py.script->later(py.script->ctx, v[i].later);
		found = find_late(more.of.v, more.of.nr, key);
		if (found)
			return found;
	}
	return NULL;
}

/* a borrowed reference; NULL: the key is missing, or with an exception */
static PyObject *get_late(PyObject *self, PyObject *key)
{
	PyObject *value = PyDict_GetItemWithError(self, key);
	const struct late *l = late_of(self);
	const struct script_value *v;

	if (value || PyErr_Occurred() || !l->v || !PyUnicode_Check(key))
		return value;
	v = find_late(l->v, l->nr, key);
	if (!v)
		return NULL;
	return fill_value(self, NULL, v) ? NULL : PyDict_GetItemWithError(self, key);
}

static PyObject *late_subscript(PyObject *self, PyObject *key)
{
	PyObject *value = get_late(self, key);

	if (!value && !PyErr_Occurred())
		PyErr_SetObject(PyExc_KeyError, key);
	Py_XINCREF(value);
	return value;
}

static PyObject *late_get(PyObject *self, PyObject *args)
{
	PyObject *key, *otherwise = Py_None, *value;

	if (!PyArg_ParseTuple(args, "O|O:get", &key, &otherwise))
		return NULL;
	value = get_late(self, key);
	if (!value && PyErr_Occurred())
		return NULL;
	value = value ? value : otherwise;
	Py_INCREF(value);
	return value;
}

static int late_contains(PyObject *self, PyObject *key)
{
	const struct late *l = late_of(self);
	int ret = PyDict_Contains(self, key);

	return ret || !l->v || !PyUnicode_Check(key) ? ret : find_late(l->v, l->nr, key) != NULL;
}

static int late_set(PyObject *self, PyObject *key, PyObject *value)
{
	if (value)
		return PyDict_SetItem(self, key, value);
	return fill(self) ? -1 : PyDict_DelItem(self, key);
}

static Py_ssize_t late_len(PyObject *self)
{
	return fill(self) ? -1 : PyDict_Size(self);
}

/* dict's own method of that name, after all values were made */
static PyObject *filled(PyObject *self, const char *name, PyObject *args, PyObject *words)
{
	PyObject *method = NULL, *all = NULL, *ret = NULL;
	Py_ssize_t nr = args ? PyTuple_Size(args) : 0;

	if (!fill(self))
		method = PyObject_GetAttrString((PyObject *)&PyDict_Type, name);
	all = method ? PyTuple_New(nr + 1) : NULL;
	for (Py_ssize_t i = 0; all && i <= nr; i++) {
		PyObject *o = i ? PyTuple_GetItem(args, i - 1) : self;

		if (is_late(o) && fill(o)) {
			Py_CLEAR(all);
			break;
		}
		Py_INCREF(o);
		PyTuple_SetItem(all, i, o);
	}
	if (all)
		ret = PyObject_Call(method, all, words);
	Py_XDECREF(all);
	Py_XDECREF(method);
	return ret;
}

#define FILLED(name) \
static PyObject *late_##name(PyObject *self, PyObject *args, PyObject *words) \
{ \
	return filled(self, #name, args, words); \
}
FILLED(keys)
FILLED(values)
FILLED(items)
FILLED(copy)
FILLED(pop)
FILLED(popitem)
FILLED(setdefault)
FILLED(update)
FILLED(clear)
FILLED(__reversed__)

/* pickle and copy make plain dictionaries of it */
static PyObject *late_reduce(PyObject *self, PyObject *args)
{
	PyObject *plain = filled(self, "copy", NULL, NULL);

	(void)args;
	return plain ? Py_BuildValue("O(N)", (PyObject *)&PyDict_Type, plain) : NULL;
}

static PyObject *late_iter(PyObject *self)
{
	return filled(self, "__iter__", NULL, NULL);
}

static PyObject *late_repr(PyObject *self)
{
	return filled(self, "__repr__", NULL, NULL);
}

static PyObject *with_other(PyObject *self, const char *name, PyObject *other)
{
	PyObject *args = Py_BuildValue("(O)", other), *ret = args ? filled(self, name, args, NULL) : NULL;

	Py_XDECREF(args);
	return ret;
}

static PyObject *late_compare(PyObject *self, PyObject *other, int op)
{
	if (op != Py_EQ && op != Py_NE) {
		Py_INCREF(Py_NotImplemented);
		return Py_NotImplemented;
	}
	return with_other(self, op == Py_EQ ? "__eq__" : "__ne__", other);
}

/* since 3.9; either side can be the one that is made late */
static PyObject *late_or(PyObject *a, PyObject *b)
{
	if ((is_late(a) && fill(a)) || (is_late(b) && fill(b)))
		return NULL;
	if (PyDict_Check(a) && PyDict_Check(b) &&
	    PyObject_HasAttrString((PyObject *)&PyDict_Type, "__or__")) {
		PyObject *ret = PyDict_Copy(a);

		if (ret && PyDict_Update(ret, b))
			Py_CLEAR(ret);
		return ret;
	}
	Py_INCREF(Py_NotImplemented);
	return Py_NotImplemented;
}

#define METHOD(name, args) { #name, (PyCFunction)(void (*)(void))late_##name, args, NULL }
static PyMethodDef late_methods[] = {
	METHOD(get, METH_VARARGS),
	METHOD(keys, METH_VARARGS | METH_KEYWORDS), METHOD(values, METH_VARARGS | METH_KEYWORDS),
	METHOD(items, METH_VARARGS | METH_KEYWORDS), METHOD(copy, METH_VARARGS | METH_KEYWORDS),
	METHOD(pop, METH_VARARGS | METH_KEYWORDS), METHOD(popitem, METH_VARARGS | METH_KEYWORDS),
	METHOD(setdefault, METH_VARARGS | METH_KEYWORDS), METHOD(update, METH_VARARGS | METH_KEYWORDS),
	METHOD(clear, METH_VARARGS | METH_KEYWORDS), METHOD(__reversed__, METH_VARARGS | METH_KEYWORDS),
	{ "__reduce__", late_reduce, METH_NOARGS, NULL },
	{ NULL, NULL, 0, NULL },
};

static PyType_Slot late_slots[] = {
	{ Py_tp_methods, late_methods },
	{ Py_mp_subscript, late_subscript },
	{ Py_mp_ass_subscript, late_set },
	{ Py_mp_length, late_len },
	{ Py_sq_contains, late_contains },
	{ Py_tp_iter, late_iter },
	{ Py_tp_repr, late_repr },
	{ Py_tp_richcompare, late_compare },
	{ Py_tp_hash, PyObject_HashNotImplemented },
	{ Py_nb_or, late_or },
	{ 0, NULL },
};

/* 0 or -1 with an exception */
static int make_late_type(void)
{
	PyObject *size = PyObject_GetAttrString((PyObject *)&PyDict_Type, "__basicsize__");
	PyObject *bases = Py_BuildValue("(O)", (PyObject *)&PyDict_Type);
	PyType_Spec spec = { .name = "perf_trace_context.dict", .flags = Py_TPFLAGS_DEFAULT,
			     .slots = late_slots };

	dicts.offset = size ? PyLong_AsSsize_t(size) : -1;
	spec.basicsize = (int)(dicts.offset + (Py_ssize_t)sizeof(struct late));
	dicts.type = bases && dicts.offset > 0 ? PyType_FromSpecWithBases(&spec, bases) : NULL;
	dicts.new = dicts.type ? (newfunc)PyType_GetSlot((PyTypeObject *)dicts.type, Py_tp_new) : NULL;
	dicts.no_args = PyTuple_New(0);
	Py_XDECREF(size);
	Py_XDECREF(bases);
	return dicts.new && dicts.no_args ? 0 : -1;
}

/*
 * The call has ended: what the script keeps is filled, the others wait for the next one. A dictionary inside
 * of another one comes after it, and is free when that one was emptied. 0 or -1 with an exception
 */
static int end_late_dicts(void)
{
	int ret = 0;

	for (size_t i = 0; i < dicts.nr_in_use; i++) {
		PyObject *dict = dicts.in_use[i];

		if (Py_REFCNT(dict) > 1) {
			ret |= fill(dict);
			Py_DECREF(dict);
			continue;
		}
		late_of(dict)->v = NULL;
		PyDict_Clear(dict);
		if (dicts.nr_pool < POOL)
			dicts.pool[dicts.nr_pool++] = dict;
		else
			Py_DECREF(dict);
	}
	dicts.nr_in_use = 0;
	return ret;
}

#endif
