/* From a sample to names: perf.frame objects of a call chain, and names of tasks. */
#include "profile.h"
#include "../util/base/log.h"
#include "../util/sym/lines.h"

#include <errno.h>
#include <stdlib.h>

static PyTypeObject *frame_type;

static PyStructSequence_Field frame_fields[] = {
	{ "ip", "address when it ran" },
	{ "symbol", "name of the function, or None" },
	{ "offset", "of the address in the function; None without one" },
	{ "dso", "path of the program or library, [kernel.kallsyms] and the like; None if nothing is "
		 "mapped" },
	{ "address", "address in the dso" },
	{ "inlined", "the function was inlined in that of the next frame" },
	{ "file", "source file, with lines=True; else None" },
	{ "line", "line in the file; 0 if it is not known" },
	{ NULL, NULL }
};
static PyStructSequence_Desc frame_desc = { "perf.frame", "A place in the code: a tuple with names.",
					    frame_fields, ARRAY_SIZE(frame_fields) - 1 };

/* ---- names ---- */

PyObject *profile_dso_text(struct profile *p, u32 dso)
{
	const struct dso *d = dsos_at(machine_dsos(p->s->machine), dso);

	if (!d)
		return Py_None;
	while (p->name.nr <= dso)
		vec_push(&p->name, NULL);
	if (!p->name.v[dso])
		p->name.v[dso] = text_object(dso_path(d));
	return p->name.v[dso];
}

/* each dso once */
static void load(struct profile *p, u32 dso)
{
	while (p->loaded.nr <= dso)
		vec_push(&p->loaded, false);
	if (!p->loaded.v[dso])
		symbols_load(p->s->symbols, p->s->pool, &dso, 1);
	p->loaded.v[dso] = true;
}

/* an address without a name: why, once for each file */
static void tell_missing(struct profile *p, u32 dso)
{
	const char *why = p->told.nr > dso && p->told.v[dso] ? NULL : symbols_reason(p->s->symbols, dso);

	if (!why)
		return;
	while (p->told.nr <= dso)
		vec_push(&p->told, false);
	p->told.v[dso] = true;
	if (!symbols_told(p->s->symbols, dso))
		log_warn("%s", why);
}

u32 profile_symbol_of(struct profile *p, const struct loc *loc, bool caller)
{
	u32 sym = ID_NONE;
	u64 hash, code;

	if (loc->dso != ID_NONE) {
		load(p, loc->dso);
		sym = caller ? symbols_find_call(p->s->symbols, loc->dso, loc->dso_addr, &code) :
			symbols_find_idx(p->s->symbols, loc->dso, loc->dso_addr);
		if (sym == ID_NONE)
			tell_missing(p, loc->dso);
	}
	hash = hash_u64((u64)(sym == ID_NONE ? ID_NONE : loc->dso) << 32 | sym);
	return vec_find_or_add_id(&p->symbol, &p->symbol_idx, hash, s,
				  s->sym == sym && (sym == ID_NONE || s->dso == loc->dso),
				  (struct profile_symbol){ loc->dso, sym, sym == ID_NONE ? NULL :
					symbols_name(p->s->symbols, loc->dso, sym, &p->texts) });
}

PyObject *profile_comm(struct event_object *e)
{
	struct profile *p = e->from->profile;
	struct sample_ctx ctx;
	PyObject *ret;

	if (!p || e->sample.tid == UINT32_MAX)
		return text_object(NULL);
	if (!profile_enter(p))
		return NULL;
	ctx = locator_sample_ctx(&p->resolver.locator, p->s, &e->sample, &e->rec);
	ret = text_object(machine_comm(p->s->machine, &ctx));
	profile_leave(p);
	return ret;
}

/* ---- frames ---- */

static int put(PyObject *o, Py_ssize_t i, PyObject *value)
{
	if (!value)
		return -1;
	PyStructSequence_SetItem(o, i, value);
	return 0;
}

static PyObject *again(PyObject *o)
{
	Py_XINCREF(o);
	return o;
}

/* of one address, a function that was inlined there or the one around it */
struct frame_item {
	const struct frame_loc *at;
	const char *name;
	u64 start;		/* of the function, if there is a name */
	bool inlined;
	const char *file;
	u32 line;
};

