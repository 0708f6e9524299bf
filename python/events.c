/* Records and samples as objects: see events.h. */
#include "events.h"
#include "fields.h"
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct origin *origin_use(struct origin *o)
{
	o->users++;
	return o;
}

void origin_drop(struct origin *o)
{
	if (o && !--o->users)
		o->release(o);
}

/* ---- types ---- */

#define EVENT_TYPE(name, ...) TYPE_##name,
#define EVENT_RECORD(...)
#define EVENT_MEMBER(...)
enum event_type_nr {
#include "event-types.def"
	NR_TYPES
};

static PyTypeObject *types[NR_TYPES];

static enum event_type_nr type_of(u32 record)
{
	switch (record) {
#define EVENT_TYPE(...)
#define EVENT_RECORD(record, name) case REC_##record: return TYPE_##name;
#define EVENT_MEMBER(...)
#include "event-types.def"
	}
	return TYPE_other_event;
}

/* ---- members ---- */

#define MAPPING(member) (e->rec.type == REC_MMAP2 ? e->view.mmap2.member : e->view.mmap.member)
#define TASK_WORD (e->rec.type == REC_FORK ? "fork" : "exit")
#define THROTTLE_WORD (e->rec.type == REC_THROTTLE ? "throttle" : "unthrottle")
#define OTHER_TASK(member) (e->rec.type == REC_SWITCH_CPU_WIDE ? e->view.pid_tid.member : 0)

static const char *record_word(const struct event_object *e)
{
	const char *name = record_name(e->rec.type);

	return name ? name : "unknown";
}

static PyObject *event_data(const struct event_object *e)
{
	return PyBytes_FromStringAndSize((const char *)e->rec.p + sizeof(struct rec_header),
					 e->rec.size - sizeof(struct rec_header));
}

static PyObject *event_raw(const struct event_object *e)
{
	if (!e->sample.raw)
		Py_RETURN_NONE;
	return PyBytes_FromStringAndSize(e->sample.raw, e->sample.raw_size);
}

/* context markers included, as the kernel wrote it */
static PyObject *event_callchain(const struct event_object *e)
{
	struct arena scratch = { 0 };
	struct sample s = { 0 };
	PyObject *list;

	if (!e->sample.nr_callchain || sample_decode(e->from->plan, &e->rec, &s, &scratch)) {
		arena_release(&scratch);
		return PyList_New(0);
	}
	list = PyList_New((Py_ssize_t)s.nr_callchain);
	for (u64 i = 0; list && i < s.nr_callchain; i++) {
		PyObject *ip = PyLong_FromUnsignedLongLong(s.callchain[i]);

		if (!ip || PyList_SetItem(list, (Py_ssize_t)i, ip))
			Py_CLEAR(list);
	}
	arena_release(&scratch);
	return list;
}

#define OBJECT_INT(v) PyLong_FromLongLong((long long)(v))
#define OBJECT_UINT(v) PyLong_FromUnsignedLongLong(v)
#define OBJECT_HEX(v) PyLong_FromUnsignedLongLong(v)
#define OBJECT_TEXT(v) text_object(v)
#define OBJECT_OBJECT(v) (v)

#define EVENT_TYPE(...)
#define EVENT_RECORD(...)
#define EVENT_MEMBER(name, member, kind, label, value, doc) \
	static PyObject *name##_##member(PyObject *o, void *unused) \
	{ \
		const struct event_object *e = (void *)o; \
		(void)unused; \
		return OBJECT_##kind(value); \
	}
#include "event-types.def"

/* the bits of sample_type that this record has values for */
static u64 sampled(const struct event_object *e)
{
	const struct event *ev = e->sample.event;

	return !ev || (e->rec.type != REC_SAMPLE && !(ev->attr.flags & ATTR_SAMPLE_ID_ALL)) ? 0 :
		ev->attr.sample_type;
}

static u64 or_ones(const struct event_object *e, u64 bits, u64 v)
{
	return sampled(e) & bits ? v : UINT64_MAX;
}

