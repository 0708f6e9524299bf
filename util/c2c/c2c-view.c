/* C2c view: the tables of lines and of what happens in them. */
#include "c2c-view.h"

#include <stdlib.h>
#include "../fields/file-facts.h"
#include "c2c-columns.h"
#include "c2c-graph.h"

#define LEAST_SHARE 0.1		/* lines with less are not shown, unless all are asked for */

static int cmp_lines(const void *pa, const void *pb, void *opts)
{
	const struct c2c_line *a = *(const struct c2c_line *const *)pa,
			      *b = *(const struct c2c_line *const *)pb;
	u64 na = c2c_shown(opts, &a->stats), nb = c2c_shown(opts, &b->stats);

	if (na != nb)
		return na < nb ? 1 : -1;
	if (a->address != b->address)
		return a->address < b->address ? -1 : 1;
	return a->pid < b->pid ? -1 : 1;
}

static int cmp_rows(const void *pa, const void *pb, void *opts)
{
	const struct c2c_row *a = *(const struct c2c_row *const *)pa,
			     *b = *(const struct c2c_row *const *)pb;
	u64 na = c2c_shown(opts, &a->stats), nb = c2c_shown(opts, &b->stats);

	if (a->of->index != b->of->index)
		return a->of->index < b->of->index ? -1 : 1;
	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (na != nb)
		return na < nb ? 1 : -1;
	if (a->ip != b->ip)
		return a->ip < b->ip ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->tid < b->tid ? -1 : 1;
}

struct shown_lines { VEC(struct c2c_line *); };
struct shown_rows { VEC(struct c2c_row *); };

/* the lines that are shown, in their order */
static void choose_lines(struct c2c *c, struct shown_lines *ret, struct arena *arena)
{
	u64 all = c2c_shown(c->o, &c->total);

	vec_foreach(&c->line, l) {
		l->share = all ? 100.0 * c2c_shown(c->o, &l->stats) / all : 0;
		l->index = ID_NONE;
		if (l->share < LEAST_SHARE && !c->o->show_all)
			continue;
		l->node_text = c2c_phys_nodes(&l->phys, arena);
		vec_push(ret, l);
	}
	if (ret->nr)
		qsort_r(ret->v, ret->nr, sizeof(*ret->v), cmp_lines, (void *)c->o);
	for (u32 i = 0; i < ret->nr; i++)
		ret->v[i]->index = i;
}

/* of these lines: what pulled them from other caches, or wrote to them */
static void choose_rows(struct c2c *c, struct shown_rows *ret)
{
	vec_foreach(&c->row, r) {
		r->of = &c->line.v[r->line];
		if (r->of->index != ID_NONE && (c2c_shown(c->o, &r->stats) || r->stats.n[C2C_STORE]))
			vec_push(ret, r);
	}
	if (ret->nr)
		qsort_r(ret->v, ret->nr, sizeof(*ret->v), cmp_rows, (void *)c->o);
}

static struct view_table *add_table(struct c2c *c, struct view *v, const struct view_field *field,
				    u32 nr_fields, void *row, size_t nr, u32 form)
{
	struct view_rows rows = { .field = field, .nr_fields = nr_fields, .form = form,
				  .table = c2c_columns_shown(c->o, form), .row = row, .nr = nr,
				  .size = sizeof(void *), .limit = nr };

	vec_push(&v->owned, row);
	return view_add_rows(v, &rows);
}

/* the line that introduces the rows of a cache line */
static const char *section(const struct c2c *c, const struct c2c_line *l, struct arena *arena)
{
	static const char rule[] =
		"  ----------------------------------------------------------------------\n";
	bool peer = c->o->display == C2C_PEER;
	const u64 *n = l->stats.n;
	struct strbuf text = STRBUF_INIT;
	const char *ret;

	strbuf_addf(&text, "%s%s%7u  %7lu  %7lu  %7lu  %7lu  %7lu  %#18lx\n%s", l->index ? "\n" : "", rule,
		    l->index, n[peer ? C2C_RMT_PEER : C2C_RMT_HITM], n[peer ? C2C_LCL_PEER : C2C_LCL_HITM],
		    n[C2C_ST_L1_HIT], n[C2C_ST_L1_MISS], n[C2C_ST_NA], l->address, rule);
	ret = arena_strdup(arena, strbuf_str(&text));
	strbuf_release(&text);
	return ret;
}

static void add_sections(const struct c2c *c, struct view *v, struct view_table *t,
			 const struct shown_rows *rows)
{
	const char **before = arena_zalloc(&v->arena, (rows->nr + 1) * sizeof(*before));

	for (size_t i = 0; i < rows->nr; i++)
		if (!i || rows->v[i]->of != rows->v[i - 1]->of)
			before[i] = section(c, rows->v[i]->of, &v->arena);
	t->before_row = before;
}

static void add_graphs(struct c2c *c, struct view *v, struct view_table *t,
		       const struct shown_rows *rows)
{
	u64 *total = arena_zalloc(&v->arena, (rows->nr + 1) * sizeof(*total));

	t->tree = arena_zalloc(&v->arena, (rows->nr + 1) * sizeof(*t->tree));
	for (size_t i = 0; i < rows->nr; i++) {
		total[i] = rows->v[i]->of->period;
		t->tree[i] = c2c_graph(c, rows->v[i], v);
	}
	t->row_total = total;
}

static const char *nodes_title(const struct c2c_opts *o)
{
	switch (o->nodes) {
	case C2C_NODES:
		return "Node";
	case C2C_NODE_CPUS:
		return "Node{cpu list}";
	default:
		return o->display == C2C_PEER ? "Node{cpus %peers %stores}" : "Node{cpus %hitms %stores}";
	}
}

static void add_rows(struct c2c *c, struct view *v, u32 form)
{
	struct shown_rows rows = { 0 };
	struct view_column *nodes;
	struct view_table *t;

	choose_rows(c, &rows);
	c2c_name_rows(c, rows.v, rows.nr, &v->arena, form);
	t = add_table(c, v, c2c_row_columns, c2c_nr_row_columns, rows.v, rows.nr, form);
	t->name = "offsets";
	t->title = "Shared Cache Line Distribution Pareto";
	nodes = &t->column.v[t->column.nr - 1];
	nodes->title = nodes_title(c->o);
	nodes->width = MAX(nodes->width, (u32)strlen(nodes->title));
	add_sections(c, v, t, &rows);
	if (c->has_chains)
		add_graphs(c, v, t, &rows);
}

struct view *c2c_view(struct c2c *c, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct shown_lines lines = { 0 };
	struct view_table *t;

	v->name = "c2c";
	v->tables = "tables";
	v->summaries_first = true;
	file_facts(&v->fact, &v->arena, c->session);
	view_fact_number(&v->fact, "cacheline-size", c->line_size);
	c2c_add_stats(c, v);
	c2c_add_details(c, v);
	if (c->o->stats_only)
		return v;
	c2c_stacks_sort(c);
	choose_lines(c, &lines, &v->arena);
	t = add_table(c, v, c2c_line_columns, c2c_nr_line_columns, lines.v, lines.nr, form);
	t->name = "lines";
	t->title = "Shared Data Cache Line Table";
	add_rows(c, v, form);
	return v;
}
