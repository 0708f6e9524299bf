/* Columns of samples as arrays: see columns.h. */
#include "columns.h"
#include "profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* a sample while its values are put into the columns */
struct column_row {
	struct profile *profile;
	const struct sample *s;
	const struct rec *rec;
	u64 type;			/* sample_type of its event */
	bool has_ctx, has_loc;
	struct sample_ctx ctx;
	struct loc loc;
};

static const struct sample_ctx *ctx_of(struct column_row *r)
{
	if (!r->has_ctx)
		r->ctx = locator_sample_ctx(&r->profile->resolver.locator, r->profile->s, r->s, r->rec);
	r->has_ctx = true;
	return &r->ctx;
}

static const struct loc *loc_of(struct column_row *r)
{
	if (!r->has_loc)
		r->loc = locator_find(&r->profile->resolver.locator, ctx_of(r), r->s->cpumode, r->s->ip);
	r->has_loc = true;
	return &r->loc;
}

/* names of tasks as numbers of this profile: those that side-band gives, and ":TID" of unknown ones */
static u32 comm_of(struct column_row *r)
{
	const struct sample_ctx *ctx = ctx_of(r);
	struct profile *p = r->profile;
	u32 comm = machine_comm_id(p->s->machine, ctx->thread, ctx->when);

	if (comm == ID_NONE)
		return strtab_add(&p->comms, machine_comm(p->s->machine, ctx));
	while (p->comm_of.nr <= comm)
		vec_push(&p->comm_of, 0);
	if (!p->comm_of.v[comm])
		p->comm_of.v[comm] = strtab_add(&p->comms, machine_comm_name(p->s->machine, comm));
	return p->comm_of.v[comm];
}

#define COLUMN(name, type, letter, value, doc) \
	static void put_##name(void *base, size_t i, struct column_row *r) \
	{ \
		((type *)base)[i] = (type)(value); \
	}
#include "columns.def"

static const struct column_type {
	const char *name, *letter;
	u8 size;
	void (*put)(void *base, size_t i, struct column_row *r);
	const char *doc;
} column_types[] = {
#define COLUMN(name, type, letter, value, doc) { #name, letter, sizeof(type), put_##name, doc },
#include "columns.def"
};

const char columns_doc[] =
	"columns(*names, event=None)\n--\n\n"
	"A dict of arrays, a value for each sample in the order of the file: memoryviews that numpy and "
	"Arrow take without copying. event: a name or evsel; samples of others are left out. What an event "
	"does "
	"not sample is all ones. Columns:\n\n"
#define COLUMN(name, type, letter, value, doc) "    " #name ": " doc "\n"
#include "columns.def"
	;

#define COLUMNS_MAX 64

struct columns {
	struct profile *profile;
	const struct event *only;
	size_t nr_columns, nr, max;		/* rows that are filled, and room */
	const struct column_type *type[COLUMNS_MAX];
	PyObject *array[COLUMNS_MAX];		/* bytearrays */
	void *base[COLUMNS_MAX];
	struct sample *sample;			/* by event: what they have in common is decoded once */
	struct arena scratch;
	struct diag damage;
};

/* ---- filling ---- */

static void put_row(struct columns *c, const struct rec *rec)
{
	const struct sample_plan *plan = c->profile->origin.plan;
	const struct event *ev = sample_event(plan, rec);
	struct column_row row = { .profile = c->profile, .rec = rec };

	if (!ev || (c->only && ev != c->only) || c->nr == c->max)
		return;
	arena_reset(&c->scratch);
	row.s = &c->sample[ev->idx];
	row.type = ev->attr.sample_type;
	if (sample_decode_again(plan, rec, ev, &c->sample[ev->idx], &c->scratch)) {
		diag_count_record(&c->damage, DIAG_TRUNCATED_RECORD, rec->off, record_name(rec->type));
		return;
	}
	for (size_t i = 0; i < c->nr_columns; i++)
		c->type[i]->put(c->base[i], c->nr, &row);
	c->nr++;
}

static void fill_chunk(struct columns *c, const struct chunk *chunk)
{
	struct diag known = { 0 };	/* session_open() has counted it */
	struct rec_walk walk = rec_walk_of(c->profile->s->data, chunk->stream, chunk->off, chunk->end,
					   &known);
	struct rec rec;

	data_will_need(chunk->stream, chunk->off, chunk->end);
	while (rec_next(&walk, &rec) > 0)
		if (rec.type == REC_SAMPLE)
			put_row(c, &rec);
	data_dont_need(chunk->stream, chunk->off, chunk->end);
}

/* -1 if a handler of a signal has raised an exception */
static int fill(struct columns *c)
{
	int ret = 0;

	if (!profile_enter(c->profile))
		return -1;
	c->sample = xcalloc(c->profile->origin.set->ev.nr + 1, sizeof(*c->sample));
	for (size_t i = 0; !ret && i < c->profile->s->chunks.nr; i++) {
		Py_BEGIN_ALLOW_THREADS
		fill_chunk(c, &c->profile->s->chunks.v[i]);
		Py_END_ALLOW_THREADS
		ret = PyErr_CheckSignals();
	}
	free(c->sample);
	arena_release(&c->scratch);
	profile_leave(c->profile);
	return ret || raise_damage(&c->damage) ? -1 : raise_warnings();
}

