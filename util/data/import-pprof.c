/*
 * Import of pprof profiles: the message of profile.proto, which came through gzip or not. Each sample type is
 * an event, but "samples" before another type is the number of samples of that one. The command is the label
 * "comm" or "thread", else the first mapping. Locations without functions are named by their addresses.
 */
#include "importer.h"
#include "../base/proto-in.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* numbers of fields */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_LAST = 15 };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum { MAPPING_ID = 1, MAPPING_FILE = 5, MAPPING_BUILDID };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_LINKAGE_NAME, FUNCTION_FILE };

#define MAX_INLINED 64u		/* functions of an address: the innermost ones */
#define NOT_READ UINT32_MAX

struct in_type { u64 name, unit; u32 event, count_of; };	/* count_of: a type, or STACKS_NONE */
struct in_mapping { u64 id, file, buildid; u32 module; };
struct in_function { u64 id, name, linkage, file; };
/* bytes: of its line if it has one, else of all of it; frames once they are read */
struct in_location { u64 id, mapping, address; struct cursor bytes; u32 nr_lines, first, nr; };

/* ids of a table: the first ones are 1, 2, 3 and so on, as a rule; others are in the index */
struct in_ids { struct hidx idx; u32 in_order; };
/* of a stack, outermost first: the node of a location, and frames so far */
struct in_level { u64 id; u32 node, depth; };

struct pprof_reader {
	struct stacks *out;
	struct diag *diag;
	const u8 *start;
	struct { VEC(struct cursor); } string, sample;
	struct { VEC(struct in_type); } type;
	struct { VEC(struct in_mapping); } mapping;
	struct { VEC(struct in_function); } function;
	struct { VEC(struct in_location); } location;
	struct in_ids by_mapping, by_function, by_location;
	struct { VEC(struct in_level); } level;		/* of the sample before */
	u32 *text;			/* by number of a string: its id in out, or NOT_READ */
	struct { VEC(u32); } frame;	/* of locations: frames in out, innermost first */
	u32 comm, default_comm;		/* ids in out */
	struct { VEC(u64); } total;	/* by event */
	/* of the sample that is read */
	struct { VEC(u64); } id, value;
};

/* ---- recognising ---- */

/* a value type: two numbers and nothing else */
static bool is_value_type(struct cursor c)
{
	struct proto_field f;

	while (proto_next(&c, &f))
		if (f.nr > TYPE_UNIT || f.type != PROTO_NUMBER)
			return false;
	return !c.bad;
}

static bool is_profile_field(const struct proto_field *f)
{
	if (!f->nr || f->nr > PROFILE_LAST || (f->type != PROTO_NUMBER && f->type != PROTO_BYTES))
		return false;
	if (f->nr <= PROFILE_STRING && f->type != PROTO_BYTES)
		return false;
	return f->nr != PROFILE_SAMPLE_TYPE || is_value_type(f->bytes);
}

static bool is_text(const u8 *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (p[i] < ' ' && (p[i] < '\t' || p[i] > '\r'))
			return false;
	return true;
}

enum import_probe pprof_probe(const u8 *p, size_t len, bool all)
{
	struct cursor c = cursor_of(p, len, false);
	bool has_type = false;
	struct proto_field f;
	u32 nr = 0;

	for (; proto_next(&c, &f); nr++) {
		if (!is_profile_field(&f))
			return IMPORT_NO;
		has_type |= f.nr == PROFILE_SAMPLE_TYPE;
	}
	/* the last field may be cut off, where bytes are only the first ones */
	if (c.bad && all && len < IMPORT_HEAD)
		return IMPORT_NO;
	/* sample types, which are at the beginning, are what no other file has */
	if (!has_type || is_text(p, len))
		return all ? IMPORT_NO : IMPORT_MORE;
	return all || nr >= 4 ? IMPORT_YES : IMPORT_MORE;
}

/* ---- tables ---- */

