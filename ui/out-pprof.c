/*
 * pprof: the profile.proto message that go tool pprof and services built on it read. Sample types are the
 * number of samples and the period of each event, and the sum of weights if there are any. A location is a
 * function with all functions inlined at that place, as lines of one location. Frames without a function get
 * a name, because readers show nothing else.
 */
#include "format.h"
#include "markup.h"
#include "../util/base/hash.h"
#include "../util/base/proto-out.h"

/* numbers of fields */
enum { PROFILE_SAMPLE_TYPE = 1, PROFILE_SAMPLE, PROFILE_MAPPING, PROFILE_LOCATION, PROFILE_FUNCTION,
       PROFILE_STRING, PROFILE_TIME_NANOS = 9, PROFILE_DURATION_NANOS, PROFILE_PERIOD_TYPE, PROFILE_PERIOD,
       PROFILE_COMMENT, PROFILE_DEFAULT_TYPE };
enum { TYPE_NAME = 1, TYPE_UNIT };
enum { SAMPLE_LOCATION = 1, SAMPLE_VALUE, SAMPLE_LABEL };
enum { LABEL_KEY = 1, LABEL_STRING };
enum { MAPPING_ID = 1, MAPPING_START, MAPPING_LIMIT, MAPPING_OFFSET, MAPPING_FILE, MAPPING_BUILDID,
       MAPPING_HAS_FUNCTIONS, MAPPING_HAS_FILES, MAPPING_HAS_LINES, MAPPING_HAS_INLINES };
enum { LOCATION_ID = 1, LOCATION_MAPPING, LOCATION_ADDRESS, LOCATION_LINE };
enum { LINE_FUNCTION = 1, LINE_LINE };
enum { FUNCTION_ID = 1, FUNCTION_NAME, FUNCTION_LINKAGE_NAME, FUNCTION_FILE };

struct pprof_function {
	u32 name, file;		/* name: in the profile's table of strings */
};

/* frames of one address: the first is the innermost */
struct pprof_location {
	u32 first, nr;		/* in frame[] */
};

struct pprof {
	const struct stacks *s;
	struct markup m;
	struct proto p;
	struct { VEC(const char *); } more;	/* strings that the stacks do not have: after theirs */
	struct strtab more_text;
	struct { VEC(struct pprof_function); } function;
	struct { VEC(struct pprof_location); } location;
	struct { VEC(u32); } frame, function_of;	/* function_of: by frame of the stacks */
	struct hidx by_function, by_location;
};

static u32 string_of(struct pprof *w, const char *text)
{
	u32 id = strtab_add(&w->more_text, text);

	if (id == w->more.nr)
		vec_push(&w->more, strtab_get(&w->more_text, id));
	return w->s->text.nr + id;
}

/* ---- functions and locations ---- */

static u32 function_of(struct pprof *w, const struct stacks_frame *f)
{
	struct strbuf scratch = STRBUF_INIT;
	struct pprof_function fn = { f->function, f->file };
	u64 hash;
	u32 id;

	if (!f->function)
		fn.name = string_of(w, stacks_frame_name(w->s, f, &scratch));
	strbuf_release(&scratch);
	hash = hash_mix(hash_u64(fn.name), fn.file);
	HIDX_FOREACH(&w->by_function, hash, id)
		if (w->function.v[id].name == fn.name && w->function.v[id].file == fn.file)
			return id;
	id = w->function.nr;
	vec_push(&w->function, fn);
	hidx_insert(&w->by_function, hash, id);
	return id;
}

static void find_functions(struct pprof *w)
{
	vec_reserve(&w->function_of, w->s->frame.nr);
	vec_foreach(&w->s->frame, f)
		vec_push(&w->function_of, function_of(w, f));
}

/* nr frames of one address, innermost first */
static u32 location_of(struct pprof *w, const u32 *frame, u32 nr)
{
	u64 hash = hash_bytes(frame, nr * sizeof(*frame));
	u32 id;

	HIDX_FOREACH(&w->by_location, hash, id) {
		const struct pprof_location *l = &w->location.v[id];

		if (l->nr == nr && !memcmp(w->frame.v + l->first, frame, nr * sizeof(*frame)))
			return id;
	}
	id = w->location.nr;
	vec_push(&w->location, (struct pprof_location){ w->frame.nr, nr });
	for (u32 i = 0; i < nr; i++)
		vec_push(&w->frame, frame[i]);
	hidx_insert(&w->by_location, hash, id);
	return id;
}

/* ---- parts of the message ---- */

static void add_type(struct pprof *w, u32 field, const char *name, const char *unit)
{
	proto_begin(&w->p, field);
	proto_number(&w->p, TYPE_NAME, string_of(w, name));
	proto_number(&w->p, TYPE_UNIT, string_of(w, unit));
	proto_end(&w->p);
}

