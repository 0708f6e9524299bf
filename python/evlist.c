/* evlist: events on the same CPUs and threads, opened and read together. */
#include "metrics.h"
#include "rings.h"

#include <stdlib.h>
#include <string.h>

struct evlist_object {
	PyObject_HEAD
	struct cpulist cpus;
	struct tid_list tids;
	struct { VEC(PyObject *); } evsel;
	struct live_rings *live;		/* NULL: there are no rings */
};

static PyTypeObject *evlist_type, *pollfd_type;

static struct opened_events *opened_at(const struct evlist_object *l, size_t i)
{
	u32 idx;

	return evsel_opened(l->evsel.v[i], &idx);
}

/* each set of events that is opened together, once */
#define for_each_opened(l, in) \
	for (size_t i_ = 0; i_ < (l)->evsel.nr; i_++) \
		for (struct opened_events *in = opened_at(l, i_); \
		     in && (!i_ || opened_at(l, i_ - 1) != in); in = NULL)

static void unmap(struct evlist_object *l)
{
	struct live_rings *live = l->live;

	if (!live)
		return;
	l->live = NULL;
	live_unmap(live);
	origin_drop(&live->origin);
}

/* ---- making one ---- */

PyObject *evlist_of(struct opened_events *in, struct cpulist *cpus, struct tid_list *tids)
{
	struct evlist_object *l = (struct evlist_object *)object_new(evlist_type);

	if (!l) {
		vec_release(cpus);
		vec_release(tids);
		return NULL;
	}
	l->cpus = *cpus;
	l->tids = *tids;
	for (u32 i = 0; i < in->set->ev.nr; i++) {
		PyObject *evsel = evsel_new(in, i);

		if (!evsel) {
			Py_DECREF(l);
			return NULL;
		}
		vec_push(&l->evsel, evsel);
	}
	return (PyObject *)l;
}

static PyObject *evlist_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "cpus", "threads", NULL };
	PyObject *cpus = NULL, *threads = NULL;
	struct evlist_object *l;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO:evlist", keys, &cpus, &threads))
		return NULL;
	l = (struct evlist_object *)object_new(type);
	if (l && (!cpus_of(cpus, &l->cpus) || !tids_of(threads, &l->tids)))
		Py_CLEAR(l);
	return (PyObject *)l;
}

static void evlist_dealloc(PyObject *o)
{
	struct evlist_object *l = (void *)o;

	unmap(l);
	for (size_t i = 0; i < l->evsel.nr; i++)
		Py_DECREF(l->evsel.v[i]);
	vec_release(&l->evsel);
	vec_release(&l->cpus);
	vec_release(&l->tids);
	object_free(o);
}

static PyObject *evlist_add(PyObject *o, PyObject *args)
{
	struct evlist_object *l = (void *)o;
	PyObject *evsel;
	u32 idx;

	if (!PyArg_ParseTuple(args, "O:add", &evsel) || !evsel_opened(evsel, &idx))
		return NULL;
	if (l->live) {
		PyErr_SetString(PyExc_ValueError, "events cannot be added after mmap(): close() first");
		return NULL;
	}
	Py_INCREF(evsel);
	vec_push(&l->evsel, evsel);
	return PyLong_FromSize_t(l->evsel.nr);
}

/* ---- as a sequence ---- */

static Py_ssize_t evlist_length(PyObject *o)
{
	return (Py_ssize_t)((struct evlist_object *)o)->evsel.nr;
}

static PyObject *evlist_item(PyObject *o, Py_ssize_t i)
{
	const struct evlist_object *l = (void *)o;

	i = index_in(i, l->evsel.nr);
	if (i < 0)
		return NULL;
	Py_INCREF(l->evsel.v[i]);
	return l->evsel.v[i];
}

static PyObject *evlist_repr(PyObject *o)
{
	const struct evlist_object *l = (void *)o;
	struct strbuf text = STRBUF_INIT;
	PyObject *ret;

	strbuf_addstr(&text, "evlist([");
	for (size_t i = 0; i < l->evsel.nr; i++) {
		if (i)
			strbuf_addch(&text, ',');
		evsel_words(l->evsel.v[i], &text);
	}
	strbuf_addstr(&text, "])");
	ret = text_object(text.buf);
	strbuf_release(&text);
	return ret;
}

/* ---- opening ---- */

static PyObject *evlist_all_cpus(PyObject *o, PyObject *unused)
{
	const struct evlist_object *l = (void *)o;

	(void)unused;
	return cpu_map_new(l->cpus.v, l->cpus.nr);
}

static PyObject *evlist_config(PyObject *o, PyObject *unused)
{
	const struct evlist_object *l = (void *)o;

	(void)unused;
	if (!evsels_config(l->evsel.v, l->evsel.nr))
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *evlist_open(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "group", NULL };
	struct evlist_object *l = (void *)o;
	int group = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i:open", keys, &group) || !no_group(group))
		return NULL;
	for_each_opened(l, in)
		if (!opened_open(in, &l->cpus, &l->tids))
			return NULL;
	Py_RETURN_NONE;
}