static u32 text_of(struct pprof_reader *r, u64 nr)
{
	const char *s;
	size_t len;

	if (nr >= r->string.nr) {
		if (nr)
			diag_count(r->diag, DIAG_BAD_REFERENCE, 0);
		return 0;
	}
	if (r->text[nr] == NOT_READ) {
		s = (const char *)r->string.v[nr].p;
		len = cursor_left(&r->string.v[nr]);
		r->text[nr] = len ? stacks_add_bytes(r->out, s, strnlen(s, len)) : 0;
	}
	return r->text[nr];
}

static const char *string_of(struct pprof_reader *r, u64 nr)
{
	return strtab_get(&r->out->strings, text_of(r, nr));
}

/* the element of that id, of several the first one, or HIDX_NONE */
#define FIND(vec, ids, key) \
	({ \
		u32 _i = (key) - 1; \
		if ((key) - 1 >= (ids)->in_order) \
			HIDX_FOREACH(&(ids)->idx, hash_u64(key), _i) \
				if ((vec)->v[_i].id == (key)) \
					break; \
		_i; \
	})

/* before it is added as the nr-th element: another one may have its id */
static void index_id(struct in_ids *ids, u64 id, u32 nr)
{
	if (ids->in_order == nr && id == nr + 1ull)
		ids->in_order++;
	else
		hidx_insert(&ids->idx, hash_u64(id), nr);
}

static void add_type(struct pprof_reader *r, struct cursor *c)
{
	struct in_type t = { .count_of = STACKS_NONE };
	struct proto_field f;

	while (proto_next(c, &f)) {
		if (f.nr == TYPE_NAME)
			t.name = f.number;
		if (f.nr == TYPE_UNIT)
			t.unit = f.number;
	}
	vec_push(&r->type, t);
}

static void add_mapping(struct pprof_reader *r, struct cursor *c)
{
	struct in_mapping m = { .module = STACKS_NONE };
	struct proto_field f;

	while (proto_next(c, &f)) {
		if (f.nr == MAPPING_ID)
			m.id = f.number;
		if (f.nr == MAPPING_FILE)
			m.file = f.number;
		if (f.nr == MAPPING_BUILDID)
			m.buildid = f.number;
	}
	if (FIND(&r->mapping, &r->by_mapping, m.id) == HIDX_NONE)
		index_id(&r->by_mapping, m.id, r->mapping.nr);
	vec_push(&r->mapping, m);
}

static void add_function(struct pprof_reader *r, struct cursor *c)
{
	struct in_function fn = { 0 };
	struct proto_field f;

	while (proto_next(c, &f)) {
		if (f.nr == FUNCTION_ID)
			fn.id = f.number;
		if (f.nr == FUNCTION_NAME)
			fn.name = f.number;
		if (f.nr == FUNCTION_LINKAGE_NAME)
			fn.linkage = f.number;
		if (f.nr == FUNCTION_FILE)
			fn.file = f.number;
	}
	if (FIND(&r->function, &r->by_function, fn.id) == HIDX_NONE)
		index_id(&r->by_function, fn.id, r->function.nr);
	vec_push(&r->function, fn);
}

static void add_location(struct pprof_reader *r, struct cursor *c)
{
	struct in_location l = { 0 };
	struct cursor whole = *c;
	struct proto_field f;

	while (proto_next(c, &f)) {
		if (f.nr == LOCATION_LINE && f.type == PROTO_BYTES) {
			l.bytes = f.bytes;
			l.nr_lines++;
		}
		if (f.nr == LOCATION_ID)
			l.id = f.number;
		if (f.nr == LOCATION_MAPPING)
			l.mapping = f.number;
		if (f.nr == LOCATION_ADDRESS)
			l.address = f.number;
	}
	if (l.nr_lines != 1)
		l.bytes = whole;
	if (FIND(&r->location, &r->by_location, l.id) == HIDX_NONE)
		index_id(&r->by_location, l.id, r->location.nr);
	vec_push(&r->location, l);
}

