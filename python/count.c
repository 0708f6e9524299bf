/* count: counts events while a block of Python runs, as a context manager and a mapping by name. */
#include "metrics.h"
#include "../util/pmu/parse-events.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct count_object {
	PyObject_HEAD
	struct opened_events *in;
	struct cpulist cpus;
	struct tid_list tids;
	const char **name;		/* by event: as typed, without what opening adds to it */
	struct counts_values *sum;	/* by event, over CPUs and threads: of the last reading */
	u64 start_ns, elapsed_ns;
	bool counts;			/* between __enter__ and __exit__ */
};

static PyTypeObject *count_type;

static u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ull + ts.tv_nsec;
}

/* ---- making one ---- */

/* "a", "b,c" of the arguments as one event string */
static bool join_events(PyObject *args, struct strbuf *ret)
{
	Py_ssize_t nr = PyTuple_Size(args);

	if (!nr)
		PyErr_SetString(PyExc_TypeError, "count() needs the name of an event");
	for (Py_ssize_t i = 0; i < nr; i++) {
		PyObject *arg = PyTuple_GetItem(args, i);
		PyObject *text = PyUnicode_Check(arg) ? PyUnicode_AsUTF8String(arg) : NULL;

		if (!text && !PyErr_Occurred())
			PyErr_SetString(PyExc_TypeError, "names of events must be str");
		if (!text)
			return false;
		strbuf_addf(ret, "%s%s", i ? "," : "", PyBytes_AsString(text));
		Py_DECREF(text);
	}
	return nr;
}

/* this thread and what it starts, unless something else was said; whole CPUs if they were named alone */
static bool take_target(struct count_object *o, PyObject *kwargs)
{
	static char *keys[] = { "threads", "cpus", "inherit", NULL };
	PyObject *none = PyTuple_New(0), *threads = NULL, *cpus = NULL;
	int inherit = 1;
	bool ok = none && PyArg_ParseTupleAndKeywords(none, kwargs, "|OOp:count", keys, &threads, &cpus,
						      &inherit);

	Py_XDECREF(none);
	if (!ok)
		return false;
	if (threads && threads != Py_None)
		ok = tids_of(threads, &o->tids);
	else
		vec_push(&o->tids, cpus && cpus != Py_None ? -1 : 0);
	if (cpus && cpus != Py_None)
		ok = ok && cpus_of(cpus, &o->cpus);
	else
		vec_push(&o->cpus, -1);
	vec_foreach(&o->in->set->ev, ev) {
		(*ev)->attr.flags |= ATTR_DISABLED | (inherit ? ATTR_INHERIT : 0);
		(*ev)->attr.read_format |= ABI_READ_TIME_ENABLED | ABI_READ_TIME_RUNNING;
	}
	return ok;
}

static PyObject *count_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	struct parse_events_opts opts = { .counting = true, .tables = module_tables() };
	struct strbuf text = STRBUF_INIT;
	struct err err = ERR_INIT;
	struct count_object *o;
	bool ok;

	o = (struct count_object *)object_new(type);
	if (!o)
		return NULL;
	o->in = opened_new(evset_new());
	ok = join_events(args, &text);
	if (ok && parse_events(o->in->set, strbuf_str(&text), &opts, &err)) {
		raise_err(&err);
		ok = false;
	}
	strbuf_release(&text);
	if (ok && !raise_warnings() && take_target(o, kwargs)) {
		o->in->as_stat = true;
		o->sum = xcalloc(o->in->set->ev.nr + 1, sizeof(*o->sum));
		o->name = xcalloc(o->in->set->ev.nr + 1, sizeof(*o->name));
		vec_foreach(&o->in->set->ev, ev)
			o->name[(*ev)->idx] = (*ev)->name;
		return (PyObject *)o;
	}
	Py_DECREF(o);
	return NULL;
}

static void count_dealloc(PyObject *self)
{
	struct count_object *o = (void *)self;

	opened_drop(o->in);
	free(o->sum);
	free(o->name);
	vec_release(&o->cpus);
	vec_release(&o->tids);
	object_free(self);
}

/* ---- counting ---- */

