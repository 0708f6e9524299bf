/*
 * Folded: a line per stack: its frames from the outermost caller on with semicolons between them, a blank and
 * the period: the input of flame graph programs. Compared with an earlier profile, the earlier period comes
 * first. If there are several tables, a stack begins with the name of the event.
 */
#include <string.h>
#include "flame.h"
#include "format.h"
#include "markup.h"

struct folded {
	struct markup m;
	const char *event;	/* NULL: there is only one */
	bool compared;
};

static void add_path(void *ctx, const char *path, const struct flame_node *n)
{
	struct folded *o = ctx;

	if (o->event)
		strbuf_addf(&o->m.text, "%s;", o->event);
	strbuf_add_safe(&o->m.text, path);
	if (o->compared)
		strbuf_addf(&o->m.text, " %lu", n->self_before);
	strbuf_addf(&o->m.text, " %lu\n", n->self);
	markup_drain(&o->m);
}

int folded_show(const struct view *v, const struct text_opts *opts UNUSED, FILE *out)
{
	struct folded o = { .m.file = out };

	vec_foreach(&v->table, t) {
		struct flame f;

		o.event = v->table.nr > 1 && (*t)->member.nr ? (*t)->member.v[0] : NULL;
		if (flame_make(&f, *t)) {
			o.compared = f.compared;
			flame_prune(&f, SIZE_MAX, 0);
			flame_paths(&f, add_path, &o);
		}
		flame_release(&f);
	}
	return markup_end(&o.m);
}

/* ---- stacks ---- */

/* "work shop.c:14 (inlined)", as report has it in call graphs */
static void frame_text(const struct stacks *s, const struct stacks_frame *f, struct strbuf *out)
{
	struct strbuf scratch = STRBUF_INIT;

	strbuf_reset(out);
	strbuf_addstr(out, stacks_frame_name(s, f, &scratch));
	strbuf_release(&scratch);
	if (f->mark || !f->function)
		return;
	if (f->file) {
		const char *file = stacks_text(s, f->file), *slash = strrchr(file, '/');

		strbuf_addf(out, " %s:%u", slash && slash[1] ? slash + 1 : file, f->line);
	} else if (s->by != STACKS_FUNCTIONS && !f->inlined) {
		strbuf_addf(out, " +%lu", f->offset);
	}
	strbuf_addstr(out, f->inlined ? " (inlined)" : "");
}

static const char *module_name(const struct stacks *s, const struct stacks_frame *f, const char *unknown)
{
	return f->module == STACKS_NONE ? unknown : stacks_text(s, s->module.v[f->module].name);
}

/* without call chains: module and function */
static u32 add_leaf(struct flame *f, const struct stacks *s, u32 at, const struct stacks_frame *frame)
{
	const char *module = module_name(s, frame, "[unknown]");

	at = flame_child(f, at, module, "");
	return flame_child(f, at, frame->function ? stacks_text(s, frame->function) : "[unknown]", module);
}

static void add_stack(struct flame *f, const struct stacks *s, const struct stack *k,
		      struct stacks_path *path, struct strbuf *text)
{
	const struct stacks_labels *l = &s->labels.v[k->labels];
	u32 at = 0;

	for (u32 i = 0; i < l->nr; i++)
		at = flame_child(f, at, stacks_text(s, s->label.v[l->first + i].value), "");
	stacks_path(s, k->node, path);
	for (u32 i = path->nr; i-- > 0;) {
		const struct stacks_frame *frame = &s->frame.v[path->v[i]];

		if (s->event.v[k->event].no_chains) {
			at = add_leaf(f, s, at, frame);
		} else {
			frame_text(s, frame, text);
			at = flame_child(f, at, strbuf_str(text), module_name(s, frame, ""));
		}
	}
	f->node.v[at].self += stack_value(k, s->value);
}

int folded_stacks(const struct stacks *s, FILE *out)
{
	struct folded o = { .m.file = out };
	struct strbuf text = STRBUF_INIT;
	struct stacks_path path = { 0 };

	for (u32 e = 0; e < s->event.nr; e++) {
		struct flame f;

		if (!stacks_has_value(&s->event.v[e], s->value))
			continue;
		flame_begin(&f);
		o.event = s->event.nr > 1 ? s->event.v[e].name : NULL;
		vec_foreach(&s->stack, k)
			if (k->event == e)
				add_stack(&f, s, k, &path, &text);
		flame_prune(&f, SIZE_MAX, 0);
		flame_paths(&f, add_path, &o);
		flame_release(&f);
	}
	vec_release(&path);
	strbuf_release(&text);
	return markup_end(&o.m);
}