static int read_tables(struct pprof_reader *r, u64 size, struct err *err)
{
	struct cursor c = cursor_of(r->start, size, false);
	struct proto_field f;

	while (proto_next(&c, &f)) {
		bool bytes = f.type == PROTO_BYTES;

		if (bytes && f.nr == PROFILE_SAMPLE_TYPE)
			add_type(r, &f.bytes);
		else if (bytes && f.nr == PROFILE_SAMPLE)
			vec_push(&r->sample, f.bytes);
		else if (bytes && f.nr == PROFILE_MAPPING)
			add_mapping(r, &f.bytes);
		else if (bytes && f.nr == PROFILE_LOCATION)
			add_location(r, &f.bytes);
		else if (bytes && f.nr == PROFILE_FUNCTION)
			add_function(r, &f.bytes);
		else if (bytes && f.nr == PROFILE_STRING)
			vec_push(&r->string, f.bytes);
		if (f.bytes.bad)
			diag_count(r->diag, DIAG_BAD_PPROF, f.bytes.p - r->start);
	}
	if (c.bad)
		return err_set(err, -EBADMSG, "the pprof profile is damaged at byte %llu",
			       (unsigned long long)(c.p - r->start));
	r->text = xreallocarray(NULL, r->string.nr + 1, sizeof(*r->text));
	memset(r->text, 0xff, (r->string.nr + 1) * sizeof(*r->text));
	return 0;
}

/* ---- events ---- */

/* "samples" or "cycles-samples", in counts */
static bool counts_samples(const char *name, const char *unit)
{
	size_t len = strlen(name);

	return !strcmp(unit, "count") &&
	       (!strcmp(name, "samples") || (len > 8 && !strcmp(name + len - 8, "-samples")));
}

static int add_events(struct pprof_reader *r, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < r->type.nr && !ret; i++) {
		struct in_type *t = &r->type.v[i];
		const char *name = string_of(r, t->name), *unit = string_of(r, t->unit);

		if (i + 1 < r->type.nr && counts_samples(name, unit)) {
			t->count_of = i + 1;
			continue;
		}
		ret = stacks_add_event(r->out, &(struct stacks_event){ .name = *name ? name : "samples",
								       .unit = *unit ? unit : "count" },
				       &t->event, err);
	}
	while (r->total.nr < r->out->event.nr)
		vec_push(&r->total, 0);
	return ret;
}

/* ---- frames ---- */

/* as the kernel and its modules are called */
static bool is_kernel(const char *name)
{
	size_t len = strlen(name);

	return !strncmp(name, "[kernel.", 8) || !strncmp(name, "bpf_prog_", 9) ||
	       (len > 3 && !strcmp(name + len - 3, ".ko")) || strstr(name, ".ko.");
}

static u32 module_of(struct pprof_reader *r, u64 id)
{
	u32 i = FIND(&r->mapping, &r->by_mapping, id);
	struct in_mapping *m;
	struct stacks_module mod;
	const char *path, *slash;

	if (i == HIDX_NONE)
		return STACKS_NONE;
	m = &r->mapping.v[i];
	path = string_of(r, m->file);
	if (m->module != STACKS_NONE || !*path)
		return m->module;
	slash = strrchr(path, '/');
	mod = (struct stacks_module){ .name = stacks_add_text(r->out, slash && slash[1] ? slash + 1 : path),
				      .path = text_of(r, m->file), .buildid = text_of(r, m->buildid),
				      .kernel = is_kernel(path) };
	m->module = stacks_add_module(r->out, &mod);
	return m->module;
}

static u32 line_frame(struct pprof_reader *r, struct cursor *c, struct stacks_frame f, bool outermost)
{
	u64 function = 0, line = 0;
	struct proto_field field;
	u32 i;

	while (proto_next(c, &field)) {
		if (field.nr == LINE_FUNCTION)
			function = field.number;
		if (field.nr == LINE_LINE)
			line = field.number;
	}
	i = FIND(&r->function, &r->by_function, function);
	f.inlined = !outermost;
	if (i != HIDX_NONE) {
		const struct in_function *fn = &r->function.v[i];

		f.function = text_of(r, fn->name ? fn->name : fn->linkage);
		f.line = line <= INT32_MAX ? line : 0;
		f.file = f.line ? text_of(r, fn->file) : 0;
		f.line = f.file ? f.line : 0;
	} else {
		diag_count(r->diag, DIAG_BAD_REFERENCE, c->p - r->start);
	}
	if (!f.function)
		f.function = stacks_add_text(r->out, "[unknown]");
	f.address = 0;
	return stacks_add_frame(r->out, &f);
}

