/* evsel: an event, with its attributes, and what it counts. */
#include "opened.h"
#include "../util/event/attr.h"

#include <stdlib.h>
#include <string.h>

struct evsel_object {
	PyObject_HEAD
	struct opened_events *in;
	u32 idx;
	bool tracking;		/* evlist.config(): it carries the records of tasks and mappings */
};

static PyTypeObject *evsel_type;

struct opened_events *evsel_opened(PyObject *evsel, u32 *ret_idx)
{
	const struct evsel_object *o = (void *)evsel;

	if (!PyObject_TypeCheck(evsel, evsel_type)) {
		PyErr_SetString(PyExc_TypeError, "an event must be a perf.evsel");
		return NULL;
	}
	*ret_idx = o->idx;
	return o->in;
}

struct event *evsel_event(PyObject *evsel)
{
	const struct evsel_object *o = (void *)evsel;

	return evset_at(o->in->set, o->idx);
}

bool evsel_tracking(PyObject *evsel)
{
	return ((struct evsel_object *)evsel)->tracking;
}

PyObject *evsel_new(struct opened_events *in, u32 idx)
{
	struct evsel_object *o = (struct evsel_object *)object_new(evsel_type);

	if (!o)
		return NULL;
	o->in = opened_use(in);
	o->idx = idx;
	o->tracking = !idx;
	return (PyObject *)o;
}

/* ---- attributes ---- */

static const struct attr_row {
	const char *name;
	u16 offset, size;	/* in struct pe_attr */
	u64 mask;		/* of a number: 0 */
	u8 shift;
	const char *doc;
} attr_rows[] = {
#define ATTR_NUMBER(name, member, doc) \
	{ #name, offsetof(struct pe_attr, member), sizeof(((struct pe_attr *)0)->member), 0, 0, doc },
#define ATTR_BITS(name, mask, shift, doc) \
	{ #name, offsetof(struct pe_attr, flags), sizeof(u64), mask, shift, doc },
#include "attr-fields.def"
};

static u64 attr_max(const struct attr_row *row)
{
	return row->mask ? row->mask >> row->shift : row->size == 8 ? UINT64_MAX :
		(1ull << 8 * row->size) - 1;
}

static u64 attr_get(const struct pe_attr *attr, const struct attr_row *row)
{
	u64 v = 0;

	/* smaller numbers are the first bytes on little-endian machines only */
	switch (row->size) {
	case 2:
		v = *(const u16 *)((const char *)attr + row->offset);
		break;
	case 4:
		v = *(const u32 *)((const char *)attr + row->offset);
		break;
	default:
		v = *(const u64 *)((const char *)attr + row->offset);
	}
	return row->mask ? (v & row->mask) >> row->shift : v;
}

static void attr_set(struct pe_attr *attr, const struct attr_row *row, u64 v)
{
	void *p = (char *)attr + row->offset;

	if (row->mask)
		*(u64 *)p = (*(u64 *)p & ~row->mask) | v << row->shift;
	else if (row->size == 2)
		*(u16 *)p = (u16)v;
	else if (row->size == 4)
		*(u32 *)p = (u32)v;
	else
		*(u64 *)p = v;
}

static bool attr_take(struct pe_attr *attr, const struct attr_row *row, PyObject *value)
{
	/* bools are ints; a negative number is one of 64 bits, as in C */
	long long negative = PyLong_AsLongLong(value);
	u64 v = (u64)negative;

	if (negative == -1 && PyErr_Occurred()) {
		PyErr_Clear();
		v = PyLong_AsUnsignedLongLong(value);
		if (v == UINT64_MAX && PyErr_Occurred())
			return false;
	}
	if (v > attr_max(row)) {
		PyErr_Format(PyExc_OverflowError, "%s=%R is more than the attribute can hold", row->name,
			     value);
		return false;
	}
	attr_set(attr, row, v);
	return true;
}

static const struct attr_row *attr_row(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_rows); i++)
		if (!strcmp(attr_rows[i].name, name))
			return &attr_rows[i];
	return NULL;
}

/* a keyword that sets no attribute: the event's place, which the evlist knows */
#define OLD_KEYWORD "idx"

static bool take_keywords(struct pe_attr *attr, PyObject *args, PyObject *kwargs)
{
	Py_ssize_t nr = PyTuple_Size(args), pos = 0;
	PyObject *key, *value;

	if (nr > (Py_ssize_t)ARRAY_SIZE(attr_rows)) {
		PyErr_SetString(PyExc_TypeError, "evsel() has fewer attributes");
		return false;
	}
	for (Py_ssize_t i = 0; i < nr; i++)
		if (!attr_take(attr, &attr_rows[i], PyTuple_GetItem(args, i)))
			return false;
	while (kwargs && PyDict_Next(kwargs, &pos, &key, &value)) {
		PyObject *name = PyUnicode_AsUTF8String(key);
		const struct attr_row *row = name ? attr_row(PyBytes_AsString(name)) : NULL;
		bool old = name && !strcmp(PyBytes_AsString(name), OLD_KEYWORD);

		Py_XDECREF(name);
		if (name && !row && !old)
			PyErr_Format(PyExc_TypeError, "evsel() got an unexpected keyword argument '%U'", key);
		if (!name || (!row && !old) || (row && !attr_take(attr, row, value)))
			return false;
	}
	return true;
}

