/*
 * gecko: the processed profile of the Firefox Profiler (profiler.firefox.com), version 60, which newer ones
 * read as well. Stacks, frames and functions are tables that all threads share. A thread here is all samples
 * of one event with equal labels, among which are tgid, tid and comm. Samples of events that count time weigh
 * their time; all others weigh the same, unless periods or numbers of samples are asked for (-F).
 */
#include "format.h"
#include "markup.h"
#include "../util/base/alloc.h"
#include "../util/base/hash.h"
#include "../util/base/json-out.h"

#include <stdlib.h>
#include <string.h>

#define GECKO_VERSION 32u
#define PROCESSED_VERSION 60u
#define NO_ID UINT32_MAX
#define LIB_RESOURCE 1u		/* the type of a resource */

enum category { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL };

/* a function; name, file are ids of text, the library is that of the stacks */
struct gecko_func {
	u32 name, module, source;
};

/* samples of one event with equal labels: a range of the samples of the stacks */
struct gecko_thread {
	size_t first, end;
	u32 labels, event;
	long pid, tid;
	const char *comm, *process;	/* names */
};

struct gecko {
	const struct stacks *s;
	struct markup m;
	struct json w;
	struct strtab text;
	struct { VEC(struct gecko_func); } func;
	struct hidx by_func;
	u32 *func_of;			/* by frame of the stacks */
	struct { VEC(u32); } source;	/* names of source files, ids of text */
	u32 *source_of;			/* by text of the stacks: its number in source plus one */
	struct { VEC(struct gecko_thread); } thread;
	u64 start, end;			/* times of the first sample and the last one */
};

/* ---- functions ---- */

static u32 source_of(struct gecko *g, u32 file)
{
	if (!file)
		return NO_ID;
	if (!g->source_of[file]) {
		vec_push(&g->source, strtab_add(&g->text, stacks_text(g->s, file)));
		g->source_of[file] = g->source.nr;
	}
	return g->source_of[file] - 1;
}

static u32 func_of(struct gecko *g, const struct stacks_frame *f)
{
	struct strbuf scratch = STRBUF_INIT;
	const struct gecko_func fn = { strtab_add(&g->text, stacks_frame_name(g->s, f, &scratch)),
				       f->module, source_of(g, f->file) };
	u64 hash = hash_bytes(&fn, sizeof(fn));
	u32 id;

	strbuf_release(&scratch);
	HIDX_FOREACH(&g->by_func, hash, id)
		if (!memcmp(&g->func.v[id], &fn, sizeof(fn)))
			return id;
	hidx_insert(&g->by_func, hash, g->func.nr);
	vec_push(&g->func, fn);
	return g->func.nr - 1;
}

static u32 module_name(struct gecko *g, u32 module)
{
	return strtab_add(&g->text, stacks_text(g->s, g->s->module.v[module].name));
}

static void find_functions(struct gecko *g)
{
	const struct stacks *s = g->s;

	g->source_of = xcalloc(s->text.nr + 1, sizeof(u32));
	g->func_of = xcalloc(s->frame.nr + 1, sizeof(u32));
	for (u32 i = 0; i < s->frame.nr; i++)
		g->func_of[i] = func_of(g, &s->frame.v[i]);
	for (u32 i = 0; i < s->module.nr; i++)
		module_name(g, i);
}

static enum category category_of(const struct gecko *g, const struct stacks_frame *f)
{
	if (f->module == STACKS_NONE)
		return CATEGORY_OTHER;
	return g->s->module.v[f->module].kernel ? CATEGORY_KERNEL : CATEGORY_USER;
}

/* ---- threads ---- */

static const char *label_text(const struct gecko *g, u32 labels, const char *key)
{
	const struct stacks_labels *l = &g->s->labels.v[labels];

	for (u32 i = 0; i < l->nr; i++)
		if (!strcmp(stacks_text(g->s, g->s->label.v[l->first + i].key), key))
			return stacks_text(g->s, g->s->label.v[l->first + i].value);
	return "";
}

/* "make" of "100:make" */
static const char *name_after(const char *task)
{
	const char *colon = strchr(task, ':');

	return colon ? colon + 1 : "";
}

