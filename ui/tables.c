/* Tables: see tables.h. */
#include "tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../util/base/digits.h"

const struct table tables[NR_TABLES] = {
#define TABLE(id, name, ...) { name, { __VA_ARGS__ } },
#include "tables.def"
#undef TABLE
};

/*
 * limit of the sum of a profile's values, more than a day of 256 CPUs at 5 GHz: a damaged profile must not
 * make sums in a database, which have 63 bits, overflow
 */
#define SUM_MAX (1ull << 57)

/* what stacks say of a frame, positions in frame_text */
struct tables_frame {
	size_t id, name;
};

/* a stack that was written: the hash of its ids of frames, on which names and ending depend */
struct tables_stack {
	u64 frames;
	s64 id;
	u8 len;
	char digits[20];	/* the id as text: each profile that has the stack hashes and writes it */
};

struct tables_labels {
	const char *text;	/* equal texts have equal addresses */
	u32 len;
};

struct tables_writer {
	const struct tables_sink *sink;
	void *ctx;
	u64 nr[NR_TABLES];
	/* ids that were written, with the id as hash: an equal id is an equal row */
	struct { VEC(s64); } id[NR_TABLES];
	struct hidx by_id[NR_TABLES];
	struct { VEC(struct tables_stack); } known;
	struct hidx by_frames;
	/* of the profile that is added; if it is carried (stacks_settle()), also of those before it */
	const struct stacks *s;
	struct { VEC(struct tables_frame); } frame;
	struct strbuf frame_text;
	struct { VEC(u64); } begin;	/* hash of what find_stack() tells apart, by node */
	struct strbuf ids, names;	/* of one stack */
	struct { VEC(u32); } node_stack;	/* elements of known, by node; NOT_KNOWN: none yet */
	struct { VEC(u32); } stack;	/* the same, by stack */
	struct { VEC(struct tables_labels); } labels;	/* by set of labels */
	struct strtab label_text;
	/* by stack; if its row equals an earlier one, it is added to that and has the event NO_ROW */
	struct { VEC(struct stack); } row;
	bool twins;	/* two nodes can have equal ids, or two sets of labels equal texts */
	enum stacks_value value;	/* of its stacks */
	u64 left;			/* of SUM_MAX */
};

#define NO_ROW UINT32_MAX
#define NOT_KNOWN UINT32_MAX

struct tables_writer *tables_new(const struct tables_sink *sink, void *ctx)
{
	struct tables_writer *w = xcalloc(1, sizeof(*w));

	w->sink = sink;
	w->ctx = ctx;
	return w;
}

const u64 *tables_rows(const struct tables_writer *w)
{
	return w->nr;
}

void tables_free(struct tables_writer *w)
{
	for (u32 i = 0; i < NR_TABLES; i++) {
		vec_release(&w->id[i]);
		hidx_release(&w->by_id[i]);
	}
	vec_release(&w->known);
	hidx_release(&w->by_frames);
	vec_release(&w->begin);
	vec_release(&w->frame);
	vec_release(&w->node_stack);
	vec_release(&w->stack);
	vec_release(&w->labels);
	vec_release(&w->row);
	strtab_release(&w->label_text);
	strbuf_release(&w->frame_text);
	strbuf_release(&w->ids);
	strbuf_release(&w->names);
	free(w);
}

/* ---- texts and ids ---- */

/* appends text without what readers could take for something else */
static void add_clean(struct strbuf *out, const char *text)
{
	size_t at = out->len;

	strbuf_add_safe(out, text);
	for (char *p = out->len > at ? out->buf + at : NULL; p && *p; p++)
		*p = *p == '\\' ? '/' : *p == '"' ? '\'' : *p;
}

#define FNV_START 0xcbf29ce484222325ull

static u64 fnv_bytes(u64 h, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		h = (h ^ (u8)s[i]) * 0x100000001b3ull;
	return h;
}

static u64 fnv_text(u64 h, const char *s)
{
	return fnv_bytes(h, s, strlen(s));
}

static u64 fnv(u64 h, const char *s, size_t len)
{
	return fnv_bytes(fnv_bytes(h, s, len), "\n", 1);
}

static u64 fnv_number(u64 h, s64 v)
{
	char text[21] = "-", *end = put_dec(text + 1, v < 0 ? -(u64)v : (u64)v, 0);
	const char *p = text + (v >= 0);

	return fnv(h, p, end - p);
}