static PyObject *evsel_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	struct pe_attr attr = { .size = sizeof(attr), .sample_type = ABI_SAMPLE_PERIOD | ABI_SAMPLE_TID };
	struct strbuf name = STRBUF_INIT;
	struct evset *set;
	struct opened_events *in;
	PyObject *o;

	(void)type;
	if (!take_keywords(&attr, args, kwargs))
		return NULL;
	pe_attr_make_name(&attr, NULL, &name);
	set = evset_new();
	evset_add(set, strbuf_str(&name))->attr = attr;
	strbuf_release(&name);
	in = opened_new(set);
	o = evsel_new(in, 0);
	opened_drop(in);
	return o;
}

static PyObject *get_attr(PyObject *o, void *row)
{
	return PyLong_FromUnsignedLongLong(attr_get(&evsel_event(o)->attr, row));
}

static int put_attr(PyObject *o, PyObject *value, void *row)
{
	const struct opened_events *in = ((struct evsel_object *)o)->in;
	const char *why = !value ? "deleted" : in->file ? "changed: the event was read from a file" :
		in->is_open ? "changed while the event is open" : NULL;

	if (why) {
		PyErr_Format(PyExc_AttributeError, "'%s' cannot be %s", ((struct attr_row *)row)->name, why);
		return -1;
	}
	return attr_take(&evsel_event(o)->attr, row, value) ? 0 : -1;
}

static PyObject *get_size(PyObject *o, void *unused)
{
	(void)unused;
	return PyLong_FromUnsignedLong(evsel_event(o)->attr.size);
}

static PyObject *get_name(PyObject *o, void *unused)
{
	(void)unused;
	return text_object(evsel_event(o)->name);
}

static PyObject *get_unit(PyObject *o, void *unused)
{
	const char *unit = evsel_event(o)->unit;

	(void)unused;
	return text_object(unit ? unit : "");
}

static PyObject *get_scale(PyObject *o, void *unused)
{
	(void)unused;
	return PyFloat_FromDouble(evsel_event(o)->scale);
}

static PyObject *get_tracking(PyObject *o, void *unused)
{
	(void)unused;
	return PyBool_FromLong(((struct evsel_object *)o)->tracking);
}

static int put_tracking(PyObject *o, PyObject *value, void *unused)
{
	int yes = value ? PyObject_IsTrue(value) : -1;

	(void)unused;
	if (!value)
		PyErr_SetString(PyExc_AttributeError, "'tracking' cannot be deleted");
	if (yes < 0)
		return -1;
	((struct evsel_object *)o)->tracking = yes;
	return 0;
}

/* ---- what it does ---- */

bool no_group(int group)
{
	if (group)
		PyErr_SetString(PyExc_ValueError,
				"groups are part of the names: perf.parse_events('{cycles,instructions}')");
	return !group;
}

static PyObject *evsel_open(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "cpus", "threads", "group", "inherit", NULL };
	struct opened_events *in = ((struct evsel_object *)o)->in;
	PyObject *cpus_arg = NULL, *threads_arg = NULL;
	struct tid_list tids = { 0 };
	struct cpulist cpus = { 0 };
	int group = 0, inherit = 0;
	bool ok;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OOii:open", keys, &cpus_arg, &threads_arg, &group,
					 &inherit) || !no_group(group))
		return NULL;
	if (inherit && !in->is_open)
		evsel_event(o)->attr.flags |= ATTR_INHERIT;
	ok = cpus_of(cpus_arg, &cpus) && tids_of(threads_arg, &tids) && opened_open(in, &cpus, &tids);
	vec_release(&cpus);
	vec_release(&tids);
	if (!ok)
		return NULL;
	Py_RETURN_NONE;
}

static PyObject *evsel_close(PyObject *o, PyObject *unused)
{
	(void)unused;
	opened_close(((struct evsel_object *)o)->in);
	Py_RETURN_NONE;
}

static PyObject *evsel_read(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "cpu", "thread", NULL };
	const struct opened_events *in = ((struct evsel_object *)o)->in;
	int cpu = -1, thread = -1, at_cpu, at_thread;
	struct counts_values v;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|ii:read", keys, &cpu, &thread))
		return NULL;
	if (!in->is_open) {
		PyErr_SetString(PyExc_ValueError, "the event is not open");
		return NULL;
	}
	at_cpu = opened_cpu_at(in, cpu);
	at_thread = at_cpu < 0 ? -1 : opened_thread_at(in, thread);
	if (at_thread < 0 || !opened_read(in, evsel_event(o), (u32)at_cpu, (u32)at_thread, &v))
		return NULL;
	return counts_values_new(&v);
}

