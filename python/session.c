/* session: a recording as an object, and iterators over its records in the order of time. */
#include "columns.h"
#include "facts.h"
#include "opened.h"
#include "profile.h"
#include "../util/session/ordered-reader.h"

#include <stdlib.h>
#include <string.h>

#define BATCH 256

struct session_object {
	PyObject_HEAD
	struct profile *profile;	/* NULL: closed */
	struct { VEC(PyObject *); } evsel;
};

/* over all records, or over the samples of one event or of all */
struct records_object {
	PyObject_HEAD
	PyObject *session;
	struct origin *from;
	struct ordered_reader *reader;
	bool samples_only;
	const struct event *only;	/* NULL: of all events */
	struct rec rec[BATCH];
	u64 time[BATCH];
	size_t at, nr;
	struct diag damage;		/* of records that were left out */
	bool told;
};

static PyTypeObject *session_type, *records_type;

static struct profile *session_profile(PyObject *o)
{
	struct profile *p = ((struct session_object *)o)->profile;

	if (!p)
		PyErr_SetString(PyExc_ValueError, "the session is closed");
	return p;
}

/* ---- opening ---- */

static bool make_events(struct session_object *o)
{
	struct opened_events *in = opened_new(o->profile->s->data->evset);
	bool ok = true;

	in->file = origin_use(&o->profile->origin);
	for (u32 i = 0; ok && i < in->set->ev.nr; i++) {
		PyObject *evsel = evsel_new(in, i);

		ok = evsel;
		if (ok)
			vec_push(&o->evsel, evsel);
	}
	opened_drop(in);
	return ok;
}

/* what is made of hardware traces: None the default, False nothing, or a text as --itrace takes it */
static bool take_itrace(PyObject *arg, struct itrace_opts *ret)
{
	PyObject *text = arg && PyUnicode_Check(arg) ? PyUnicode_AsUTF8String(arg) : NULL;
	struct err err = ERR_INIT;
	int code = 0;

	ret->decodes = true;
	ret->off = arg == Py_False;
	if (text)
		code = itrace_parse(PyBytes_AsString(text), ret, &err);
	else if (arg && arg != Py_None && arg != Py_False && !PyErr_Occurred())
		PyErr_SetString(PyExc_TypeError, "itrace must be None, False or a str");
	Py_XDECREF(text);
	if (code)
		raise_err(&err);
	return !PyErr_Occurred();
}

static PyObject *session_call(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "path", "force", "jobs", "symfs", "vmlinux", "kallsyms", "itrace", NULL };
	struct session_opts opts = { .sym = SYM_OPTS_INIT };
	PyObject *path = NULL, *itrace = NULL;
	struct session_object *o;
	int force = 0, jobs = 1;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O&$pizzzO:session", keys, PyUnicode_FSConverter,
					 &path, &force, &jobs, &opts.sym.symfs, &opts.sym.vmlinux,
					 &opts.sym.kallsyms, &itrace))
		return NULL;
	o = (struct session_object *)object_new(type);
	if (jobs < 0)
		PyErr_SetString(PyExc_ValueError, "jobs must not be negative");
	opts.data.path = path ? PyBytes_AsString(path) : "perf.data";
	opts.data.force = force;
	opts.jobs = (unsigned int)jobs;
	if (o && jobs >= 0 && take_itrace(itrace, &opts.itrace))
		o->profile = profile_open(&opts);
	Py_XDECREF(path);
	if (o && (!o->profile || !make_events(o)))
		Py_CLEAR(o);
	return (PyObject *)o;
}

static void forget(struct session_object *o)
{
	for (size_t i = 0; i < o->evsel.nr; i++)
		Py_DECREF(o->evsel.v[i]);
	vec_release(&o->evsel);
	if (o->profile)
		origin_drop(&o->profile->origin);
	o->profile = NULL;
}

static void session_dealloc(PyObject *o)
{
	forget((struct session_object *)o);
	object_free(o);
}

static PyObject *session_close_now(PyObject *o, PyObject *unused)
{
	(void)unused;
	forget((struct session_object *)o);
	Py_RETURN_NONE;
}

static PyObject *session_enter(PyObject *o, PyObject *unused)
{
	(void)unused;
	if (!session_profile(o))
		return NULL;
	Py_INCREF(o);
	return o;
}

static PyObject *session_exit(PyObject *o, PyObject *args)
{
	(void)args;
	forget((struct session_object *)o);
	Py_RETURN_NONE;
}

/* ---- records ---- */