static int add_frame(PyObject *list, struct profile *p, const struct frame_item *f)
{
	PyObject *o = PyStructSequence_New(frame_type);
	const struct loc *loc = &f->at->loc;
	int ret = o ? 0 : -1;

	if (!ret)
		ret = put(o, 0, PyLong_FromUnsignedLongLong(f->at->ip)) || put(o, 1, text_object(f->name)) ||
			put(o, 2, f->name ? PyLong_FromUnsignedLongLong(loc->dso_addr - f->start) :
			    text_object(NULL)) ||
			put(o, 3, again(profile_dso_text(p, loc->dso))) ||
			put(o, 4, PyLong_FromUnsignedLongLong(loc->dso == ID_NONE ? f->at->ip :
							      loc->dso_addr)) ||
			put(o, 5, PyBool_FromLong(f->inlined)) || put(o, 6, text_object(f->file)) ||
			put(o, 7, PyLong_FromUnsignedLong(f->line)) ? -1 : PyList_Append(list, o);
	Py_XDECREF(o);
	return ret;
}

static const struct line_info *info_of(struct profile *p, u32 dso, u64 code, bool lines)
{
	struct lines **l = &p->lines[lines];
	struct line_query q = { dso, code };

	if (!*l)
		*l = lines_new(p->s->symbols, (u32)machine_dsos(p->s->machine)->dso.nr, lines);
	lines_load(*l, p->s->pool, &q, 1);
	return lines_find(*l, dso, code);
}

static int add_address(PyObject *list, struct profile *p, const struct frame_loc *at, bool inlines,
		       bool lines)
{
	struct frame_item f = { .at = at };
	const struct line_info *info = NULL;
	u32 dso = at->loc.dso, sym = ID_NONE;
	u64 code = at->loc.dso_addr;
	struct arena names = { 0 };
	int ret = 0;

	if (dso != ID_NONE) {
		load(p, dso);
		sym = at->caller ? symbols_find_call(p->s->symbols, dso, code, &code) :
			symbols_find_idx(p->s->symbols, dso, code);
		if (sym == ID_NONE)
			tell_missing(p, dso);
	}
	if (sym != ID_NONE) {
		f.start = symbols_start(p->s->symbols, dso, sym);
		if (inlines || lines)
			info = info_of(p, dso, code, lines);
	}
	for (u32 i = 0; !ret && info && inlines && i < info->nr_inlined; i++) {
		f.name = info->inlined[i].name;
		f.inlined = true;
		f.file = info->inlined[i].file;
		f.line = info->inlined[i].line;
		ret = add_frame(list, p, &f);
	}
	f.name = sym == ID_NONE ? NULL : symbols_name(p->s->symbols, dso, sym, &names);
	f.inlined = false;
	f.file = info ? info->file : NULL;
	f.line = info ? info->line : 0;
	if (!ret)
		ret = add_frame(list, p, &f);
	arena_release(&names);
	return ret;
}

/* the call chain; without one the sampled address */
static size_t find_addresses(struct profile *p, const struct event_object *e, struct frame_loc *at,
			     size_t max)
{
	struct sample_ctx ctx;
	struct sample s = { 0 };
	size_t nr;

	arena_reset(&p->scratch);
	if (sample_decode(p->origin.plan, &e->rec, &s, &p->scratch))
		return 0;
	ctx = locator_sample_ctx(&p->resolver.locator, p->s, &s, &e->rec);
	nr = chain_resolve(&p->resolver, &s, &ctx, at, max);
	if (nr || !s.event || !(s.event->attr.sample_type & ABI_SAMPLE_IP))
		return nr;
	at[0] = (struct frame_loc){ .ip = s.ip,
		.loc = locator_find(&p->resolver.locator, &ctx, s.cpumode, s.ip) };
	return 1;
}

PyObject *profile_frames(struct event_object *e, bool inlines, bool lines)
{
	struct profile *p = e->from->profile;
	PyObject *list;
	size_t nr;

	if (!p) {
		PyErr_SetString(PyExc_ValueError,
				"frames have names in recordings (perf.session), not in rings");
		return NULL;
	}
	if (!profile_enter(p))
		return NULL;
	if (!p->address)
		p->address = xreallocarray(NULL, RESOLVE_MAX_UNWOUND, sizeof(*p->address));
	nr = find_addresses(p, e, p->address, RESOLVE_MAX_UNWOUND);
	list = PyList_New(0);
	for (size_t i = 0; list && i < nr; i++)
		if (add_address(list, p, &p->address[i], inlines, lines))
			Py_CLEAR(list);
	profile_leave(p);
	if (list && raise_warnings())
		Py_CLEAR(list);
	return list;
}

int frames_init(PyObject *module)
{
	frame_type = PyStructSequence_NewType(&frame_desc);
	return frame_type ? PyObject_SetAttrString(module, "frame", (PyObject *)frame_type) : -1;
}