static PyObject *evlist_close(PyObject *o, PyObject *unused)
{
	struct evlist_object *l = (void *)o;

	(void)unused;
	unmap(l);
	for_each_opened(l, in)
		opened_close(in);
	Py_RETURN_NONE;
}

static PyObject *enable(PyObject *o, bool on)
{
	for_each_opened((struct evlist_object *)o, in)
		if (!opened_enable(in, on))
			return NULL;
	Py_RETURN_NONE;
}

static PyObject *evlist_enable(PyObject *o, PyObject *unused)
{
	(void)unused;
	return enable(o, true);
}

static PyObject *evlist_disable(PyObject *o, PyObject *unused)
{
	(void)unused;
	return enable(o, false);
}

/* ---- rings ---- */

static PyObject *evlist_mmap(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "pages", "overwrite", NULL };
	struct evlist_object *l = (void *)o;
	int pages = 0, overwrite = 0;
	bool open = l->evsel.nr;
	u64 rounded = 1;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ii:mmap", keys, &pages, &overwrite))
		return NULL;
	if (pages < 0) {
		PyErr_SetString(PyExc_ValueError, "pages must be a positive number");
		return NULL;
	}
	for (size_t i = 0; overwrite && i < l->evsel.nr; i++) {
		if (evsel_event(l->evsel.v[i])->attr.flags & ATTR_WRITE_BACKWARD)
			continue;
		PyErr_SetString(PyExc_ValueError, "overwrite=1 needs events that were opened with "
				"write_backward=1: evsel(..., write_backward=1)");
		return NULL;
	}
	for_each_opened(l, in)
		open &= in->is_open;
	if (!open) {
		PyErr_SetString(PyExc_ValueError, l->evsel.nr ? "the events are not open: open() first" :
				"the evlist has no events");
		return NULL;
	}
	while (rounded < (u64)pages)
		rounded *= 2;
	unmap(l);
	l->live = live_map(l->evsel.v, l->evsel.nr, pages ? rounded : 0);
	if (!l->live)
		return NULL;
	Py_RETURN_NONE;
}

static struct live_rings *live_of(PyObject *o)
{
	struct evlist_object *l = (void *)o;

	if (!l->live)
		PyErr_SetString(PyExc_ValueError, "there are no rings: mmap() first");
	return l->live;
}

static PyObject *evlist_poll(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "timeout", NULL };
	struct live_rings *live;
	int timeout = -1, ready;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|i:poll", keys, &timeout))
		return NULL;
	live = live_of(o);
	ready = live ? live_poll(live, timeout) : -1;
	return ready < 0 ? NULL : PyLong_FromLong(ready);
}

/* a number that is also an object with fileno(), for poll, select and selectors */
static PyObject *pollfd_new(int fd)
{
	return PyObject_CallFunction((PyObject *)pollfd_type, "i", fd);
}

static PyObject *pollfd_fileno(PyObject *o, PyObject *unused)
{
	(void)unused;
	return PyLong_FromLong(PyLong_AsLong(o));
}

static PyObject *evlist_get_pollfd(PyObject *o, PyObject *unused)
{
	const struct evlist_object *l = (void *)o;
	PyObject *list = PyList_New(0);

	(void)unused;
	if (!list || !l->live)
		return list;
	vec_foreach(&l->live->rings.r, r) {
		PyObject *fd = pollfd_new(r->fd);

		if (!fd || PyList_Append(list, fd))
			Py_CLEAR(list);
		Py_XDECREF(fd);
		if (!list)
			break;
	}
	return list;
}

static PyObject *evlist_read_on_cpu(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "cpu", "sample_id_all", NULL };
	struct evlist_object *l = (void *)o;
	int cpu, sample_id_all = 1;

	/* sample_id_all: what old scripts give; the attribute of the events says it */
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|i:read_on_cpu", keys, &cpu, &sample_id_all))
		return NULL;
	if (!l->live && l->evsel.nr)
		Py_RETURN_NONE;
	return live_of(o) ? live_next(l->live, cpu, l->evsel.v) : NULL;
}

/* ---- metrics ---- */

static PyObject *evlist_metrics(PyObject *o, PyObject *unused)
{
	const struct evlist_object *l = (void *)o;
	PyObject *list = PyList_New(0);

	(void)unused;
	for_each_opened(l, in)
		if (list && metrics_add_names(in, list))
			Py_CLEAR(list);
	return list;
}

static PyObject *evlist_compute_metric(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "metric", "cpu", "thread", NULL };
	const struct evlist_object *l = (void *)o;
	int cpu = -1, thread = -1, found = 0;
	const char *name;
	double value;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|ii:compute_metric", keys, &name, &cpu, &thread))
		return NULL;
	for_each_opened(l, in)
		if (!found)
			found = metrics_compute(in, name, cpu, thread, &value);
	if (!found)
		PyErr_Format(PyExc_ValueError, "'%s' is not a metric of these events (perf.parse_metrics)",
			     name);
	return found > 0 ? PyFloat_FromDouble(value) : NULL;
}

