/* Imported stacks: see imported-stacks.h. */
#include "imported-stacks.h"

#include <stdlib.h>
#include <string.h>
#include "../data/import-write.h"
#include "../machine/dso.h"
#include "../obj/buildid.h"
#include "../obj/demangle.h"
#include "../obj/sympack.h"

/* from numbers of elements of the profile to their numbers in out */
struct imported {
	struct stacks *out;
	const struct stacks *from;
	const char *origin;
	u32 *shown;			/* by function: its text as shown, plus one; 0: not known yet */
	u32 *raw;			/* the same for functions of the kernel */
	u32 *module, *frame, *inlined, *labels;	/* plus one; module: the last one is that of none */
	u32 *node, *event;
	struct arena arena;
	struct strbuf text, safe;
};

static const char *text_of(const struct imported *m, u32 id)
{
	return strtab_get(&m->from->strings, id);
}

static u32 safe_text(struct imported *m, const char *text)
{
	strbuf_reset(&m->safe);
	strbuf_add_safe(&m->safe, text);
	return stacks_add_text(m->out, strbuf_str(&m->safe));
}

static u32 module_of(struct imported *m, u32 id)
{
	const struct stacks_module *mod = id == STACKS_NONE ? NULL : &m->from->module.v[id];
	u32 *known = &m->module[mod ? id : m->from->module.nr];
	struct sympack_dso d;

	if (*known)
		return *known - 1;
	import_name_module(&m->arena, mod ? text_of(m, mod->path) : "", mod ? text_of(m, mod->buildid) : "",
			   mod && mod->kernel, m->origin, &d);
	strbuf_reset(&m->text);
	buildid_hex(&m->text, d.id, d.id_len);
	*known = stacks_add_module(m->out, &(struct stacks_module){
		.name = stacks_add_text(m->out, dso_short_name(&m->arena, d.kind, d.name)),
		.path = stacks_add_text(m->out, d.name),
		.buildid = stacks_add_text(m->out, strbuf_str(&m->text)),
		.kernel = d.kind != SYMPACK_USER }) + 1;
	return *known - 1;
}

static bool in_kernel(const struct imported *m, const struct stacks_frame *f)
{
	return f->module != STACKS_NONE && m->from->module.v[f->module].kernel;
}

/* of user code, demangled */
static u32 shown_text(struct imported *m, const struct stacks_frame *f)
{
	bool kernel = in_kernel(m, f);
	u32 *known = &(kernel ? m->raw : m->shown)[f->function];

	if (*known)
		return *known - 1;
	strbuf_reset(&m->text);
	if (kernel || !demangle(text_of(m, f->function), &m->text))
		strbuf_addstr(&m->text, text_of(m, f->function));
	*known = safe_text(m, strbuf_str(&m->text)) + 1;
	return *known - 1;
}

/* outer: the function into which it was inlined, or the frame itself */
static u32 frame_of(struct imported *m, u32 id, u32 outer)
{
	const struct stacks_frame *f = &m->from->frame.v[id];
	u32 function = shown_text(m, f), *known;
	bool inlined = f->inlined;

	/* a function inlined into a copy of itself is shown as that copy */
	if (inlined && function == shown_text(m, &m->from->frame.v[outer]))
		inlined = false;
	known = &(inlined ? m->inlined : m->frame)[id];
	if (!*known)
		*known = stacks_add_frame(m->out, &(struct stacks_frame){ .function = function,
			.module = module_of(m, f->module), .inlined = inlined }) + 1;
	return *known - 1;
}

/* nodes of stacks: an importer may have made others */
static u8 *used_nodes(const struct stacks *from)
{
	u8 *used = xcalloc(from->node.nr + 1, 1);

	vec_foreach(&from->stack, k)
		used[k->node] = true;
	for (u32 i = from->node.nr; i-- > 1;)
		used[from->node.v[i].parent] |= used[i];
	return used;
}

/* parents come first */
static void add_nodes(struct imported *m)
{
	const struct stacks *from = m->from;
	u32 *outer = xcalloc(from->node.nr + 1, sizeof(*outer));
	u8 *used = used_nodes(from);

	for (u32 i = 1; i < from->node.nr; i++) {
		const struct stacks_node *n = &from->node.v[i];
		const struct stacks_frame *f = &from->frame.v[n->frame];
		bool inlined = f->inlined && n->parent;

		outer[i] = inlined ? outer[n->parent] : n->frame;
		if (!used[i])
			continue;
		/* of kernels, no lines are known, which would say what is inlined */
		m->node[i] = inlined && in_kernel(m, f) ? m->node[n->parent] :
			     stacks_add_child(m->out, m->node[n->parent], frame_of(m, n->frame, outer[i]));
	}
	free(outer);
	free(used);
}

static u32 labels_of(struct imported *m, u32 id)
{
	const struct stacks_labels *l = &m->from->labels.v[id];
	struct { VEC(struct stacks_label); } label = { 0 };

	if (m->labels[id])
		return m->labels[id] - 1;
	for (u32 i = 0; i < l->nr; i++) {
		const struct stacks_label *from = &m->from->label.v[l->first + i];

		vec_push(&label, (struct stacks_label){ stacks_add_text(m->out, text_of(m, from->key)),
							safe_text(m, text_of(m, from->value)) });
	}
	m->labels[id] = stacks_add_labels(m->out, label.v, label.nr) + 1;
	vec_release(&label);
	return m->labels[id] - 1;
}

static int add_events(struct imported *m, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < m->from->event.nr && !ret; i++) {
		const struct stacks_event *e = &m->from->event.v[i];
		bool waits = !strcmp(e->name, "off-cpu");
		const char *unit = waits || !strcmp(e->unit, "nanoseconds") ? "nanoseconds" : "count";

		ret = stacks_add_event(m->out, &(struct stacks_event){ .name = e->name, .unit = unit,
								       .waits = waits }, &m->event[i], err);
	}
	return ret;
}

static void add_stacks(struct imported *m)
{
	vec_foreach(&m->from->stack, k)
		stacks_add(m->out, &(struct stack){
			.node = m->node[k->node], .labels = labels_of(m, k->labels),
			.event = m->event[k->event], .nr = k->nr, .period = k->period });
}

int imported_stacks_add(struct stacks *out, const struct stacks *from, const char *origin, struct err *err)
{
	struct imported m = {
		.out = out, .from = from, .origin = origin,
		.shown = xcalloc(from->strings.str.nr + 1, sizeof(u32)),
		.raw = xcalloc(from->strings.str.nr + 1, sizeof(u32)),
		.module = xcalloc(from->module.nr + 1, sizeof(u32)),
		.frame = xcalloc(from->frame.nr + 1, sizeof(u32)),
		.inlined = xcalloc(from->frame.nr + 1, sizeof(u32)),
		.labels = xcalloc(from->labels.nr + 1, sizeof(u32)),
		.node = xcalloc(from->node.nr + 1, sizeof(u32)),
		.event = xcalloc(from->event.nr + 1, sizeof(u32)),
	};
	int ret = add_events(&m, err);

	if (!ret) {
		add_nodes(&m);
		add_stacks(&m);
	}
	free(m.shown);
	free(m.raw);
	free(m.module);
	free(m.frame);
	free(m.inlined);
	free(m.labels);
	free(m.node);
	free(m.event);
	arena_release(&m.arena);
	strbuf_release(&m.text);
	strbuf_release(&m.safe);
	return ret;
}