static PyObject *evsel_cpus(PyObject *o, PyObject *unused)
{
	static const int any = -1;
	const struct opened_events *in = ((struct evsel_object *)o)->in;
	struct cpulist own = { 0 };
	PyObject *map;

	(void)unused;
	if (!in->is_open)
		return cpu_map_new(&any, 1);
	for (u32 i = 0; i < in->fds.nr_cpus; i++)
		if (event_wants_cpu(evsel_event(o), in->fds.cpu[i]))
			vec_push(&own, in->fds.cpu[i]);
	map = cpu_map_new(own.v, own.nr);
	vec_release(&own);
	return map;
}

static PyObject *evsel_threads(PyObject *o, PyObject *unused)
{
	static const s32 all = -1;
	const struct opened_events *in = ((struct evsel_object *)o)->in;

	(void)unused;
	return in->is_open ? thread_map_new(in->fds.tid, in->fds.nr_threads) : thread_map_new(&all, 1);
}

/* as upstream: "PMU/NAME/" */
void evsel_words(PyObject *o, struct strbuf *out)
{
	static const char *const types[] = { "cpu", "software", "tracepoint", "cpu", "cpu", "breakpoint" };
	const struct event *ev = evsel_event(o);
	const char *pmu = ev->pmu ? ev->pmu : event_is_tool(ev) ? "tool" :
		ev->attr.type < ARRAY_SIZE(types) ? types[ev->attr.type] : "pmu";

	if (strchr(ev->name, '/'))
		strbuf_addstr(out, ev->name);
	else
		strbuf_addf(out, "%s/%s/", pmu, ev->name);
}

static PyObject *evsel_repr(PyObject *o)
{
	struct strbuf text = STRBUF_INIT;
	PyObject *ret;

	strbuf_addstr(&text, "evsel(");
	evsel_words(o, &text);
	strbuf_addch(&text, ')');
	ret = text_object(text.buf);
	strbuf_release(&text);
	return ret;
}

static void evsel_dealloc(PyObject *o)
{
	opened_drop(((struct evsel_object *)o)->in);
	object_free(o);
}

static PyMethodDef evsel_methods[] = {
	{ "open", (PyCFunction)(void *)evsel_open, METH_VARARGS | METH_KEYWORDS,
	  "open(cpus=None, threads=None, group=0, inherit=0)\n--\n\nOpens it on these CPUs (a cpu_map) and "
	  "threads (a thread_map); all CPUs and all tasks without them." },
	{ "close", evsel_close, METH_NOARGS,
	  "close()\n--\n\nCloses it, and the other events of its evlist that were opened together." },
	{ "read", (PyCFunction)(void *)evsel_read, METH_VARARGS | METH_KEYWORDS,
	  "read(cpu=-1, thread=-1)\n--\n\nThe counts_values of one CPU and one thread." },
	{ "cpus", evsel_cpus, METH_NOARGS, "cpus()\n--\n\nThe cpu_map it is open on; [-1] before." },
	{ "threads", evsel_threads, METH_NOARGS,
	  "threads()\n--\n\nThe thread_map it is open on; [-1] before." },
	{ 0 }
};

#define NR_OWN_MEMBERS 5
static PyGetSetDef evsel_members[ARRAY_SIZE(attr_rows) + NR_OWN_MEMBERS + 1] = {
	{ "size", get_size, NULL, "bytes of the attributes that the kernel is given", NULL },
	{ "name", get_name, NULL, "as it was typed, or as the file says", NULL },
	{ "unit", get_unit, NULL, "of the count times scale; '' if there is none", NULL },
	{ "scale", get_scale, NULL, "what the count is multiplied by to be in its unit", NULL },
	{ "tracking", get_tracking, put_tracking, "evlist.config() lets it record tasks and mappings, too",
	  NULL },
};

static PyType_Slot evsel_slots[] = {
	{ Py_tp_doc, "evsel(type=0, config=0, sample_freq=0, sample_period=0, sample_type=SAMPLE_PERIOD | "
		     "SAMPLE_TID, read_format=0, **attributes)\n--\n\nAn event by its attributes, which "
		     "are those of struct perf_event_attr and members of the object. parse_events() makes "
		     "events from names." },
	{ Py_tp_new, evsel_call },
	{ Py_tp_dealloc, evsel_dealloc },
	{ Py_tp_repr, evsel_repr },
	{ Py_tp_methods, evsel_methods },
	{ Py_tp_getset, evsel_members },
	{ 0, NULL }
};
static PyType_Spec evsel_spec = { "perf.evsel", sizeof(struct evsel_object), 0, Py_TPFLAGS_DEFAULT,
				  evsel_slots };

int evsel_init(PyObject *module)
{
	for (size_t i = 0; i < ARRAY_SIZE(attr_rows); i++)
		evsel_members[NR_OWN_MEMBERS + i] = (PyGetSetDef){ attr_rows[i].name, get_attr, put_attr,
			attr_rows[i].doc, (void *)&attr_rows[i] };
	evsel_type = type_add(module, &evsel_spec);
	return evsel_type ? 0 : -1;
}