static bool read_event(struct count_object *o, const struct event *ev)
{
	struct counts_values sum = { 0 }, v;
	const struct open_fds *fds = &o->in->fds;

	for (u32 cpu = 0; cpu < fds->nr_cpus; cpu++)
		for (u32 thread = 0; thread < fds->nr_threads; thread++) {
			if (!opened_read(o->in, ev, cpu, thread, &v))
				return false;
			sum.val += v.val;
			sum.ena += v.ena;
			sum.run += v.run;
		}
	o->sum[ev->idx] = sum;
	return true;
}

static bool read_all(struct count_object *o)
{
	o->elapsed_ns = now_ns() - o->start_ns;
	vec_foreach(&o->in->set->ev, ev)
		if (!read_event(o, *ev))
			return false;
	return true;
}

static PyObject *count_enter(PyObject *self, PyObject *unused)
{
	struct count_object *o = (void *)self;

	(void)unused;
	if (o->counts) {
		PyErr_SetString(PyExc_ValueError, "it counts already");
		return NULL;
	}
	if (!opened_open(o->in, &o->cpus, &o->tids))
		return NULL;
	o->start_ns = now_ns();
	if (!opened_enable(o->in, true)) {
		opened_close(o->in);
		return NULL;
	}
	o->counts = true;
	Py_INCREF(self);
	return self;
}