static void find_threads(struct gecko *g)
{
	const struct stacks *s = g->s;

	g->start = UINT64_MAX;
	for (size_t i = 0; i < s->sample.nr; i++) {
		const struct stacks_sample *m = blocks_at(&s->sample, i);
		const struct stack *k = &s->stack.v[m->stack];
		struct gecko_thread *t = g->thread.nr ? &g->thread.v[g->thread.nr - 1] : NULL;

		if (!t || t->labels != k->labels || t->event != k->event) {
			vec_push(&g->thread, (struct gecko_thread){
				.first = i, .labels = k->labels, .event = k->event,
				.pid = strtol(label_text(g, k->labels, "tgid"), NULL, 10),
				.tid = strtol(label_text(g, k->labels, "tid"), NULL, 10),
				.process = name_after(label_text(g, k->labels, "tgid")),
				.comm = label_text(g, k->labels, "comm") });
			t = &g->thread.v[g->thread.nr - 1];
			g->start = MIN(g->start, m->time);
		}
		t->end = i + 1;
		g->end = MAX(g->end, m->time);
	}
}

/* "make (page-faults) cpu=3": what tells it from other threads with its numbers */
static void add_thread_name(struct gecko *g, const struct gecko_thread *t)
{
	static const char *const shown[] = { "tgid", "tid", "comm" };
	const struct stacks_labels *l = &g->s->labels.v[t->labels];
	struct strbuf name = STRBUF_INIT;

	strbuf_addstr(&name, t->comm);
	if (g->s->event.nr > 1)
		strbuf_addf(&name, " (%s)", g->s->event.v[t->event].name);
	for (u32 i = 0; i < l->nr; i++) {
		const struct stacks_label *label = &g->s->label.v[l->first + i];
		const char *key = stacks_text(g->s, label->key);
		bool known = false;

		for (u32 k = 0; k < ARRAY_SIZE(shown); k++)
			known |= !strcmp(shown[k], key);
		if (!known)
			strbuf_addf(&name, " %s=%s", key, stacks_text(g->s, label->value));
	}
	json_key_string(&g->w, "name", strbuf_str(&name));
	strbuf_release(&name);
}

/* ---- columns: arrays of numbers, written without a call of the JSON writer for each ---- */

static struct strbuf *begin_column(struct gecko *g, const char *key)
{
	struct strbuf *out;

	json_key(&g->w, key);
	out = json_value(&g->w);
	strbuf_addch(out, '[');
	return out;
}

static void end_cell(struct gecko *g, bool last)
{
	if (!last)
		strbuf_addch(&g->m.text, ',');
	markup_drain(&g->m);
}

#define COLUMN(g, key, nr, i, add) \
	do { \
		struct strbuf *out = begin_column(g, key); \
		size_t _nr = (nr); \
\
		for (size_t i = 0; i < _nr; i++) { \
			add; \
			end_cell(g, i + 1 == _nr); \
		} \
		strbuf_addch(out, ']'); \
	} while (0)

static void add_id(struct strbuf *out, u32 id)
{
	if (id == NO_ID)
		strbuf_addstr(out, "null");
	else
		strbuf_add_u64(out, id, 0);
}

/* nanoseconds as milliseconds, without zeros at the end */
static void add_ms(struct strbuf *out, u64 ns)
{
	u32 digits = 6, part = ns % 1000000;

	strbuf_add_u64(out, ns / 1000000, 0);
	if (!part)
		return;
	for (; part % 10 == 0; part /= 10)
		digits--;
	strbuf_addf(out, ".%0*u", digits, part);
}

static void add_same(struct gecko *g, const char *key, size_t nr, const char *value)
{
	COLUMN(g, key, nr, i, strbuf_addstr(out, value));
}

/* ---- tables that all threads share ---- */

static void add_stack_table(struct gecko *g)
{
	const struct stacks *s = g->s;
	size_t nr = s->node.nr - 1;	/* without the root */

	json_key(&g->w, "stackTable");
	json_begin_object(&g->w, JSON_LINES);
	COLUMN(g, "frame", nr, i, strbuf_add_u64(out, s->node.v[i + 1].frame, 0));
	/* the root's children have none */
	COLUMN(g, "prefix", nr, i, add_id(out, s->node.v[i + 1].parent - 1));
	json_key_u64(&g->w, "length", nr);
	json_end(&g->w);
}