/* members of all types. As upstream: what was not sampled is all ones, or 0 */
#define COMMON_MEMBERS \
	COMMON(type, e->rec.type, "RECORD_*: the type of the record") \
	COMMON(misc, e->rec.misc, "bits of the record's header") \
	COMMON(sample_ip, e->sample.ip, "address of the instruction; 0 if not sampled") \
	COMMON(sample_time, or_ones(e, ABI_SAMPLE_TIME, e->sample.time), "ns; 2 ** 64 - 1 if not sampled") \
	COMMON(sample_addr, e->sample.addr, "data address; 0 if not sampled") \
	COMMON(sample_id, or_ones(e, ABI_SAMPLE_ID | ABI_SAMPLE_IDENTIFIER, e->sample.id), \
	       "the kernel's id of the event; 2 ** 64 - 1 if not sampled") \
	COMMON(sample_stream_id, or_ones(e, ABI_SAMPLE_STREAM_ID, e->sample.stream_id), \
	       "the kernel's id of its stream; 2 ** 64 - 1 if not sampled") \
	COMMON(sample_period, e->sample.period, "number of events since the sample before") \
	COMMON(sample_pid, e->sample.pid, "process; 2 ** 32 - 1 if not sampled") \
	COMMON(sample_tid, e->sample.tid, "thread; 2 ** 32 - 1 if not sampled") \
	COMMON(sample_cpu, e->sample.cpu, "CPU; 2 ** 32 - 1 if not sampled")

#define COMMON(name, value, doc) \
	static PyObject *common_##name(PyObject *o, void *unused) \
	{ \
		const struct event_object *e = (void *)o; \
		(void)unused; \
		return PyLong_FromUnsignedLongLong(value); \
	}
COMMON_MEMBERS
#undef COMMON

static PyObject *common_evsel(PyObject *o, void *unused)
{
	PyObject *evsel = ((struct event_object *)o)->evsel;

	(void)unused;
	Py_INCREF(evsel);
	return evsel;
}

/* ---- the rows as tables ---- */

enum member_kind { KIND_INT, KIND_UINT, KIND_HEX, KIND_TEXT, KIND_OBJECT };

