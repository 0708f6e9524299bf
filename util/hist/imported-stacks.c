/* Imported stacks: see imported-stacks.h. */
#include "imported-stacks.h"

#include <stdlib.h>
#include <string.h>
#include "../data/import-write.h"
#include "../machine/dso.h"
#include "../obj/buildid.h"
#include "../obj/demangle.h"
#include "../obj/sympack.h"

/* from numbers of elements of the profile to those in out plus one; 0: not known yet */
struct ids { VEC(u32); };

struct imported_stacks {
	struct stacks *out;
	const struct stacks *from;
	const char *origin;
	struct ids shown;		/* by function: its text as shown */
	struct ids raw;			/* the same for functions of the kernel */
	struct ids module;		/* the first one: no module */
	struct ids frame, inlined, labels, node;
	struct ids outer;		/* by node: the frame that it is inlined in, or its own */
	struct ids path;		/* nodes of one stack */
	struct ids event;		/* of this profile, without plus one */
	struct arena arena;
	struct strbuf text, safe;
};

static const char *text_of(const struct imported_stacks *m, u32 id)
{
	return strtab_get(&m->from->strings, id);
}

static u32 safe_text(struct imported_stacks *m, const char *text)
{
	strbuf_reset(&m->safe);
	strbuf_add_safe(&m->safe, text);
	return stacks_add_text(m->out, strbuf_str(&m->safe));
}

static u32 module_of(struct imported_stacks *m, u32 id)
{
	const struct stacks_module *mod = id == STACKS_NONE ? NULL : &m->from->module.v[id];
	u32 *known = &m->module.v[mod ? id + 1 : 0];
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

static bool in_kernel(const struct imported_stacks *m, const struct stacks_frame *f)
{
	return f->module != STACKS_NONE && m->from->module.v[f->module].kernel;
}

/* of user code, demangled */
static u32 shown_text(struct imported_stacks *m, const struct stacks_frame *f)
{
	bool kernel = in_kernel(m, f);
	u32 *known = &(kernel ? &m->raw : &m->shown)->v[f->function];

	if (*known)
		return *known - 1;
	strbuf_reset(&m->text);
	if (kernel || !demangle(text_of(m, f->function), &m->text))
		strbuf_addstr(&m->text, text_of(m, f->function));
	*known = safe_text(m, strbuf_str(&m->text)) + 1;
	return *known - 1;
}

/* outer: the function into which it was inlined, or the frame itself */
static u32 frame_of(struct imported_stacks *m, u32 id, u32 outer)
{
	const struct stacks_frame *f = &m->from->frame.v[id];
	u32 function = shown_text(m, f), *known;
	bool inlined = f->inlined;

	/* a function inlined into a copy of itself is shown as that copy */
	if (inlined && function == shown_text(m, &m->from->frame.v[outer]))
		inlined = false;
	known = &(inlined ? &m->inlined : &m->frame)->v[id];
	if (!*known)
		*known = stacks_add_frame(m->out, &(struct stacks_frame){ .function = function,
			.module = module_of(m, f->module), .inlined = inlined }) + 1;
	return *known - 1;
}

/* its caller is known */
static u32 add_node(struct imported_stacks *m, u32 id)
{
	const struct stacks_node *n = &m->from->node.v[id];
	const struct stacks_frame *f = &m->from->frame.v[n->frame];
	bool inlined = f->inlined && n->parent;
	u32 parent = m->node.v[n->parent] - 1;

	m->outer.v[id] = inlined ? m->outer.v[n->parent] : n->frame;
	/* of kernels, no lines are known, which would say what is inlined */
	return inlined && in_kernel(m, f) ? parent :
	       stacks_add_child(m->out, parent, frame_of(m, n->frame, m->outer.v[id]));
}

static u32 node_of(struct imported_stacks *m, u32 id)
{
	if (m->node.v[id])
		return m->node.v[id] - 1;
	m->path.nr = 0;
	for (u32 i = id; !m->node.v[i]; i = m->from->node.v[i].parent)
		vec_push(&m->path, i);
	while (m->path.nr) {
		u32 i = m->path.v[--m->path.nr];

		m->node.v[i] = add_node(m, i) + 1;
	}
	return m->node.v[id] - 1;
}

static u32 labels_of(struct imported_stacks *m, u32 id)
{
	const struct stacks_labels *l = &m->from->labels.v[id];
	struct { VEC(struct stacks_label); } label = { 0 };

	if (m->labels.v[id])
		return m->labels.v[id] - 1;
	for (u32 i = 0; i < l->nr; i++) {
		const struct stacks_label *from = &m->from->label.v[l->first + i];

		vec_push(&label, (struct stacks_label){ stacks_add_text(m->out, text_of(m, from->key)),
							safe_text(m, text_of(m, from->value)) });
	}
	m->labels.v[id] = stacks_add_labels(m->out, label.v, label.nr) + 1;
	vec_release(&label);
	return m->labels.v[id] - 1;
}

static int add_events(struct imported_stacks *m, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; i < m->from->event.nr && !ret; i++) {
		const struct stacks_event *e = &m->from->event.v[i];
		bool waits = !strcmp(e->name, "off-cpu");
		const char *unit = waits || !strcmp(e->unit, "nanoseconds") ? "nanoseconds" : "count";

		ret = stacks_add_event(m->out, &(struct stacks_event){ .name = e->name, .unit = unit,
								       .waits = waits }, &m->event.v[i], err);
	}
	return ret;
}

static void make_room(struct ids *ids, size_t nr)
{
	vec_reserve(ids, nr);
	if (nr > ids->nr) {
		memset(ids->v + ids->nr, 0, (nr - ids->nr) * sizeof(*ids->v));
		ids->nr = nr;
	}
}

static void make_rooms(struct imported_stacks *m)
{
	const struct stacks *from = m->from;

	make_room(&m->shown, from->strings.str.nr);
	make_room(&m->raw, from->strings.str.nr);
	make_room(&m->module, from->module.nr + 1);
	make_room(&m->frame, from->frame.nr);
	make_room(&m->inlined, from->frame.nr);
	make_room(&m->labels, from->labels.nr);
	make_room(&m->node, from->node.nr);
	make_room(&m->outer, from->node.nr);
	make_room(&m->event, from->event.nr);
	m->node.v[0] = 1;	/* the root */
}

struct imported_stacks *imported_stacks_new(struct stacks *out, const struct stacks *from, const char *origin)
{
	struct imported_stacks *m = xcalloc(1, sizeof(*m));

	m->out = out;
	m->from = from;
	m->origin = origin;
	return m;
}

int imported_stacks_add(struct imported_stacks *m, struct err *err)
{
	int ret;

	make_rooms(m);
	ret = add_events(m, err);
	if (ret)
		return ret;
	vec_foreach(&m->from->stack, k)
		stacks_add(m->out, &(struct stack){
			.node = node_of(m, k->node), .labels = labels_of(m, k->labels),
			.event = m->event.v[k->event], .nr = k->nr, .period = k->period });
	return 0;
}

void imported_stacks_free(struct imported_stacks *m)
{
	if (!m)
		return;
	vec_release(&m->shown);
	vec_release(&m->raw);
	vec_release(&m->module);
	vec_release(&m->frame);
	vec_release(&m->inlined);
	vec_release(&m->labels);
	vec_release(&m->node);
	vec_release(&m->outer);
	vec_release(&m->path);
	vec_release(&m->event);
	arena_release(&m->arena);
	strbuf_release(&m->text);
	strbuf_release(&m->safe);
	free(m);
}