static PyObject *count_exit(PyObject *self, PyObject *args)
{
	struct count_object *o = (void *)self;
	bool ok;

	(void)args;
	if (!o->counts)
		Py_RETURN_NONE;
	ok = opened_enable(o->in, false) && read_all(o);
	o->counts = false;
	opened_close(o->in);
	if (!ok)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *count_read(PyObject *self, PyObject *unused)
{
	struct count_object *o = (void *)self;

	(void)unused;
	if (o->counts && !read_all(o))
		return NULL;
	Py_INCREF(self);
	return self;
}

/* ---- as a mapping by name; events of one name on several PMUs are one ---- */

static bool is_first(const struct count_object *o, u32 idx)
{
	for (u32 i = 0; i < idx; i++)
		if (!strcmp(o->name[i], o->name[idx]))
			return false;
	return true;
}

static bool sum_of(const struct count_object *o, const char *name, struct counts_values *ret, double *scale)
{
	bool found = false;

	*ret = (struct counts_values){ 0 };
	vec_foreach(&o->in->set->ev, ev) {
		if (strcmp(o->name[(*ev)->idx], name))
			continue;
		found = true;
		ret->val += o->sum[(*ev)->idx].val;
		ret->ena += o->sum[(*ev)->idx].ena;
		ret->run += o->sum[(*ev)->idx].run;
		*scale = (*ev)->scale;
	}
	return found;
}

/* a number in the event's unit, as it would be if the event had always counted; None: it never did */
static PyObject *value_of(const struct count_object *o, const char *name)
{
	struct counts_values v;
	double scale = 1;

	if (!sum_of(o, name, &v, &scale))
		return NULL;
	if (v.ena && !v.run)
		Py_RETURN_NONE;
	if (v.run >= v.ena && scale == 1)
		return PyLong_FromUnsignedLongLong(v.val);
	return PyFloat_FromDouble((v.run < v.ena ? (double)v.val * v.ena / v.run : (double)v.val) * scale);
}

static PyObject *count_item(PyObject *self, PyObject *key)
{
	PyObject *name = PyUnicode_Check(key) ? PyUnicode_AsUTF8String(key) : NULL, *value = NULL;

	if (name)
		value = value_of((struct count_object *)self, PyBytes_AsString(name));
	Py_XDECREF(name);
	if (!value && !PyErr_Occurred())
		PyErr_SetObject(PyExc_KeyError, key);
	return value;
}

static PyObject *count_keys(PyObject *self, PyObject *unused)
{
	const struct count_object *o = (void *)self;
	PyObject *list = PyList_New(0);

	(void)unused;
	for (u32 i = 0; list && i < o->in->set->ev.nr; i++) {
		PyObject *name = is_first(o, i) ? text_object(o->name[i]) : NULL;

		if (PyErr_Occurred() || (name && PyList_Append(list, name)))
			Py_CLEAR(list);
		Py_XDECREF(name);
	}
	return list;
}

static Py_ssize_t count_length(PyObject *self)
{
	const struct count_object *o = (void *)self;
	Py_ssize_t nr = 0;

	for (u32 i = 0; i < o->in->set->ev.nr; i++)
		nr += is_first(o, i);
	return nr;
}

static PyObject *count_iter(PyObject *self)
{
	PyObject *keys = count_keys(self, NULL), *iter = keys ? PyObject_GetIter(keys) : NULL;

	Py_XDECREF(keys);
	return iter;
}

static PyObject *count_dict(PyObject *self)
{
	PyObject *keys = count_keys(self, NULL), *dict = keys ? PyDict_New() : NULL;

	for (Py_ssize_t i = 0; dict && i < PyList_Size(keys); i++) {
		PyObject *key = PyList_GetItem(keys, i), *value = count_item(self, key);

		if (!value || PyDict_SetItem(dict, key, value))
			Py_CLEAR(dict);
		Py_XDECREF(value);
	}
	Py_XDECREF(keys);
	return dict;
}

static PyObject *of_dict(PyObject *self, const char *method)
{
	PyObject *dict = count_dict(self), *ret = dict ? PyObject_CallMethod(dict, method, NULL) : NULL;

	Py_XDECREF(dict);
	return ret;
}

static PyObject *count_values(PyObject *self, PyObject *unused)
{
	(void)unused;
	return of_dict(self, "values");
}

static PyObject *count_items(PyObject *self, PyObject *unused)
{
	(void)unused;
	return of_dict(self, "items");
}

static PyObject *count_raw(PyObject *self, PyObject *args)
{
	struct counts_values v;
	const char *name;
	double scale;

	if (!PyArg_ParseTuple(args, "s:raw", &name))
		return NULL;
	if (sum_of((struct count_object *)self, name, &v, &scale))
		return counts_values_new(&v);
	PyErr_SetString(PyExc_KeyError, name);
	return NULL;
}

static PyObject *get_elapsed(PyObject *self, void *unused)
{
	(void)unused;
	return PyFloat_FromDouble(((struct count_object *)self)->elapsed_ns / 1e9);
}

static PyObject *count_repr(PyObject *self)
{
	PyObject *dict = count_dict(self), *ret = dict ? PyUnicode_FromFormat("count(%R)", dict) : NULL;

	Py_XDECREF(dict);
	return ret;
}

static PyMethodDef count_methods[] = {
	{ "read", count_read, METH_NOARGS,
	  "read()\n--\n\nReads the counts while they go on; the object itself." },
	{ "raw", count_raw, METH_VARARGS,
	  "raw(name)\n--\n\nThe counts_values of an event, summed up over CPUs and threads." },
	{ "keys", count_keys, METH_NOARGS, "keys()\n--\n\nThe names of the events." },
	{ "values", count_values, METH_NOARGS, "values()\n--\n\nThe counts." },
	{ "items", count_items, METH_NOARGS, "items()\n--\n\nPairs of names and counts." },
	{ "__enter__", count_enter, METH_NOARGS, "Opens the events; they count from now on." },
	{ "__exit__", count_exit, METH_VARARGS, "Reads the counts and closes the events." },
	{ 0 }
};

static PyGetSetDef count_members[] = {
	{ "elapsed", get_elapsed, NULL, "seconds from the beginning to the last reading", NULL },
	{ 0 }
};

static PyType_Slot count_slots[] = {
	{ Py_tp_doc, "count(*events, threads=None, cpus=None, inherit=True)\n--\n\nCounts events while a "
		     "block runs: with perf.count('task-clock', 'page-faults') as c: ... c['page-faults'] "
		     "is the count then, scaled if events shared a counter; None if it never counted. "
		     "This thread, and threads and processes that it starts, are counted; or those of a "
		     "thread_map, or all of a cpu_map." },
	{ Py_tp_new, count_call },
	{ Py_tp_dealloc, count_dealloc },
	{ Py_tp_repr, count_repr },
	{ Py_tp_iter, count_iter },
	{ Py_tp_methods, count_methods },
	{ Py_tp_getset, count_members },
	{ Py_mp_length, count_length },
	{ Py_mp_subscript, count_item },
	{ 0, NULL }
};
static PyType_Spec count_spec = { "perf.count", sizeof(struct count_object), 0, Py_TPFLAGS_DEFAULT,
				  count_slots };

int count_init(PyObject *module)
{
	count_type = type_add(module, &count_spec);
	return count_type ? 0 : -1;
}