static void add_types(struct pprof *w)
{
	struct strbuf name = STRBUF_INIT;

	vec_foreach(&w->s->event, e) {
		strbuf_reset(&name);
		strbuf_addf(&name, "%s%ssamples", w->s->event.nr > 1 ? e->name : "",
			    w->s->event.nr > 1 ? "-" : "");
		add_type(w, PROFILE_SAMPLE_TYPE, strbuf_str(&name), "count");
		add_type(w, PROFILE_SAMPLE_TYPE, e->name, e->unit);
		if (!stacks_has_value(e, VALUE_WEIGHT))
			continue;
		strbuf_reset(&name);
		stacks_add_value_name(e, VALUE_WEIGHT, &name);
		add_type(w, PROFILE_SAMPLE_TYPE, strbuf_str(&name), "count");
	}
	strbuf_release(&name);
}

static void add_label(struct pprof *w, const struct stacks_label *l)
{
	proto_begin(&w->p, SAMPLE_LABEL);
	proto_number(&w->p, LABEL_KEY, l->key);
	proto_number(&w->p, LABEL_STRING, l->value);
	proto_end(&w->p);
}

static void add_locations(struct pprof *w, const struct stacks_path *path)
{
	proto_begin(&w->p, SAMPLE_LOCATION);
	for (u32 i = 0, nr; i < path->nr; i += nr) {
		for (nr = 1; i + nr < path->nr && w->s->frame.v[path->v[i + nr - 1]].inlined;)
			nr++;
		proto_packed(&w->p, location_of(w, path->v + i, nr) + 1);
	}
	proto_end(&w->p);
}

/* stacks that differ in their event only are one sample: k is the first of nr */
static void add_sample(struct pprof *w, const struct stack *k, u32 nr, const struct stacks_path *path)
{
	const struct stacks_labels *l = &w->s->labels.v[k->labels];
	const struct stack *end = k + nr;

	proto_begin(&w->p, PROFILE_SAMPLE);
	add_locations(w, path);
	proto_begin(&w->p, SAMPLE_VALUE);
	for (u32 e = 0; e < w->s->event.nr; e++) {
		bool has = k != end && k->event == e;

		proto_packed(&w->p, has ? k->nr : 0);
		proto_packed(&w->p, has ? k->period : 0);
		if (w->s->event.v[e].weights)
			proto_packed(&w->p, has ? k->weight : 0);
		k += has;
	}
	proto_end(&w->p);
	for (u32 i = 0; i < l->nr; i++)
		add_label(w, &w->s->label.v[l->first + i]);
	vec_foreach(&w->s->constant, c)
		add_label(w, c);
	proto_end(&w->p);
	markup_drain(&w->m);
}

static void add_samples(struct pprof *w)
{
	const struct stacks *s = w->s;
	struct stacks_path path = { 0 };

	for (size_t i = 0, nr; i < s->stack.nr; i += nr) {
		const struct stack *k = &s->stack.v[i];

		for (nr = 1; i + nr < s->stack.nr && k[nr].node == k->node && k[nr].labels == k->labels;)
			nr++;
		if (!i || k->node != k[-1].node)
			stacks_path(s, k->node, &path);
		add_sample(w, k, nr, &path);
	}
	vec_release(&path);
}

/* where addresses of each module end, for readers that look addresses up in mappings */
static u64 *find_limits(const struct stacks *s)
{
	u64 *limit = xcalloc(s->module.nr + 1, sizeof(*limit));

	vec_foreach(&s->frame, f)
		if (f->module != STACKS_NONE && f->address != UINT64_MAX)
			limit[f->module] = MAX(limit[f->module], f->address + 1);
	return limit;
}

/* the command of a stack, or "" */
static const char *comm_of(const struct stacks *s, const struct stack *k)
{
	const struct stacks_labels *l = &s->labels.v[k->labels];

	for (u32 i = 0; i < l->nr; i++)
		if (!strcmp(stacks_text(s, s->label.v[l->first + i].key), "comm"))
			return stacks_text(s, s->label.v[l->first + i].value);
	return "";
}

/* samples of programs, by module: those whose command is called as the module is count before all others */
#define IS_PROGRAM (1ull << 48)

/* the module that readers show as the profiled program: they take the first one */
static u32 find_program(const struct stacks *s)
{
	u64 *nr = xcalloc(s->module.nr + 1, sizeof(*nr));
	u32 ret = 0;

	vec_foreach(&s->stack, k) {
		u32 module = k->node ? s->frame.v[s->node.v[k->node].frame].module : STACKS_NONE;
		const char *comm = comm_of(s, k);
		const struct stacks_module *m;

		if (module == STACKS_NONE || s->module.v[module].kernel)
			continue;
		m = &s->module.v[module];
		nr[module] += k->nr;
		if (*comm && !strncmp(stacks_text(s, m->name), comm, strlen(comm)))
			nr[module] |= IS_PROGRAM;
	}
	for (u32 i = 1; i < s->module.nr; i++)
		ret = nr[i] > nr[ret] ? i : ret;
	free(nr);
	return ret;
}

