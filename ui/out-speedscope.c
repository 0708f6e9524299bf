/*
 * speedscope: the JSON document that speedscope.app reads, a sampled profile for each event and each number
 * that its stacks have: periods, then numbers of samples, then weights. It knows
 * names, files and lines of frames alone, so a stack begins with the values of its labels, and frames
 * whose line is not known have their module as the file. Stacks with equal labels are neighbours, which
 * its view in the order of samples shows as one block.
 */
#include "format.h"
#include "markup.h"
#include "../util/base/alloc.h"
#include "../util/base/hash.h"
#include "../util/base/json-out.h"
#include "../util/base/sort.h"

#include <stdlib.h>
#include <string.h>

/* texts are ids of name */
struct speedscope_frame {
	u32 name, file, line;
};

struct speedscope {
	const struct stacks *s;
	struct markup m;
	struct json w;
	struct strtab text;
	struct { VEC(struct speedscope_frame); } frame;
	struct hidx by_frame;
	u32 *frame_of;		/* by frame of the stacks */
	u32 *label_frame;	/* by position in the labels of the stacks */
	struct sort_pair *order;	/* of stacks: by labels, then by node */
};

static u32 add_frame(struct speedscope *o, const char *name, const char *file, u32 line)
{
	const struct speedscope_frame f = { strtab_add(&o->text, name), strtab_add(&o->text, file), line };
	u64 hash = hash_bytes(&f, sizeof(f));
	u32 id;

	HIDX_FOREACH(&o->by_frame, hash, id)
		if (!memcmp(&o->frame.v[id], &f, sizeof(f)))
			return id;
	id = o->frame.nr;
	vec_push(&o->frame, f);
	hidx_insert(&o->by_frame, hash, id);
	return id;
}

/* what tells frames of one function apart is in its name, unless it is the line */
static u32 frame_of(struct speedscope *o, const struct stacks_frame *f)
{
	const struct stacks *s = o->s;
	struct strbuf name = STRBUF_INIT, scratch = STRBUF_INIT;
	const char *file = "";
	u32 id;

	strbuf_addstr(&name, stacks_frame_name(s, f, &scratch));
	if (f->function && !f->file && !f->inlined && !f->mark && s->by != STACKS_FUNCTIONS)
		strbuf_addf(&name, " +%lu", f->offset);
	strbuf_addstr(&name, f->inlined ? " (inlined)" : "");
	if (f->file)
		file = stacks_text(s, f->file);
	else if (f->module != STACKS_NONE)
		file = stacks_text(s, s->module.v[f->module].path);
	id = add_frame(o, strbuf_str(&name), file, f->file ? f->line : 0);
	strbuf_release(&name);
	strbuf_release(&scratch);
	return id;
}

static void find_frames(struct speedscope *o)
{
	const struct stacks *s = o->s;

	o->frame_of = xcalloc(s->frame.nr + 1, sizeof(u32));
	o->label_frame = xcalloc(s->label.nr + 1, sizeof(u32));
	for (u32 i = 0; i < s->label.nr; i++)
		o->label_frame[i] = add_frame(o, stacks_text(s, s->label.v[i].value), "", 0);
	for (u32 i = 0; i < s->frame.nr; i++)
		o->frame_of[i] = frame_of(o, &s->frame.v[i]);
}

static void find_order(struct speedscope *o)
{
	size_t nr = o->s->stack.nr;

	o->order = xreallocarray(NULL, 2 * nr + 1, sizeof(*o->order));
	for (size_t i = 0; i < nr; i++)
		o->order[i] = (struct sort_pair){ o->s->stack.v[i].labels, i };
	sort_pairs(o->order, o->order + nr, nr);
}

/* ---- parts of the document ---- */

static void add_shared(struct speedscope *o)
{
	json_key(&o->w, "shared");
	json_begin_object(&o->w, JSON_COMPACT);
	json_key(&o->w, "frames");
	json_begin_array(&o->w, JSON_LINES);
	vec_foreach(&o->frame, f) {
		json_begin_object(&o->w, JSON_COMPACT);
		json_key_string(&o->w, "name", strtab_get(&o->text, f->name));
		if (f->file)
			json_key_string(&o->w, "file", strtab_get(&o->text, f->file));
		if (f->line)
			json_key_u64(&o->w, "line", f->line);
		json_end(&o->w);
		markup_drain(&o->m);
	}
	json_end(&o->w);
	json_end(&o->w);
}