static u64 fnv_cell(u64 h, const struct tables_cell *c)
{
	if (c->text)
		return fnv(h, c->text, c->len ? c->len : strlen(c->text));
	return c->digits ? fnv(h, c->digits, c->len) : fnv_number(h, c->number);
}

static u64 fnv_cells(u64 h, const struct tables_cell *cell, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		h = fnv_cell(h, &cell[i]);
	return h;
}

static s64 id_of(u64 hash)
{
	return hash & INT64_MAX;
}

static s64 number_of(u64 v)
{
	return MIN(v, (u64)INT64_MAX);
}

/* remembers an id; false: it is there already */
static bool is_new(struct tables_writer *w, enum table_id table, s64 id)
{
	u32 i;

	HIDX_FOREACH(&w->by_id[table], hash_u64(id), i)
		if (w->id[table].v[i] == id)
			return false;
	hidx_insert(&w->by_id[table], hash_u64(id), w->id[table].nr);
	vec_push(&w->id[table], id);
	return true;
}

static int put(struct tables_writer *w, enum table_id table, const struct tables_cell *cell)
{
	w->nr[table]++;
	return w->sink->row(w->ctx, table, cell);
}

/* ---- rows ---- */

/* {"comm":"make","tid":"12"} */
static char *labels_text(const struct stacks *s, const struct stacks_label *label, u32 nr)
{
	struct strbuf out = STRBUF_INIT;

	for (u32 i = 0; i < nr; i++) {
		strbuf_addstr(&out, i ? ",\"" : "{\"");
		add_clean(&out, stacks_text(s, label[i].key));
		strbuf_addstr(&out, "\":\"");
		add_clean(&out, stacks_text(s, label[i].value));
		strbuf_addch(&out, '"');
	}
	strbuf_addstr(&out, nr ? "}" : "{}");
	return strbuf_detach(&out);
}

static struct tables_labels kept_labels(struct tables_writer *w, const struct stacks_labels *l)
{
	char *text = labels_text(w->s, w->s->label.v + l->first, l->nr);
	u32 nr = w->label_text.str.nr;
	const char *kept = strtab_get(&w->label_text, strtab_add(&w->label_text, text));

	w->twins |= w->label_text.str.nr == nr;
	free(text);
	return (struct tables_labels){ kept, strlen(kept) };
}

static const char *module_text(const struct stacks *s, const struct stacks_frame *f, bool buildid)
{
	const struct stacks_module *m = f->module == STACKS_NONE ? NULL : &s->module.v[f->module];

	return !m ? "" : stacks_text(s, buildid ? m->buildid : m->name);
}

static int add_frame(struct tables_writer *w, const struct stacks_frame *f, s64 *ret)
{
	struct strbuf scratch = STRBUF_INIT, function = STRBUF_INIT, module = STRBUF_INIT, file = STRBUF_INIT;
	struct tables_cell cell[8] = { { 0 } };
	int err = 0;

	add_clean(&function, stacks_frame_name(w->s, f, &scratch));
	add_clean(&module, module_text(w->s, f, false));
	add_clean(&file, stacks_text(w->s, f->file));
	cell[1].text = strbuf_str(&function);
	cell[2].text = strbuf_str(&module);
	cell[3].text = module_text(w->s, f, true);
	cell[4].text = strbuf_str(&file);
	cell[5].number = f->line;
	cell[6].number = number_of(f->offset);
	cell[7].number = f->inlined;
	*ret = cell[0].number = id_of(fnv_cells(FNV_START, cell + 1, 7));
	if (is_new(w, TABLE_FRAME, *ret))
		err = put(w, TABLE_FRAME, cell);
	strbuf_release(&scratch);
	strbuf_release(&function);
	strbuf_release(&module);
	strbuf_release(&file);
	return err;
}

/* keeps the id and the name as stacks have them */
static void keep_frame(struct tables_writer *w, u32 nr, s64 id)
{
	const struct stacks_frame *f = &w->s->frame.v[nr];
	struct strbuf scratch = STRBUF_INIT, *out = &w->frame_text;
	struct tables_frame kept = { .id = out->len };

	strbuf_add_u64(out, id, 0);
	strbuf_addch(out, '\0');
	kept.name = out->len;
	add_clean(out, stacks_frame_name(w->s, f, &scratch));
	for (size_t i = kept.name; i < out->len; i++)
		out->buf[i] = out->buf[i] == ';' ? ':' : out->buf[i];
	strbuf_addch(out, '\0');
	w->frame.v[nr] = kept;
	strbuf_release(&scratch);
}