/* which event a name, an evsel or a place means; *ret NULL for None. false with an exception */
static bool session_find_event(PyObject *o, PyObject *which, const struct event **ret)
{
	const struct evset *set = ((struct session_object *)o)->profile->origin.set;
	struct opened_events *in;
	PyObject *name;
	u32 idx;

	*ret = NULL;
	if (!which || which == Py_None)
		return true;
	if (!PyUnicode_Check(which)) {
		in = evsel_opened(which, &idx);
		if (in && in->file != &((struct session_object *)o)->profile->origin)
			PyErr_SetString(PyExc_ValueError, "this event is not one of the session's");
		*ret = in && in->set == set ? evset_at(set, idx) : NULL;
		return *ret;
	}
	name = PyUnicode_AsUTF8String(which);
	if (!name)
		return false;
	for (u32 i = 0; !*ret && i < set->ev.nr; i++)
		if (!strcmp(evset_at(set, i)->name, PyBytes_AsString(name)))
			*ret = evset_at(set, i);
	Py_DECREF(name);
	if (!*ret)
		PyErr_Format(PyExc_ValueError, "the session has no event %R", which);
	return *ret;
}

static PyObject *records_new(PyObject *o, bool samples_only, const struct event *only)
{
	struct profile *p = session_profile(o);
	struct records_object *r = p ? (struct records_object *)object_new(records_type) : NULL;

	if (!r)
		return NULL;
	Py_INCREF(o);
	r->session = o;
	r->from = origin_use(&p->origin);
	r->samples_only = samples_only;
	r->only = only;
	if (!profile_enter(p)) {
		Py_DECREF(r);
		return NULL;
	}
	r->reader = ordered_reader_open(p->s);
	profile_leave(p);
	return (PyObject *)r;
}

static PyObject *session_iter(PyObject *o)
{
	return records_new(o, false, NULL);
}

static PyObject *session_samples(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "event", NULL };
	const struct event *only;
	PyObject *which = NULL;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|O:samples", keys, &which) || !session_profile(o) ||
	    !session_find_event(o, which, &only))
		return NULL;
	return records_new(o, true, only);
}

static bool next_batch(struct records_object *r)
{
	struct profile *p = profile_of(r->from);

	if (!profile_enter(p))
		return false;
	/* unless another thread has read one meanwhile */
	if (r->at >= r->nr) {
		r->at = 0;
		r->nr = ordered_reader_next(r->reader, r->rec, r->time, BATCH);
	}
	profile_leave(p);
	return r->nr;
}

static bool wanted(const struct records_object *r, const struct rec *rec)
{
	if (!r->samples_only)
		return true;
	return rec->type == REC_SAMPLE && (!r->only || sample_event(r->from->plan, rec) == r->only);
}

/* once, at the end */
static void tell_damage(struct records_object *r)
{
	if (!r->told)
		raise_damage(&r->damage);
	r->told = true;
}

static PyObject *records_next(PyObject *o)
{
	struct records_object *r = (void *)o;
	struct session_object *s = (void *)r->session;

	while (r->at < r->nr || next_batch(r)) {
		size_t i = r->at++;
		PyObject *o;

		if (!wanted(r, &r->rec[i]))
			continue;
		o = event_new(r->from, &r->rec[i], r->time[i], s->profile ? s->evsel.v : NULL, false);
		if (o || PyErr_Occurred())
			return o;
		diag_count_record(&r->damage, DIAG_TRUNCATED_RECORD, r->rec[i].off,
				  record_name(r->rec[i].type));
	}
	if (PyErr_Occurred())
		return NULL;
	diag_merge(&r->damage, ordered_reader_diag(r->reader));
	tell_damage(r);
	return NULL;
}

static PyObject *records_self(PyObject *o)
{
	Py_INCREF(o);
	return o;
}

static void records_dealloc(PyObject *o)
{
	struct records_object *r = (void *)o;

	if (r->reader)
		ordered_reader_close(r->reader);
	origin_drop(r->from);
	Py_XDECREF(r->session);
	object_free(o);
}

/* ---- columns ---- */

static PyObject *session_columns(PyObject *o, PyObject *args, PyObject *kwargs)
{
	const struct event *only = NULL;
	PyObject *which = NULL;

	if (kwargs && PyDict_Size(kwargs)) {
		which = PyDict_GetItemString(kwargs, "event");
		if (!which || PyDict_Size(kwargs) != 1) {
			PyErr_SetString(PyExc_TypeError, "columns() takes names, and the keyword event");
			return NULL;
		}
	}
	if (!session_profile(o) || !session_find_event(o, which, &only))
		return NULL;
	return columns_fill(((struct session_object *)o)->profile, args, only);
}

static PyObject *session_names(PyObject *o, PyObject *args)
{
	const char *column;

	if (!PyArg_ParseTuple(args, "s:names", &column) || !session_profile(o))
		return NULL;
	return columns_names(((struct session_object *)o)->profile, column);
}