static void add_frame_table(struct gecko *g)
{
	const struct stacks *s = g->s;
	size_t nr = s->frame.nr;

	json_key(&g->w, "frameTable");
	json_begin_object(&g->w, JSON_LINES);
	COLUMN(g, "address", nr, i, s->frame.v[i].address ? strbuf_add_u64(out, s->frame.v[i].address, 0) :
							    strbuf_addstr(out, "-1"));
	COLUMN(g, "inlineDepth", nr, i, strbuf_add_u64(out, s->frame.v[i].inlined != 0, 0));
	COLUMN(g, "category", nr, i, strbuf_add_u64(out, category_of(g, &s->frame.v[i]), 0));
	add_same(g, "subcategory", nr, "0");
	COLUMN(g, "func", nr, i, strbuf_add_u64(out, g->func_of[i], 0));
	add_same(g, "nativeSymbol", nr, "null");
	add_same(g, "innerWindowID", nr, "null");
	COLUMN(g, "line", nr, i, add_id(out, s->frame.v[i].line ? s->frame.v[i].line : NO_ID));
	add_same(g, "column", nr, "null");
	json_key_u64(&g->w, "length", nr);
	json_end(&g->w);
}

static void add_func_table(struct gecko *g)
{
	size_t nr = g->func.nr;

	json_key(&g->w, "funcTable");
	json_begin_object(&g->w, JSON_LINES);
	COLUMN(g, "name", nr, i, strbuf_add_u64(out, g->func.v[i].name, 0));
	add_same(g, "isJS", nr, "false");
	add_same(g, "relevantForJS", nr, "false");
	COLUMN(g, "resource", nr, i, g->func.v[i].module == STACKS_NONE ?
	       strbuf_addstr(out, "-1") : strbuf_add_u64(out, g->func.v[i].module, 0));
	COLUMN(g, "source", nr, i, add_id(out, g->func.v[i].source));
	add_same(g, "lineNumber", nr, "null");
	add_same(g, "columnNumber", nr, "null");
	json_key_u64(&g->w, "length", nr);
	json_end(&g->w);
}

/* a resource for each library, with the same number */
static void add_resource_table(struct gecko *g)
{
	const struct stacks *s = g->s;
	size_t nr = s->module.nr;

	json_key(&g->w, "resourceTable");
	json_begin_object(&g->w, JSON_LINES);
	COLUMN(g, "lib", nr, i, strbuf_add_u64(out, i, 0));
	COLUMN(g, "name", nr, i, strbuf_add_u64(out, module_name(g, i), 0));
	add_same(g, "host", nr, "null");
	COLUMN(g, "type", nr, i, strbuf_add_u64(out, LIB_RESOURCE, 0));
	json_key_u64(&g->w, "length", nr);
	json_end(&g->w);
}

static void add_other_tables(struct gecko *g)
{
	json_key(&g->w, "sources");
	json_begin_object(&g->w, JSON_LINES);
	add_same(g, "uuid", g->source.nr, "null");
	COLUMN(g, "filename", g->source.nr, i, strbuf_add_u64(out, g->source.v[i], 0));
	json_key_u64(&g->w, "length", g->source.nr);
	json_end(&g->w);
	json_key(&g->w, "nativeSymbols");
	json_begin_object(&g->w, JSON_LINES);
	add_same(g, "libIndex", 0, "");
	add_same(g, "address", 0, "");
	add_same(g, "name", 0, "");
	add_same(g, "functionSize", 0, "");
	json_key_u64(&g->w, "length", 0);
	json_end(&g->w);
}

static void add_shared(struct gecko *g)
{
	json_key(&g->w, "shared");
	json_begin_object(&g->w, JSON_LINES);
	add_stack_table(g);
	add_frame_table(g);
	add_func_table(g);
	add_resource_table(g);
	add_other_tables(g);
	json_key(&g->w, "stringArray");
	json_begin_array(&g->w, JSON_LINES);
	vec_foreach(&g->text.str, text) {
		json_string(&g->w, *text);
		markup_drain(&g->m);
	}
	json_end(&g->w);
	json_end(&g->w);
}

/* ---- libraries ---- */

/* the first 16 bytes of a build-id as a GUID, whose first three numbers are little-endian, and an age of 0 */
static void add_breakpad_id(struct strbuf *out, const char *buildid)
{
	static const u8 order[16] = { 3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15 };
	size_t len = strlen(buildid);

	for (u32 i = 0; i < ARRAY_SIZE(order); i++)
		for (u32 k = 0; k < 2; k++) {
			char c = order[i] * 2 + k < len ? buildid[order[i] * 2 + k] : '0';

			strbuf_addch(out, c >= 'a' && c <= 'f' ? c - 'a' + 'A' : c);
		}
	strbuf_addch(out, '0');
}