/* without lines: only the address is known */
static void name_by_address(struct pprof_reader *r, struct in_location *l, struct stacks_frame f)
{
	char name[32];

	snprintf(name, sizeof(name), l->address ? "0x%llx" : "[unknown]", (unsigned long long)l->address);
	f.function = stacks_add_text(r->out, name);
	f.address = 0;
	vec_push(&r->frame, stacks_add_frame(r->out, &f));
}

/* the innermost function first */
static void read_lines(struct pprof_reader *r, struct in_location *l, struct stacks_frame frame)
{
	struct cursor c = l->bytes;
	struct proto_field f;
	u32 at = 0;

	while (proto_next(&c, &f)) {
		if (f.nr != LOCATION_LINE || f.type != PROTO_BYTES)
			continue;
		at++;
		if (at == l->nr_lines || at < MAX_INLINED)
			vec_push(&r->frame, line_frame(r, &f.bytes, frame, at == l->nr_lines));
	}
}

static void read_frames(struct pprof_reader *r, struct in_location *l)
{
	struct stacks_frame frame = { .module = module_of(r, l->mapping) };

	l->first = r->frame.nr;
	if (!l->nr_lines)
		name_by_address(r, l, frame);
	else if (l->nr_lines == 1)
		vec_push(&r->frame, line_frame(r, &l->bytes, frame, true));
	else
		read_lines(r, l, frame);
	l->nr = r->frame.nr - l->first;
}

/* ---- samples ---- */

/* one number, or a packed field of them */
#define TAKE_NUMBERS(vec, f) \
	do { \
		if ((f)->type == PROTO_NUMBER) \
			vec_push(vec, (f)->number); \
		while ((f)->type == PROTO_BYTES && !(f)->bytes.bad && cursor_left(&(f)->bytes)) \
			vec_push(vec, proto_varint(&(f)->bytes)); \
	} while (0)

/* the better of two labels for the command: 2 comm, 1 thread, 0 none */
static u32 take_label(struct pprof_reader *r, struct cursor *c, u32 *rank)
{
	struct proto_field f;
	u64 key = 0, value = 0;
	const char *name;
	u32 is;

	while (proto_next(c, &f)) {
		if (f.nr == LABEL_KEY)
			key = f.number;
		if (f.nr == LABEL_STRING)
			value = f.number;
	}
	name = string_of(r, key);
	is = !strcmp(name, "comm") ? 2 : !strcmp(name, "thread");
	if (!value || is <= *rank)
		return 0;
	*rank = is;
	return text_of(r, value);
}

/* HIDX_NONE: unknown */
static u32 location_at(struct pprof_reader *r, u64 id)
{
	u32 i = FIND(&r->location, &r->by_location, id);

	if (i != HIDX_NONE && !r->location.v[i].nr)
		read_frames(r, &r->location.v[i]);
	return i;
}

static u32 add_location_frames(struct pprof_reader *r, u32 node, const struct in_location *l)
{
	for (u32 k = l->nr; k-- > 0;)
		node = stacks_add_child(r->out, node, r->frame.v[l->first + k]);
	return node;
}

/* of stacks that are too deep, the innermost part; locations that are unknown are left out */
static u32 odd_node(struct pprof_reader *r)
{
	u32 first = 0, depth = 0, node = 0, i;

	for (; first < r->id.nr; first++) {
		i = location_at(r, r->id.v[first]);
		depth += i != HIDX_NONE ? r->location.v[i].nr : 0;
		if (depth > IMPORT_MAX_DEPTH)
			break;
	}
	while (first--) {
		i = location_at(r, r->id.v[first]);
		if (i == HIDX_NONE)
			diag_count(r->diag, DIAG_BAD_REFERENCE, 0);
		else
			node = add_location_frames(r, node, &r->location.v[i]);
	}
	return node;
}