static int add_stack(struct tables_writer *w, const struct stacks_path *path, s64 *ret)
{
	struct strbuf *frames = &w->ids, *names = &w->names;
	struct tables_cell cell[4] = { { 0 } };
	int err = 0;

	strbuf_reset(frames);
	strbuf_reset(names);
	for (u32 i = path->nr; i-- > 0;) {
		const struct tables_frame *f = &w->frame.v[path->v[i]];

		strbuf_addch(frames, frames->len ? ',' : '[');
		strbuf_addstr(frames, w->frame_text.buf + f->id);
		if (names->len)
			strbuf_addch(names, ';');
		strbuf_addstr(names, w->frame_text.buf + f->name);
	}
	strbuf_addstr(frames, path->nr ? "]" : "[]");
	cell[1].text = strbuf_str(frames);
	cell[2].text = strbuf_str(names);
	cell[3].text = path->nr && w->s->frame.v[path->v[path->nr - 1]].mark ?
		       stacks_text(w->s, w->s->frame.v[path->v[path->nr - 1]].function) : "";
	*ret = cell[0].number = id_of(fnv_cells(FNV_START, cell + 1, 3));
	if (is_new(w, TABLE_STACK, *ret))
		err = put(w, TABLE_STACK, cell);
	else
		w->twins = true;
	return err;
}

/* parents come first */
static void hash_nodes(struct tables_writer *w)
{
	const struct stacks *s = w->s;

	if (!w->begin.nr)
		vec_push(&w->begin, fnv_text(FNV_START, "["));
	for (u32 n = w->begin.nr; n < s->node.nr; n++) {
		const struct stacks_node *node = &s->node.v[n];
		u64 h = w->begin.v[node->parent];

		/* a function can be called as a mark is, which the column ending tells apart */
		h = fnv_text(h, node->parent ? "," : s->frame.v[node->frame].mark ? "!" : "");
		vec_push(&w->begin, fnv_text(h, w->frame_text.buf + w->frame.v[node->frame].id));
	}
}

static struct tables_stack stack_of(u64 frames, s64 id)
{
	struct tables_stack ret = { .frames = frames, .id = id };

	ret.len = put_dec(ret.digits, id, 0) - ret.digits;
	return ret;
}

/* the same stack is often in many profiles: its texts are made once */
static int find_stack(struct tables_writer *w, u32 node, struct stacks_path *path, u32 *ret)
{
	u64 frames = fnv(w->begin.v[node], "]", 1);
	s64 id;
	u32 i;
	int err;

	HIDX_FOREACH(&w->by_frames, hash_u64(frames), i)
		if (w->known.v[i].frames == frames) {
			w->twins = true;
			*ret = i;
			return 0;
		}
	stacks_path(w->s, node, path);
	err = add_stack(w, path, &id);
	*ret = w->known.nr;
	hidx_insert(&w->by_frames, hash_u64(frames), w->known.nr);
	vec_push(&w->known, stack_of(frames, id));
	return err;
}

static int take_frame(struct tables_writer *w, u32 nr)
{
	s64 id = 0;
	int ret = add_frame(w, &w->s->frame.v[nr], &id);

	keep_frame(w, nr, id);
	return ret;
}

/* those that are not known, in the order of their contents */
static int add_frames(struct tables_writer *w)
{
	const struct stacks *s = w->s;
	u32 known = w->frame.nr;
	int ret = 0;

	vec_reserve(&w->frame, s->frame.nr);
	w->frame.nr = s->frame.nr;
	for (u32 i = 0; i < s->new_frames.nr && !ret; i++)
		ret = take_frame(w, s->new_frames.v[i]);
	/* all of a profile, or those that were known before another one came between */
	for (u32 i = known; i < s->frame.nr - s->new_frames.nr && !ret; i++)
		ret = take_frame(w, i);
	return ret;
}

static int add_stacks(struct tables_writer *w)
{
	const struct stacks *s = w->s;
	struct stacks_path path = { 0 };
	int ret = add_frames(w);

	if (!ret)
		hash_nodes(w);
	while (w->node_stack.nr < s->node.nr)
		vec_push(&w->node_stack, NOT_KNOWN);
	for (size_t i = 0; i < s->stack.nr && !ret; i++) {
		u32 *known = &w->node_stack.v[s->stack.v[i].node];

		if (*known == NOT_KNOWN)
			ret = find_stack(w, s->stack.v[i].node, &path, known);
		vec_push(&w->stack, *known);
	}
	vec_release(&path);
	return ret;
}