/* ---- members ---- */

static PyObject *get_events(PyObject *o, void *unused)
{
	struct session_object *s = (void *)o;
	PyObject *list = session_profile(o) ? PyList_New((Py_ssize_t)s->evsel.nr) : NULL;

	(void)unused;
	for (size_t i = 0; list && i < s->evsel.nr; i++) {
		Py_INCREF(s->evsel.v[i]);
		PyList_SetItem(list, (Py_ssize_t)i, s->evsel.v[i]);
	}
	return list;
}

static PyObject *get_path(PyObject *o, void *unused)
{
	struct profile *p = session_profile(o);

	(void)unused;
	return p ? PyUnicode_DecodeFSDefault(p->s->data->path) : NULL;
}

static PyObject *get_nr_samples(PyObject *o, void *unused)
{
	struct profile *p = session_profile(o);

	(void)unused;
	return p ? PyLong_FromUnsignedLongLong(p->s->nr_samples) : NULL;
}

static PyObject *get_times(PyObject *o, void *unused)
{
	struct profile *p = session_profile(o);

	(void)unused;
	if (!p)
		return NULL;
	if (!p->s->has_time || p->s->first_time > p->s->last_time)
		Py_RETURN_NONE;
	return Py_BuildValue("KK", (unsigned long long)p->s->first_time, (unsigned long long)p->s->last_time);
}

static PyObject *get_header(PyObject *o, void *unused)
{
	struct profile *p = session_profile(o);

	(void)unused;
	return p ? header_object(p->s->data) : NULL;
}

static PyMethodDef session_methods[] = {
	{ "samples", (PyCFunction)(void *)session_samples, METH_VARARGS | METH_KEYWORDS,
	  "samples(event=None)\n--\n\nIterates over the samples in the order of time: of all events, or "
	  "of one, by its name or evsel. Iterating over the session itself gives all records." },
	{ "columns", (PyCFunction)(void *)session_columns, METH_VARARGS | METH_KEYWORDS,
	  columns_doc },
	{ "names", session_names, METH_VARARGS,
	  "names(column)\n--\n\nThe texts that the numbers of the columns 'event', 'comm', 'dso' or "
	  "'symbol' stand for, as a list; None for what has no name. Call it after columns()." },
	{ "close", session_close_now, METH_NOARGS,
	  "close()\n--\n\nThe file is closed when the last of its events is dropped." },
	{ "__enter__", session_enter, METH_NOARGS, "with perf.session(path) as s: ..." },
	{ "__exit__", session_exit, METH_VARARGS, "Closes it." },
	{ 0 }
};

static PyGetSetDef session_members[] = {
	{ "events", get_events, NULL, "list of its events (evsel); columns('event') are places in it", NULL },
	{ "path", get_path, NULL, "as it was given", NULL },
	{ "nr_samples", get_nr_samples, NULL, "number of samples", NULL },
	{ "times", get_times, NULL, "(first, last) time of samples in ns; None if they have no times", NULL },
	{ "header", get_header, NULL, "what the file says of the machine and the recording, as a dict",
	  NULL },
	{ 0 }
};

static PyType_Slot session_slots[] = {
	{ Py_tp_doc, "session(path='perf.data', *, force=False, jobs=1, symfs=None, vmlinux=None, "
		     "kallsyms=None, "
		     "itrace=None)\n--\n\nA recording. Iterating over it gives its samples and side-band "
		     "records in "
		     "the order of time. force: open files of other users; jobs: threads that read it, 0 for "
		     "one "
		     "per CPU; itrace: what is made of hardware traces, False for nothing; the others as the "
		     "options of perf report." },
	{ Py_tp_new, session_call },
	{ Py_tp_dealloc, session_dealloc },
	{ Py_tp_iter, session_iter },
	{ Py_tp_methods, session_methods },
	{ Py_tp_getset, session_members },
	{ 0, NULL }
};
static PyType_Spec session_spec = { "perf.session", sizeof(struct session_object), 0, Py_TPFLAGS_DEFAULT,
				    session_slots };

static PyType_Slot records_slots[] = {
	{ Py_tp_doc, "An iterator over records of a session." },
	{ Py_tp_new, not_made_by_call },
	{ Py_tp_dealloc, records_dealloc },
	{ Py_tp_iter, records_self },
	{ Py_tp_iternext, records_next },
	{ 0, NULL }
};
static PyType_Spec records_spec = { "perf.records", sizeof(struct records_object), 0, Py_TPFLAGS_DEFAULT,
				    records_slots };

int session_init(PyObject *module)
{
	session_type = type_add(module, &session_spec);
	records_type = session_type ? type_add(module, &records_spec) : NULL;
	return records_type ? frames_init(module) : -1;
}