/* the node of a stack: r->id, the innermost location first. Neighbours share callers, as a rule */
static u32 node_of(struct pprof_reader *r)
{
	u32 nr = r->id.nr, at = 0;
	struct in_level top = { 0 };

	while (at < MIN(nr, r->level.nr) && r->level.v[at].id == r->id.v[nr - 1 - at])
		top = r->level.v[at++];
	r->level.nr = at;
	for (; at < nr; at++) {
		u64 id = r->id.v[nr - 1 - at];
		u32 i = location_at(r, id);

		if (i == HIDX_NONE || (top.depth += r->location.v[i].nr) > IMPORT_MAX_DEPTH)
			return odd_node(r);
		top.id = id;
		top.node = add_location_frames(r, top.node, &r->location.v[i]);
		vec_push(&r->level, top);
	}
	return top.node;
}

static void add_values(struct pprof_reader *r, struct stack k, u64 off)
{
	u64 count = 0;

	for (u32 i = 0; i < MIN(r->type.nr, r->value.nr); i++) {
		const struct in_type *t = &r->type.v[i];
		u64 v = r->value.v[i], total;

		if (t->count_of != STACKS_NONE) {
			count = v;
			continue;
		}
		k.event = t->event;
		k.nr = count && count <= v ? count : 1;
		k.period = v;
		count = 0;
		if ((s64)v < 0 || __builtin_add_overflow(r->total.v[k.event], v, &total)) {
			diag_count(r->diag, DIAG_BAD_PPROF, off);
		} else if (v) {
			r->total.v[k.event] = total;
			stacks_add(r->out, &k);
		}
	}
}

static void read_sample(struct pprof_reader *r, struct cursor c)
{
	struct stacks_label label = { r->comm, r->default_comm };
	u64 off = c.p - r->start;
	struct proto_field f;
	u32 rank = 0, comm;
	struct stack k = { 0 };

	r->id.nr = r->value.nr = 0;
	while (proto_next(&c, &f)) {
		if (f.nr == SAMPLE_LOCATION)
			TAKE_NUMBERS(&r->id, &f);
		if (f.nr == SAMPLE_VALUE)
			TAKE_NUMBERS(&r->value, &f);
		if (f.nr == SAMPLE_LABEL && f.type == PROTO_BYTES) {
			comm = take_label(r, &f.bytes, &rank);
			label.value = comm ? comm : label.value;
		}
		c.bad |= f.bytes.bad;
	}
	if (c.bad || r->value.nr != r->type.nr) {
		diag_count(r->diag, DIAG_BAD_PPROF, off);
		return;
	}
	k.node = node_of(r);
	k.labels = stacks_add_labels(r->out, &label, 1);
	add_values(r, k, off);
}

static void choose_default_comm(struct pprof_reader *r)
{
	u32 module = r->mapping.nr ? module_of(r, r->mapping.v[0].id) : STACKS_NONE;

	r->comm = stacks_add_text(r->out, "comm");
	r->default_comm = module == STACKS_NONE ? stacks_add_text(r->out, "pprof") :
			  r->out->module.v[module].name;
}

int pprof_read(const u8 *p, u64 size, struct stacks *out, struct diag *diag, struct err *err)
{
	struct pprof_reader r = { .out = out, .diag = diag, .start = p };
	int ret = read_tables(&r, size, err);

	if (!ret)
		ret = add_events(&r, err);
	if (!ret) {
		choose_default_comm(&r);
		vec_foreach(&r.sample, c)
			read_sample(&r, *c);
	}
	free(r.text);
	vec_release(&r.string);
	vec_release(&r.sample);
	vec_release(&r.type);
	vec_release(&r.mapping);
	vec_release(&r.function);
	vec_release(&r.location);
	vec_release(&r.frame);
	vec_release(&r.total);
	vec_release(&r.level);
	vec_release(&r.id);
	vec_release(&r.value);
	hidx_release(&r.by_mapping.idx);
	hidx_release(&r.by_function.idx);
	hidx_release(&r.by_location.idx);
	return ret;
}