static u64 hash_row(const struct tables_writer *w, const struct stack *k, s64 id)
{
	return hash_u64(hash_mix(hash_mix(hash_u64(id), (uintptr_t)w->labels.v[k->labels].text), k->event));
}

static s64 id_of_stack(const struct tables_writer *w, size_t i)
{
	return w->known.v[w->stack.v[i]].id;
}

/* stacks are equal rows if their modules differ in their paths alone, or their texts in what is replaced */
static void add_up_rows(struct tables_writer *w)
{
	const struct stacks *s = w->s;
	struct hidx by_row = { 0 };

	w->row.nr = 0;
	vec_reserve(&w->row, s->stack.nr);
	if (w->twins)
		hidx_reserve(&by_row, s->stack.nr);
	for (u32 i = 0; i < s->stack.nr && !w->twins; i++)
		vec_push(&w->row, s->stack.v[i]);
	for (u32 i = w->row.nr; i < s->stack.nr; i++) {
		struct stack k = s->stack.v[i];
		u64 hash = hash_row(w, &k, id_of_stack(w, i));
		u32 id;

		HIDX_FOREACH(&by_row, hash, id) {
			struct stack *old = &w->row.v[id];

			if (id_of_stack(w, id) != id_of_stack(w, i) || old->event != k.event ||
			    w->labels.v[old->labels].text != w->labels.v[k.labels].text)
				continue;
			old->nr += k.nr;
			old->period += k.period;
			old->weight += k.weight;
			k.event = NO_ROW;
			break;
		}
		if (k.event != NO_ROW)
			hidx_insert(&by_row, hash, i);
		vec_push(&w->row, k);
	}
	hidx_release(&by_row);
}

/* a value, as far as it fits into the sum of its profile */
static s64 value_of(struct tables_writer *w, u64 value)
{
	u64 v = MIN(value, w->left);

	w->left -= v;
	return v;
}

/* to be called for the stacks of an event in their order */
static void sample_cells(struct tables_writer *w, size_t i, const struct tables_cell *profile,
			 struct tables_cell *cell)
{
	const struct stack *k = &w->row.v[i];
	const struct tables_stack *st = &w->known.v[w->stack.v[i]];
	const struct tables_labels *l = &w->labels.v[k->labels];

	cell[0] = *profile;
	cell[1] = (struct tables_cell){ .number = st->id, .digits = st->digits, .len = st->len };
	cell[2] = (struct tables_cell){ .text = l->text, .len = l->len };
	cell[3] = (struct tables_cell){ .number = number_of(k->nr) };
	cell[4] = (struct tables_cell){ .number = value_of(w, stack_value(k, w->value)) };
}

/* since 1970, as far as the time of the file is that of its last sample; else of the recording's clock */
static s64 time_of(const struct stacks *s, u64 time, u64 last)
{
	return number_of(s->time_ns > last - time ? s->time_ns - (last - time) : time);
}

static int add_times(struct tables_writer *w, u32 event, s64 profile)
{
	const struct stacks *s = w->s;
	u64 last = 0;
	int ret = 0;

	w->left = SUM_MAX;
	for (size_t i = 0; i < s->sample.nr; i++)
		last = MAX(last, blocks_at(&s->sample, i)->time);
	for (size_t i = 0; i < s->sample.nr && !ret; i++) {
		const struct stacks_sample *m = blocks_at(&s->sample, i);
		bool other = s->stack.v[m->stack].event != event;
		const struct tables_cell cell[] = {
			{ .number = profile }, { .number = id_of_stack(w, m->stack) },
			{ .text = w->labels.v[s->stack.v[m->stack].labels].text },
			{ .number = time_of(s, m->time, last) },
			{ .number = m->cpu == STACKS_NO_CPU ? -1 : (s64)m->cpu },
			{ .number = other ? 0 : value_of(w, m->period) },
		};

		if (!other)
			ret = put(w, TABLE_SAMPLE_AT, cell);
	}
	return ret;
}

/* neither time nor boot: the same samples are the same profile, wherever and whenever they are converted */
static s64 profile_id(struct tables_writer *w, u32 event, const struct tables_cell *cell)
{
	u64 hash = fnv_cells(FNV_START, cell + 2, 7);

	w->left = SUM_MAX;
	for (size_t i = 0; i < w->row.nr; i++) {
		struct tables_cell sample[5];

		if (w->row.v[i].event != event)
			continue;
		sample_cells(w, i, &(struct tables_cell){ 0 }, sample);
		hash = fnv_cells(hash, sample + 1, 4);
	}
	return id_of(hash);
}