static void add_lib(struct gecko *g, const struct stacks_module *m)
{
	const char *name = stacks_text(g->s, m->name), *path = stacks_text(g->s, m->path);
	const char *buildid = stacks_text(g->s, m->buildid);
	struct strbuf id = STRBUF_INIT;

	add_breakpad_id(&id, buildid);
	json_begin_object(&g->w, JSON_COMPACT);
	json_key_string(&g->w, "arch", "");
	json_key_string(&g->w, "name", name);
	json_key_string(&g->w, "path", path);
	json_key_string(&g->w, "debugName", name);
	json_key_string(&g->w, "debugPath", path);
	json_key_string(&g->w, "breakpadId", strbuf_str(&id));
	json_key_string(&g->w, "codeId", *buildid ? buildid : NULL);
	json_end(&g->w);
	markup_drain(&g->m);
	strbuf_release(&id);
}

/* ---- samples ---- */

static bool counts_time(const struct gecko *g, const struct gecko_thread *t)
{
	return !strcmp(g->s->event.v[t->event].unit, "nanoseconds");
}

static bool shows_periods(const struct gecko *g, const struct gecko_thread *t)
{
	return g->s->value == VALUE_PERIOD || (g->s->value == VALUE_USUAL && counts_time(g, t));
}

static const struct stacks_sample *sample_at(const struct gecko *g, const struct gecko_thread *t, size_t i)
{
	return blocks_at(&g->s->sample, t->first + i);
}

static void add_weights(struct gecko *g, const struct gecko_thread *t)
{
	size_t nr = t->end - t->first;
	bool time = counts_time(g, t);

	if (!shows_periods(g, t)) {
		json_key(&g->w, "weight");
		json_null(&g->w);
	} else if (time) {
		COLUMN(g, "weight", nr, i, add_ms(out, sample_at(g, t, i)->period));
	} else {
		COLUMN(g, "weight", nr, i, strbuf_add_u64(out, sample_at(g, t, i)->period, 0));
	}
}

static void add_samples(struct gecko *g, const struct gecko_thread *t)
{
	size_t nr = t->end - t->first;

	json_key(&g->w, "samples");
	json_begin_object(&g->w, JSON_LINES);
	/* no stack is the root, which the table does not have */
	COLUMN(g, "stack", nr, i, add_id(out, g->s->stack.v[sample_at(g, t, i)->stack].node - 1));
	COLUMN(g, "timeDeltas", nr, i,
	       add_ms(out, sample_at(g, t, i)->time - (i ? sample_at(g, t, i - 1)->time : g->start)));
	add_weights(g, t);
	if (counts_time(g, t) && !g->s->event.v[t->event].waits)
		COLUMN(g, "threadCPUDelta", nr, i, strbuf_add_u64(out, sample_at(g, t, i)->period, 0));
	json_key_string(&g->w, "weightType",
			counts_time(g, t) && shows_periods(g, t) ? "tracing-ms" : "samples");
	json_key_u64(&g->w, "length", nr);
	json_end(&g->w);
}

static void add_no_markers(struct gecko *g)
{
	static const char *const column[] = { "data", "name", "startTime", "endTime", "phase", "category" };

	json_key(&g->w, "markers");
	json_begin_object(&g->w, JSON_COMPACT);
	for (u32 i = 0; i < ARRAY_SIZE(column); i++)
		add_same(g, column[i], 0, "");
	json_key_u64(&g->w, "length", 0);
	json_end(&g->w);
}

static void add_thread(struct gecko *g, const struct gecko_thread *t)
{
	struct strbuf pid = STRBUF_INIT;

	strbuf_addf(&pid, "%ld", t->pid);
	json_begin_object(&g->w, JSON_LINES);
	json_key_string(&g->w, "processType", "default");
	json_key_u64(&g->w, "processStartupTime", 0);
	json_key_string(&g->w, "processShutdownTime", NULL);
	json_key_u64(&g->w, "registerTime", 0);
	json_key_string(&g->w, "unregisterTime", NULL);
	add_same(g, "pausedRanges", 0, "");
	add_thread_name(g, t);
	json_key_bool(&g->w, "isMainThread", t->pid == t->tid);
	json_key_string(&g->w, "processName", t->process);
	json_key_string(&g->w, "pid", strbuf_str(&pid));
	json_key(&g->w, "tid");
	json_s64(&g->w, t->tid);
	add_samples(g, t);
	add_no_markers(g);
	json_end(&g->w);
	strbuf_release(&pid);
}

