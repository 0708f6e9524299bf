/* Fields of tracepoints: see fields.h. */
#include "fields.h"
#include "profile.h"
#include "../util/record/tracing-data.h"
#include "../util/tep/tracefmt.h"

#include <stdlib.h>
#include <string.h>

/* formats of an origin, made when first needed; NULL: there are none */
static struct tracefmt *formats_of(struct origin *o)
{
	struct err err = ERR_INIT;
	const struct feat_blob *blob;

	if (o->formats_tried)
		return o->formats;
	o->formats_tried = true;
	if (!o->profile) {
		/* those of the running kernel; without them samples have no fields */
		o->kernel = xcalloc(1, sizeof(*o->kernel));
		tracing_data_gather(o->kernel, o->set, &err);
	}
	blob = o->profile ? &o->profile->s->data->feat.tracing_data : &o->kernel->tracing_data;
	if (blob->size)
		o->formats = tracefmt_new(blob->data, blob->size, &err);
	return o->formats;
}

void origin_forget_formats(struct origin *o)
{
	tracefmt_free(o->formats);
	if (o->kernel)
		features_release(o->kernel);
	free(o->kernel);
}

static const struct tracefmt_event *format_of(struct event_object *e, struct tracefmt **ret)
{
	const struct event *ev = e->sample.event;

	if (!ev || ev->attr.type != PERF_TYPE_TRACEPOINT || !e->sample.raw)
		return NULL;
	*ret = formats_of(e->from);
	return *ret ? tracefmt_event(*ret, ev->attr.config) : NULL;
}

static PyObject *number(const u8 *p, u32 size, bool swap, bool is_signed)
{
	union { u8 byte[8]; u16 h; u32 w; u64 d; } v = { .d = 0 };
	u64 n;

	memcpy(v.byte, p, size);
	n = size == 1 ? v.byte[0] : size == 2 ? (swap ? bswap_16(v.h) : v.h) :
		size == 4 ? (swap ? bswap_32(v.w) : v.w) : swap ? bswap_64(v.d) : v.d;
	if (!is_signed)
		return PyLong_FromUnsignedLongLong(n);
	return PyLong_FromLongLong((s64)(n << (64 - 8 * size)) >> (64 - 8 * size));
}

static bool is_number(u32 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static PyObject *array(const struct tracefmt_field *f, const u8 *p, u32 len, bool swap)
{
	u32 nr = len / f->elem_size;
	PyObject *list = PyList_New(nr);

	for (u32 i = 0; list && i < nr; i++) {
		PyObject *v = number(p + i * f->elem_size, f->elem_size, swap, f->is_signed);

		if (!v || PyList_SetItem(list, i, v))
			Py_CLEAR(list);
	}
	return list;
}

/* texts as str, numbers as int, arrays of numbers as lists, and what else there is as bytes */
static PyObject *value_of(struct tracefmt *t, const struct tracefmt_field *f, const struct sample *s)
{
	u32 len;
	const u8 *p = tracefmt_bytes(t, f, s->raw, s->raw_size, &len);
	u64 v;

	if (!f->is_string && !f->is_array && tracefmt_value(t, f, s->raw, s->raw_size, &v))
		return f->is_signed ? PyLong_FromLongLong((s64)v) : PyLong_FromUnsignedLongLong(v);
	if (!p)
		Py_RETURN_NONE;		/* the record is too short for it */
	if (f->is_string)
		return text_object_len((const char *)p, strnlen((const char *)p, len));
	if (f->is_array && is_number(f->elem_size) && f->elem_size > 1)
		return array(f, p, len, tracefmt_is_swapped(t));
	return PyBytes_FromStringAndSize((const char *)p, len);
}

PyObject *tracepoint_field(struct event_object *e, PyObject *name)
{
	PyObject *type, *value, *trace, *word, *ret = NULL;
	const struct tracefmt_field *f = NULL;
	const struct tracefmt_event *ev;
	struct tracefmt *t;

	PyErr_Fetch(&type, &value, &trace);
	ev = format_of(e, &t);
	word = ev ? PyUnicode_AsUTF8String(name) : NULL;
	if (word)
		f = tracefmt_field(ev, PyBytes_AsString(word));
	Py_XDECREF(word);
	if (f)
		ret = value_of(t, f, &e->sample);
	if (!ret && !PyErr_Occurred()) {
		PyErr_Restore(type, value, trace);
		return NULL;
	}
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	return ret;
}

PyObject *tracepoint_text(struct event_object *e)
{
	struct strbuf text = STRBUF_INIT;
	const struct tracefmt_event *ev;
	struct tracefmt *t;
	PyObject *ret;

	ev = format_of(e, &t);
	if (!ev)
		Py_RETURN_NONE;
	tracefmt_print(t, ev, e->sample.raw, e->sample.raw_size, &text);
	ret = text_object_len(strbuf_str(&text), text.len);
	strbuf_release(&text);
	return ret;
}