/* the samples of a profile, and their times, which have periods alone */
static int add_samples(struct tables_writer *w, u32 event, s64 profile)
{
	const struct tables_stack text = stack_of(0, profile);
	const struct tables_cell first = { .number = profile, .digits = text.digits, .len = text.len };
	struct tables_cell cell[5];
	int ret = 0;

	w->left = SUM_MAX;
	for (size_t i = 0; i < w->row.nr && !ret; i++) {
		if (w->row.v[i].event != event)
			continue;
		sample_cells(w, i, &first, cell);
		ret = put(w, TABLE_SAMPLE, cell);
	}
	return ret || w->value != VALUE_PERIOD ? ret : add_times(w, event, profile);
}

/* a profile: an event, with w->value of its stacks */
static int add_event(struct tables_writer *w, u32 event, const char *labels)
{
	const struct stacks *s = w->s;
	const struct stacks_event *e = &s->event.v[event];
	struct strbuf name = STRBUF_INIT, machine = STRBUF_INIT, kernel = STRBUF_INIT, boot = STRBUF_INIT;
	struct strbuf full_name = STRBUF_INIT;
	struct tables_cell cell[TABLE_MAX_COLUMNS];
	int ret = 0;

	stacks_add_value_name(e, w->value, &full_name);
	add_clean(&name, strbuf_str(&full_name));
	add_clean(&machine, stacks_text(s, s->machine));
	add_clean(&kernel, stacks_text(s, s->kernel));
	add_clean(&boot, stacks_text(s, s->boot));
	cell[1] = (struct tables_cell){ .number = number_of(s->time_ns) };
	cell[2] = (struct tables_cell){ .text = strbuf_str(&machine) };
	cell[3] = (struct tables_cell){ .text = strbuf_str(&kernel) };
	cell[4] = (struct tables_cell){ .number = number_of(s->duration_ns) };
	cell[5] = (struct tables_cell){ .text = strbuf_str(&name) };
	cell[6] = (struct tables_cell){ .text = stacks_value_unit(e, w->value) };
	cell[7] = (struct tables_cell){ .number = number_of(e->freq) };
	cell[8] = (struct tables_cell){ .text = labels };
	cell[9] = (struct tables_cell){ .text = strbuf_str(&boot) };
	cell[0] = (struct tables_cell){ .number = profile_id(w, event, cell) };
	if (is_new(w, TABLE_PROFILE, cell[0].number) &&
	    (!w->sink->knows || !w->sink->knows(w->ctx, cell[0].number)))
		ret = put(w, TABLE_PROFILE, cell) ?: add_samples(w, event, cell[0].number);
	strbuf_release(&full_name);
	strbuf_release(&name);
	strbuf_release(&machine);
	strbuf_release(&kernel);
	strbuf_release(&boot);
	return ret;
}

/* its periods with the numbers of samples, and its weights, which are a profile of their own */
static int add_values(struct tables_writer *w, u32 event, const char *labels)
{
	int ret;

	w->value = VALUE_PERIOD;
	ret = add_event(w, event, labels);
	w->value = VALUE_WEIGHT;
	if (ret || !stacks_has_value(&w->s->event.v[event], VALUE_WEIGHT))
		return ret;
	return add_event(w, event, labels);
}

/* what is known of the profile before, unless its tables are carried on */
static void begin_profile(struct tables_writer *w, const struct stacks *s)
{
	if (!s->carried || w->s != s) {
		w->frame.nr = w->begin.nr = w->node_stack.nr = w->labels.nr = 0;
		strbuf_reset(&w->frame_text);
	}
	w->stack.nr = 0;
	w->s = s;
}

int tables_add(struct tables_writer *w, const struct stacks *s)
{
	char *labels = labels_text(s, s->constant.v, s->constant.nr);
	int ret;

	begin_profile(w, s);
	for (u32 i = w->labels.nr; i < s->labels.nr; i++)
		vec_push(&w->labels, kept_labels(w, &s->labels.v[i]));
	ret = add_stacks(w);
	add_up_rows(w);
	for (u32 e = 0; e < s->event.nr && !ret; e++)
		ret = add_values(w, e, labels);
	free(labels);
	return ret;
}