static const struct member_row {
	enum event_type_nr type;
	enum member_kind kind;
	const char *name, *label, *doc;
	getter get;
} member_rows[] = {
#define EVENT_TYPE(...)
#define EVENT_RECORD(...)
#define EVENT_MEMBER(name, member, kind, label, value, doc) \
	{ TYPE_##name, KIND_##kind, #member, label, doc, name##_##member },
#include "event-types.def"
};

static enum event_type_nr nr_of(const struct event_object *e)
{
	return type_of(e->rec.type);
}

static const char *word_of(const struct event_object *e)
{
	switch (nr_of(e)) {
#define EVENT_TYPE(name, word, ...) case TYPE_##name: return word;
#define EVENT_RECORD(...)
#define EVENT_MEMBER(...)
#include "event-types.def"
	default:
		return "";
	}
}

static const char *const repr_end[] = {
#define EVENT_TYPE(name, word, end, doc) end,
#define EVENT_RECORD(...)
#define EVENT_MEMBER(...)
#include "event-types.def"
};

/* ", label: value" */
static PyObject *member_text(const struct member_row *m, PyObject *o)
{
	PyObject *value = m->get(o, NULL), *text = NULL;

	if (!value)
		return NULL;
	if (m->kind == KIND_HEX) {
		unsigned long long v = PyLong_AsUnsignedLongLong(value);
		char hex[32];

		snprintf(hex, sizeof(hex), "%#llx", v);
		text = PyUnicode_FromFormat(", %s: %s", m->label, hex);
	} else {
		text = PyUnicode_FromFormat(", %s: %S", m->label, value);
	}
	Py_DECREF(value);
	return text;
}

static PyObject *event_repr(PyObject *o)
{
	const struct event_object *e = (void *)o;
	PyObject *text = PyUnicode_FromFormat("{ type: %s", word_of(e));

	for (size_t i = 0; text && i < ARRAY_SIZE(member_rows); i++) {
		const struct member_row *m = &member_rows[i];
		PyObject *part, *longer;

		if (m->type != nr_of(e) || !m->label)
			continue;
		part = member_text(m, o);
		longer = part ? PyUnicode_Concat(text, part) : NULL;
		Py_XDECREF(part);
		Py_DECREF(text);
		text = longer;
	}
	if (text) {
		PyObject *whole = PyUnicode_FromFormat("%U%s", text, repr_end[nr_of(e)]);

		Py_DECREF(text);
		text = whole;
	}
	return text;
}

static void event_dealloc(PyObject *o)
{
	struct event_object *e = (void *)o;

	Py_XDECREF(e->evsel);
	free(e->copy);
	origin_drop(e->from);
	object_free(o);
}

/* ---- objects ---- */

PyObject *event_new(struct origin *from, const struct rec *rec, u64 time, PyObject *const *evsels, bool copy)
{
	struct event_object *e = (struct event_object *)object_new(types[type_of(rec->type)]);
	struct arena scratch = { 0 };
	int ret;

	if (!e)
		return NULL;
	e->from = origin_use(from);
	e->time = time;
	e->rec = *rec;
	if (copy)
		e->rec.p = e->copy = xmemdup(rec->p, rec->size);
	ret = rec->type == REC_SAMPLE ? sample_decode(from->plan, &e->rec, &e->sample, &scratch) :
		record_decode(&e->rec, &e->view);
	if (rec->type != REC_SAMPLE && rec->type < REC_USER_START)
		sample_decode_id(from->plan, &e->rec, &e->sample);
	e->evsel = e->sample.event && evsels ? evsels[e->sample.event->idx] : Py_None;
	Py_INCREF(e->evsel);
	/* arrays of a record in the other byte order are decoded again when they are asked for */
	arena_release(&scratch);
	if (ret != -EBADMSG)
		return (PyObject *)e;
	Py_DECREF(e);
	return NULL;
}

static PyObject *sample_frames(PyObject *o, PyObject *args, PyObject *kwargs)
{
	static char *keys[] = { "inlines", "lines", NULL };
	int inlines = 1, lines = 0;

	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|pp:frames", keys, &inlines, &lines))
		return NULL;
	return profile_frames((struct event_object *)o, inlines, lines);
}

static PyObject *sample_field(PyObject *o, PyObject *args)
{
	PyObject *name;

	if (!PyArg_ParseTuple(args, "U:field", &name))
		return NULL;
	PyErr_Format(PyExc_AttributeError, "the sample has no field '%U'", name);
	return tracepoint_field((struct event_object *)o, name);
}

static PyObject *sample_text(PyObject *o, PyObject *unused)
{
	(void)unused;
	return tracepoint_text((struct event_object *)o);
}

/* a member, or a field of the tracepoint */
static PyObject *sample_getattr(PyObject *o, PyObject *name)
{
	PyObject *value = PyObject_GenericGetAttr(o, name);

	if (value || !PyErr_ExceptionMatches(PyExc_AttributeError))
		return value;
	return tracepoint_field((struct event_object *)o, name);
}

static PyMethodDef sample_methods[] = {
	{ "frames", (PyCFunction)(void *)sample_frames, METH_VARARGS | METH_KEYWORDS,
	  "frames(inlines=True, lines=False)\n--\n\nThe call chain as a list of perf.frame, innermost "
	  "first; of a sample without one the sampled address. Of recordings only." },
	{ "field", sample_field, METH_VARARGS,
	  "field(name)\n--\n\nA field of a tracepoint, also one that has the name of another attribute." },
	{ "text", sample_text, METH_NOARGS,
	  "text()\n--\n\nThe fields of a tracepoint as the kernel prints them; None for other events." },
	{ 0 }
};

static int add_type(PyObject *module, enum event_type_nr nr, const char *name, const char *doc)
{
	static const PyGetSetDef common[] = {
#define COMMON(name, value, doc) { #name, common_##name, NULL, doc, NULL },
		COMMON_MEMBERS
#undef COMMON
		{ "evsel", common_evsel, NULL, "the event that it belongs to, or None", NULL },
	};
	/* kept as long as the type */
	PyGetSetDef *members = xcalloc(ARRAY_SIZE(common) + ARRAY_SIZE(member_rows) + 1, sizeof(*members));
	PyType_Slot slots[] = {
		{ Py_tp_doc, (void *)doc },
		{ Py_tp_new, not_made_by_call },
		{ Py_tp_dealloc, event_dealloc },
		{ Py_tp_repr, event_repr },
		{ Py_tp_getset, members },
		/* of samples only; the slot of others is one more end */
		{ nr == TYPE_sample_event ? Py_tp_methods : 0, sample_methods },
		{ nr == TYPE_sample_event ? Py_tp_getattro : 0, sample_getattr },
		{ 0, NULL }
	};
	PyType_Spec spec = { name, sizeof(struct event_object), 0, Py_TPFLAGS_DEFAULT, slots };
	size_t n = ARRAY_SIZE(common);

	memcpy(members, common, sizeof(common));
	for (size_t i = 0; i < ARRAY_SIZE(member_rows); i++)
		if (member_rows[i].type == nr)
			members[n++] = (PyGetSetDef){ member_rows[i].name, member_rows[i].get, NULL,
						      member_rows[i].doc, NULL };
	types[nr] = type_add(module, &spec);
	return types[nr] ? 0 : -1;
}

int events_init(PyObject *module)
{
#define EVENT_TYPE(name, word, end, doc) \
	if (add_type(module, TYPE_##name, "perf." #name, doc)) \
		return -1;
#define EVENT_RECORD(...)
#define EVENT_MEMBER(...)
#include "event-types.def"
	return 0;
}