/* ---- arrays ---- */

static const struct column_type *column_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(column_types); i++)
		if (!strcmp(column_types[i].name, name))
			return &column_types[i];
	return NULL;
}

static int unknown_column(PyObject *name)
{
	struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(column_types); i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", column_types[i].name);
	PyErr_Format(PyExc_ValueError, "there is not any column %R; columns are %s", name, strbuf_str(&list));
	strbuf_release(&list);
	return -1;
}

static int add_column(struct columns *c, PyObject *name)
{
	PyObject *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8String(name) : NULL;
	const struct column_type *type = text ? column_find(PyBytes_AsString(text)) : NULL;
	size_t i = c->nr_columns;

	if (text && !type)
		unknown_column(name);
	else if (!text && !PyErr_Occurred())
		PyErr_SetString(PyExc_TypeError, "names of columns must be str");
	Py_XDECREF(text);
	if (!type)
		return -1;
	c->type[i] = type;
	/* a file has at most as many samples as its bytes allow, so this is not more than the file */
	c->array[i] = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(c->max * type->size));
	if (!c->array[i])
		return -1;
	c->base[i] = PyByteArray_AsString(c->array[i]);
	c->nr_columns++;
	return 0;
}

/* the array, cut to what was filled, as numbers */
static PyObject *view_of(const struct columns *c, size_t i)
{
	PyObject *bytes, *view;

	if (c->nr < c->max && PyByteArray_Resize(c->array[i], (Py_ssize_t)(c->nr * c->type[i]->size)))
		return NULL;
	bytes = PyMemoryView_FromObject(c->array[i]);
	view = bytes ? PyObject_CallMethod(bytes, "cast", "s", c->type[i]->letter) : NULL;
	Py_XDECREF(bytes);
	return view;
}

static PyObject *dict_of(const struct columns *c)
{
	PyObject *dict = PyDict_New();

	for (size_t i = 0; dict && i < c->nr_columns; i++) {
		PyObject *view = view_of(c, i);

		if (!view || PyDict_SetItemString(dict, c->type[i]->name, view))
			Py_CLEAR(dict);
		Py_XDECREF(view);
	}
	return dict;
}

PyObject *columns_fill(struct profile *p, PyObject *names, const struct event *only)
{
	struct columns c = { .profile = p, .only = only, .max = p->s->nr_samples };
	Py_ssize_t nr = PyTuple_Size(names);
	PyObject *dict = NULL;
	int ret = 0;

	if (!nr || nr > COLUMNS_MAX) {
		PyErr_Format(PyExc_TypeError, "columns() takes 1 to %d names", COLUMNS_MAX);
		return NULL;
	}
	origin_use(&p->origin);
	for (Py_ssize_t i = 0; !ret && i < nr; i++)
		ret = add_column(&c, PyTuple_GetItem(names, i));
	if (!ret)
		ret = fill(&c);
	if (!ret)
		dict = dict_of(&c);
	for (size_t i = 0; i < c.nr_columns; i++)
		Py_DECREF(c.array[i]);
	origin_drop(&p->origin);
	return dict;
}

/* ---- names ---- */

static size_t nr_names(const struct profile *p, const char *column)
{
	return !strcmp(column, "event") ? p->origin.set->ev.nr : !strcmp(column, "comm") ?
		p->comms.str.nr : !strcmp(column, "dso") ? machine_dsos(p->s->machine)->dso.nr :
		!strcmp(column, "symbol") ? p->symbol.nr : SIZE_MAX;
}

static PyObject *name_at(struct profile *p, const char *column, u32 i)
{
	PyObject *o;

	if (!strcmp(column, "event"))
		return text_object(evset_at(p->origin.set, i)->name);
	if (!strcmp(column, "comm"))
		return text_object(strtab_get(&p->comms, i));
	if (!strcmp(column, "symbol"))
		return text_object(p->symbol.v[i].name);
	o = profile_dso_text(p, i);
	Py_XINCREF(o);
	return o;
}

PyObject *columns_names(struct profile *p, const char *column)
{
	PyObject *list = NULL;
	size_t nr;

	if (!profile_enter(p))
		return NULL;
	nr = nr_names(p, column);
	if (nr == SIZE_MAX)
		PyErr_Format(PyExc_ValueError, "'%s' is not a column with names: event, comm, dso, symbol",
			     column);
	else
		list = PyList_New((Py_ssize_t)nr);
	for (size_t i = 0; list && i < nr; i++) {
		PyObject *name = name_at(p, column, (u32)i);

		if (!name || PyList_SetItem(list, (Py_ssize_t)i, name))
			Py_CLEAR(list);
	}
	profile_leave(p);
	return list;
}
