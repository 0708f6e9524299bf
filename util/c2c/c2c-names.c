/* C2c names: the texts of rows. */
#include "c2c-view.h"

#include "../fields/field.h"

const char *c2c_phys_nodes(const struct c2c_phys *p, struct arena *arena)
{
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	if (!p->node.nr)
		return "N/A";
	cpulist_format(&p->node, &text);
	ret = arena_strdup(arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

/* ---- nodes ---- */

static u64 shown_on(const struct c2c_opts *o, const struct c2c_cpu *k)
{
	switch (o->display) {
	case C2C_LOCAL_HITM:
		return k->hitm[0];
	case C2C_REMOTE_HITM:
		return k->hitm[1];
	case C2C_PEER:
		return k->peer;
	default:
		return k->hitm[0] + k->hitm[1];
	}
}

/* what a row did on the CPUs of one node */
struct node_sum {
	u64 shown, stores;
	struct cpulist cpus;
};

static void sum_node(const struct c2c *c, const struct c2c_row *r, u32 node, struct node_sum *ret)
{
	vec_foreach(&r->cpu, k) {
		if (cpu_node(&c->nodes, k->cpu) != node || k->cpu >= CPULIST_MAX)
			continue;
		ret->shown += shown_on(c->o, k);
		ret->stores += k->stores;
		cpulist_add(&ret->cpus, k->cpu);
	}
}

/* " 62.5%", "   n/a" */
static void add_share(struct strbuf *out, u64 part, u64 of)
{
	if (of)
		strbuf_addf(out, " %5.1f%%", 100.0 * part / of);
	else
		strbuf_addstr(out, "    n/a");
}

static void add_node(const struct c2c *c, const struct c2c_row *r, u32 node, const struct node_sum *n,
		     u32 form, struct strbuf *out)
{
	strbuf_addf(out, form == VIEW_FORM_TEXT ? "%2u" : "%u", node);
	if (c->o->nodes == C2C_NODES)
		return;
	strbuf_addch(out, '{');
	if (c->o->nodes == C2C_NODE_CPUS) {
		cpulist_format(&n->cpus, out);
	} else {
		strbuf_addf(out, "%2zu", n->cpus.nr);
		add_share(out, n->shown, c2c_shown(c->o, &r->stats));
		add_share(out, n->stores, r->stats.n[C2C_STORE]);
	}
	strbuf_addch(out, '}');
}

static void add_nodes(const struct c2c *c, const struct c2c_row *r, u32 form, struct strbuf *out)
{
	const struct features *f = &c->session->data->feat;

	for (u32 i = 0; i < f->nr_nodes; i++) {
		struct node_sum n = { 0 };

		sum_node(c, r, f->nodes[i].node, &n);
		if (n.cpus.nr) {
			if (out->len)
				strbuf_addch(out, ' ');
			add_node(c, r, f->nodes[i].node, &n, form, out);
		}
		vec_release(&n.cpus);
	}
}

/* ---- code ---- */

static void take_frames(struct c2c *c)
{
	names_init(&c->names, c->session);
	vec_reserve(&c->names.frame, c->frames.frame.nr + 1);
	c->names.frame.nr = c->frames.frame.nr;
	frames_move(&c->frames, c->names.frame.v);
	if (c->o->by & C2C_BY_CODE)
		names_resolve(&c->names, c->session, true, false);
	if (c->o->by & C2C_BY_CODE && !c->o->no_source)
		names_lines(&c->names);
}

static const char *field_text(const char *name, const struct field_ctx *ctx, u32 frame, bool bare,
			      struct arena *arena)
{
	bool ambiguous;
	const struct field *f = field_find(name, &ambiguous);
	struct strbuf text = STRBUF_INIT;
	u64 key = f->of_frame(ctx, frame);
	const char *ret;

	if (!bare || !f->bare_name || !f->bare_name(ctx, key, &text))
		f->format(ctx, key, &text);
	ret = arena_strdup(arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static const char *dso_text(const struct c2c *c, u32 frame)
{
	u32 id = c->names.frame.v[frame].dso;

	return id == ID_NONE ? "[unknown]" : dsos_at(machine_dsos(c->session->machine), id)->short_name;
}

void c2c_name_rows(struct c2c *c, struct c2c_row **row, size_t nr, struct arena *arena, u32 form)
{
	static const struct field_opts opts = { 0 };
	static const struct stat_sums none = { 0 };
	struct field_ctx ctx = { .machine = c->session->machine, .symbols = c->session->symbols,
				 .opts = &opts, .names = &c->names, .total = &none };
	struct strbuf text = STRBUF_INIT;

	take_frames(c);
	for (size_t i = 0; i < nr; i++) {
		struct c2c_row *r = row[i];

		strbuf_reset(&text);
		add_nodes(c, r, form, &text);
		r->nodes = arena_strdup(arena, strbuf_str(&text));
		r->node_text = c2c_phys_nodes(&r->phys, arena);
		if (c->o->by & C2C_BY_TID) {
			strbuf_reset(&text);
			strbuf_addf(&text, "%7d:", r->tid);
			strbuf_add_safe(&text, r->comm);
			r->task = arena_strdup(arena, strbuf_str(&text));
		}
		if (r->frame != ID_NONE)
			r->dso = dso_text(c, r->frame);
		if (c->o->by & C2C_BY_CODE)
			r->symbol = field_text("symbol", &ctx, r->frame, form != VIEW_FORM_TEXT, arena);
		if (c->o->by & C2C_BY_CODE && !c->o->no_source)
			r->source = field_text("srcline", &ctx, r->frame, false, arena);
	}
	strbuf_release(&text);
}