static void add_mapping(struct pprof *w, u32 i, u64 limit)
{
	const struct stacks_module *m = &w->s->module.v[i];

	proto_begin(&w->p, PROFILE_MAPPING);
	proto_number(&w->p, MAPPING_ID, i + 1);
	proto_number(&w->p, MAPPING_LIMIT, limit);
	proto_number(&w->p, MAPPING_FILE, m->path);
	proto_number(&w->p, MAPPING_BUILDID, m->buildid);
	/* so nobody looks for symbols again */
	proto_number(&w->p, MAPPING_HAS_FUNCTIONS, true);
	proto_number(&w->p, MAPPING_HAS_FILES, w->s->by != STACKS_FUNCTIONS);
	proto_number(&w->p, MAPPING_HAS_LINES, w->s->by != STACKS_FUNCTIONS);
	proto_number(&w->p, MAPPING_HAS_INLINES, true);
	proto_end(&w->p);
}

static void add_mappings(struct pprof *w)
{
	u64 *limit = find_limits(w->s);
	u32 program = find_program(w->s);

	if (w->s->module.nr)
		add_mapping(w, program, limit[program]);
	for (u32 i = 0; i < w->s->module.nr; i++)
		if (i != program)
			add_mapping(w, i, limit[i]);
	free(limit);
}

static void add_location_table(struct pprof *w)
{
	for (u32 i = 0; i < w->location.nr; i++) {
		const struct pprof_location *l = &w->location.v[i];
		const struct stacks_frame *outer = &w->s->frame.v[w->frame.v[l->first + l->nr - 1]];

		proto_begin(&w->p, PROFILE_LOCATION);
		proto_number(&w->p, LOCATION_ID, i + 1);
		proto_number(&w->p, LOCATION_MAPPING, outer->module == STACKS_NONE ? 0 : outer->module + 1);
		proto_number(&w->p, LOCATION_ADDRESS, outer->address);
		for (u32 k = 0; k < l->nr; k++) {
			u32 frame = w->frame.v[l->first + k];

			proto_begin(&w->p, LOCATION_LINE);
			proto_number(&w->p, LINE_FUNCTION, w->function_of.v[frame] + 1);
			proto_number(&w->p, LINE_LINE, w->s->frame.v[frame].line);
			proto_end(&w->p);
		}
		proto_end(&w->p);
		markup_drain(&w->m);
	}
}

static void add_function_table(struct pprof *w)
{
	for (u32 i = 0; i < w->function.nr; i++) {
		proto_begin(&w->p, PROFILE_FUNCTION);
		proto_number(&w->p, FUNCTION_ID, i + 1);
		proto_number(&w->p, FUNCTION_NAME, w->function.v[i].name);
		proto_number(&w->p, FUNCTION_LINKAGE_NAME, w->function.v[i].name);
		proto_number(&w->p, FUNCTION_FILE, w->function.v[i].file);
		proto_end(&w->p);
		markup_drain(&w->m);
	}
}

/* readers refuse strings that are not UTF-8, and some print all others as they are */
static void add_string(struct pprof *w, struct strbuf *scratch, const char *text)
{
	strbuf_reset(scratch);
	strbuf_add_safe(scratch, text);
	proto_string(&w->p, PROFILE_STRING, strbuf_str(scratch));
	markup_drain(&w->m);
}

static void add_facts(struct pprof *w)
{
	const struct stacks *s = w->s;

	proto_number(&w->p, PROFILE_TIME_NANOS, s->time_ns);
	proto_number(&w->p, PROFILE_DURATION_NANOS, s->duration_ns);
	if (s->event.nr && s->event.v[0].period) {
		add_type(w, PROFILE_PERIOD_TYPE, s->event.v[0].name, s->event.v[0].unit);
		proto_number(&w->p, PROFILE_PERIOD, s->event.v[0].period);
	}
	vec_foreach(&s->comment, c)
		proto_number(&w->p, PROFILE_COMMENT, *c);
	if (s->event.nr)
		proto_number(&w->p, PROFILE_DEFAULT_TYPE, string_of(w, s->event.v[0].name));
}

int pprof_stacks(const struct stacks *s, FILE *out)
{
	struct pprof w = { .s = s, .m.file = out };
	struct strbuf scratch = STRBUF_INIT;

	w.p.out = &w.m.text;
	string_of(&w, "");	/* as the table of strings numbers them */
	find_functions(&w);
	add_types(&w);
	add_samples(&w);
	add_mappings(&w);
	add_location_table(&w);
	add_function_table(&w);
	add_facts(&w);
	vec_foreach(&s->text, text)
		add_string(&w, &scratch, *text);
	vec_foreach(&w.more, text)
		add_string(&w, &scratch, *text);
	strbuf_release(&scratch);
	proto_release(&w.p);
	strtab_release(&w.more_text);
	vec_release(&w.more);
	vec_release(&w.function);
	vec_release(&w.location);
	vec_release(&w.frame);
	vec_release(&w.function_of);
	hidx_release(&w.by_function);
	hidx_release(&w.by_location);
	return markup_end(&w.m);
}