/* ---- what the profile is ---- */

static void add_categories(struct gecko *g)
{
	static const char *const category[][2] = { { "Other", "grey" }, { "User", "yellow" },
						   { "Kernel", "orange" } };

	json_key(&g->w, "categories");
	json_begin_array(&g->w, JSON_LINES);
	for (u32 i = 0; i < ARRAY_SIZE(category); i++) {
		json_begin_object(&g->w, JSON_COMPACT);
		json_key_string(&g->w, "name", category[i][0]);
		json_key_string(&g->w, "color", category[i][1]);
		json_key(&g->w, "subcategories");
		json_begin_array(&g->w, JSON_COMPACT);
		json_string(&g->w, "Other");
		json_end(&g->w);
		json_end(&g->w);
	}
	json_end(&g->w);
}

/* between two samples of a thread that runs, in nanoseconds */
static u64 interval_of(const struct stacks *s)
{
	vec_foreach(&s->event, e) {
		if (e->freq)
			return 1000000000 / e->freq;
		if (e->period && !strcmp(e->unit, "nanoseconds"))
			return e->period;
	}
	return 1000000;
}

/* of the first sample since 1970: the file was written after the last one */
static u64 start_time(const struct gecko *g)
{
	u64 duration = g->thread.nr ? g->end - g->start : 0;

	return g->s->time_ns > duration ? g->s->time_ns - duration : 0;
}

static const char *command_of(const char *comment)
{
	static const char mark[] = "command: ";

	return strncmp(comment, mark, strlen(mark)) ? comment : comment + strlen(mark);
}

static void add_meta(struct gecko *g)
{
	const struct stacks *s = g->s;

	json_key(&g->w, "meta");
	json_begin_object(&g->w, JSON_LINES);
	json_key(&g->w, "interval");
	add_ms(json_value(&g->w), interval_of(s));
	json_key(&g->w, "startTime");
	add_ms(json_value(&g->w), start_time(g));
	json_key_u64(&g->w, "processType", 0);
	json_key_string(&g->w, "product", s->machine ? stacks_text(s, s->machine) : "perf");
	json_key_string(&g->w, "importedFrom", "perf");
	json_key_string(&g->w, "oscpu", s->kernel ? stacks_text(s, s->kernel) : "Linux");
	if (s->comment.nr)
		json_key_string(&g->w, "arguments", command_of(stacks_text(s, s->comment.v[0])));
	json_key_u64(&g->w, "stackwalk", 1);
	json_key_u64(&g->w, "version", GECKO_VERSION);
	json_key_u64(&g->w, "preprocessedProfileVersion", PROCESSED_VERSION);
	json_key_bool(&g->w, "symbolicated", true);
	json_key_bool(&g->w, "symbolicationNotSupported", s->by != STACKS_ADDRESSES);
	json_key_bool(&g->w, "usesOnlyOneStackType", true);
	json_key_bool(&g->w, "sourceCodeIsNotOnSearchfox", true);
	json_key(&g->w, "sampleUnits");
	json_begin_object(&g->w, JSON_COMPACT);
	json_key_string(&g->w, "time", "ms");
	json_key_string(&g->w, "eventDelay", "ms");
	json_key_string(&g->w, "threadCPUDelta", "ns");
	json_end(&g->w);
	add_same(g, "markerSchema", 0, "");
	add_categories(g);
	json_end(&g->w);
}

int gecko_samples(const struct stacks *s, FILE *out)
{
	struct gecko g = { .s = s, .m.file = out, .w.indent = "" };

	g.w.out = &g.m.text;
	find_functions(&g);
	find_threads(&g);
	json_begin_object(&g.w, JSON_LINES);
	add_meta(&g);
	json_key(&g.w, "libs");
	json_begin_array(&g.w, JSON_LINES);
	vec_foreach(&s->module, m)
		add_lib(&g, m);
	json_end(&g.w);
	add_shared(&g);
	json_key(&g.w, "threads");
	json_begin_array(&g.w, JSON_LINES);
	vec_foreach(&g.thread, t)
		add_thread(&g, t);
	json_end(&g.w);
	json_end(&g.w);
	strbuf_addch(&g.m.text, '\n');
	json_release(&g.w);
	strtab_release(&g.text);
	vec_release(&g.func);
	hidx_release(&g.by_func);
	free(g.func_of);
	vec_release(&g.source);
	free(g.source_of);
	vec_release(&g.thread);
	return markup_end(&g.m);
}