static PyMethodDef evlist_methods[] = {
	{ "metrics", evlist_metrics, METH_NOARGS,
	  "metrics()\n--\n\nThe names of the metrics that parse_metrics() made it for." },
	{ "compute_metric", (PyCFunction)(void *)evlist_compute_metric, METH_VARARGS | METH_KEYWORDS,
	  "compute_metric(metric, cpu=-1, thread=-1)\n--\n\nThe value of a metric over what one CPU and "
	  "thread counted so far, in the unit that metrics() says; nan if it cannot be computed." },
	{ "add", evlist_add, METH_VARARGS, "add(evsel)\n--\n\nAdds an event; the number of events." },
	{ "all_cpus", evlist_all_cpus, METH_NOARGS, "all_cpus()\n--\n\nThe cpu_map of the list." },
	{ "config", evlist_config, METH_NOARGS,
	  "config()\n--\n\nMakes the events sample, where their attributes do not say how: ip, task, time "
	  "and CPU, 4000 samples a second; those with `tracking` also record tasks and mappings. They "
	  "begin with enable()." },
	{ "open", (PyCFunction)(void *)evlist_open, METH_VARARGS | METH_KEYWORDS,
	  "open(group=0)\n--\n\nOpens the events that are not open, on the list's CPUs and threads." },
	{ "close", evlist_close, METH_NOARGS, "close()\n--\n\nUnmaps the rings and closes the events." },
	{ "enable", evlist_enable, METH_NOARGS, "enable()\n--\n\nThe events count." },
	{ "disable", evlist_disable, METH_NOARGS, "disable()\n--\n\nThe events no longer count." },
	{ "mmap", (PyCFunction)(void *)evlist_mmap, METH_VARARGS | METH_KEYWORDS,
	  "mmap(pages=0, overwrite=0)\n--\n\nMaps a ring for each CPU, of `pages` pages (rounded up to a "
	  "power of two; 0: as large as perf record makes them). overwrite=1: events that were opened with "
	  "write_backward=1 overwrite their oldest records; read_on_cpu() gives those that are left." },
	{ "poll", (PyCFunction)(void *)evlist_poll, METH_VARARGS | METH_KEYWORDS,
	  "poll(timeout=-1)\n--\n\nWaits until rings have records, at most timeout ms; the number of such "
	  "rings. Other threads of Python run meanwhile. 0 also when all observed tasks are gone." },
	{ "get_pollfd", evlist_get_pollfd, METH_NOARGS,
	  "get_pollfd()\n--\n\nThe descriptors of the rings, for select.poll() and others. They report "
	  "records once: read all that there are." },
	{ "read_on_cpu", (PyCFunction)(void *)evlist_read_on_cpu, METH_VARARGS | METH_KEYWORDS,
	  "read_on_cpu(cpu, sample_id_all=1)\n--\n\nThe next record of that CPU's ring as an object such as "
	  "task_event; None if it has none." },
	{ 0 }
};

static PyType_Slot evlist_slots[] = {
	{ Py_tp_doc, "evlist(cpus=None, threads=None)\n--\n\nEvents on these CPUs (a cpu_map) and threads (a "
		     "thread_map); all CPUs and all tasks without them. A sequence of evsel." },
	{ Py_tp_new, evlist_call },
	{ Py_tp_dealloc, evlist_dealloc },
	{ Py_tp_repr, evlist_repr },
	{ Py_tp_methods, evlist_methods },
	{ Py_sq_length, evlist_length },
	{ Py_sq_item, evlist_item },
	{ 0, NULL }
};
static PyType_Spec evlist_spec = { "perf.evlist", sizeof(struct evlist_object), 0, Py_TPFLAGS_DEFAULT,
				   evlist_slots };

static PyMethodDef pollfd_methods[] = {
	{ "fileno", pollfd_fileno, METH_NOARGS, "fileno()\n--\n\nThe number itself." },
	{ 0 }
};
static PyType_Slot pollfd_slots[] = {
	{ Py_tp_doc, "The descriptor of a ring: a number with fileno()." },
	{ Py_tp_methods, pollfd_methods },
	{ 0, NULL }
};
static PyType_Spec pollfd_spec = { "perf.pollfd", 0, 0, Py_TPFLAGS_DEFAULT, pollfd_slots };

int evlist_init(PyObject *module)
{
	PyObject *bases = PyTuple_Pack(1, &PyLong_Type);

	evlist_type = type_add(module, &evlist_spec);
	pollfd_type = bases ? (PyTypeObject *)PyType_FromSpecWithBases(&pollfd_spec, bases) : NULL;
	Py_XDECREF(bases);
	return evlist_type && pollfd_type ? 0 : -1;
}