/* the n-th stack in the order of the document if it is of this event, or NULL */
static const struct stack *stack_at(const struct speedscope *o, size_t n, u32 event)
{
	const struct stack *k = &o->s->stack.v[o->order[n].val];

	return k->event == event ? k : NULL;
}

static void add_stack(struct speedscope *o, const struct stack *k, struct stacks_path *path)
{
	const struct stacks_labels *l = &o->s->labels.v[k->labels];

	json_begin_array(&o->w, JSON_COMPACT);
	for (u32 i = 0; i < l->nr; i++)
		json_u64(&o->w, o->label_frame[l->first + i]);
	stacks_path(o->s, k->node, path);
	for (u32 i = path->nr; i-- > 0;)
		json_u64(&o->w, o->frame_of[path->v[i]]);
	json_end(&o->w);
	markup_drain(&o->m);
}

static void add_samples(struct speedscope *o, u32 event, enum stacks_value value)
{
	struct stacks_path path = { 0 };
	const struct stack *k;
	u64 sum = 0;

	json_key(&o->w, "samples");
	json_begin_array(&o->w, JSON_LINES);
	for (size_t i = 0; i < o->s->stack.nr; i++)
		if ((k = stack_at(o, i, event)))
			add_stack(o, k, &path);
	json_end(&o->w);
	json_key(&o->w, "weights");
	json_begin_array(&o->w, JSON_LINES);
	for (size_t i = 0; i < o->s->stack.nr; i++) {
		if (!(k = stack_at(o, i, event)))
			continue;
		json_u64(&o->w, stack_value(k, value));
		sum += stack_value(k, value);
		markup_drain(&o->m);
	}
	json_end(&o->w);
	json_key_u64(&o->w, "startValue", 0);
	json_key_u64(&o->w, "endValue", sum);
	vec_release(&path);
}

static void add_profile(struct speedscope *o, u32 event, enum stacks_value value)
{
	const struct stacks_event *e = &o->s->event.v[event];
	const char *unit = stacks_value_unit(e, value);
	struct strbuf name = STRBUF_INIT;

	stacks_add_value_name(e, value, &name);
	json_begin_object(&o->w, JSON_LINES);
	json_key_string(&o->w, "type", "sampled");
	json_key_string(&o->w, "name", strbuf_str(&name));
	json_key_string(&o->w, "unit", strcmp(unit, "nanoseconds") ? "none" : unit);
	add_samples(o, event, value);
	json_end(&o->w);
	strbuf_release(&name);
}

/* periods come first, because the first profile is the one that is shown */
static void add_profiles(struct speedscope *o)
{
	json_key(&o->w, "profiles");
	json_begin_array(&o->w, JSON_LINES);
	for (enum stacks_value v = VALUE_PERIOD; v < NR_STACKS_VALUES; v++)
		for (u32 e = 0; e < o->s->event.nr; e++)
			if (stacks_has_value(&o->s->event.v[e], v))
				add_profile(o, e, v);
	json_end(&o->w);
}

/* "host=a build=1": what all samples have, else "perf" */
static void add_name(struct speedscope *o)
{
	const struct stacks *s = o->s;
	struct strbuf name = STRBUF_INIT;

	vec_foreach(&s->constant, l)
		strbuf_addf(&name, "%s%s=%s", name.len ? " " : "", stacks_text(s, l->key),
			    stacks_text(s, l->value));
	json_key_string(&o->w, "name", name.len ? strbuf_str(&name) : "perf");
	strbuf_release(&name);
}

int speedscope_stacks(const struct stacks *s, FILE *out)
{
	struct speedscope o = { .s = s, .m.file = out, .w.indent = "" };

	o.w.out = &o.m.text;
	find_frames(&o);
	find_order(&o);
	json_begin_object(&o.w, JSON_LINES);
	json_key_string(&o.w, "$schema", "https://www.speedscope.app/file-format-schema.json");
	json_key_string(&o.w, "exporter", "perf");
	add_name(&o);
	add_shared(&o);
	add_profiles(&o);
	json_end(&o.w);
	strbuf_addch(&o.m.text, '\n');
	json_release(&o.w);
	strtab_release(&o.text);
	vec_release(&o.frame);
	hidx_release(&o.by_frame);
	free(o.frame_of);
	free(o.label_frame);
	free(o.order);
	return markup_end(&o.m);
}
