/*
 * Flame graph as a page for a browser: nodes as columns of numbers, each node before its children, which
 * ui/html/flamegraph.js draws.
 */
#include "flame.h"
#include "format.h"
#include "markup.h"

static void add_texts(struct markup *m, const struct strtab *t)
{
	strbuf_addstr(&m->text, "\"texts\":[");
	for (size_t i = 0; i < t->str.nr; i++) {
		strbuf_addstr(&m->text, i ? "," : "");
		page_add_string(&m->text, t->str.v[i]);
		markup_drain(m);
	}
	strbuf_addstr(&m->text, "],\n");
}

static u64 get_depth(const struct flame_node *n) { return n->depth; }
static u64 get_name(const struct flame_node *n) { return n->name; }
static u64 get_module(const struct flame_node *n) { return n->module; }
static u64 get_kernel(const struct flame_node *n) { return n->kernel; }
static u64 get_tint(const struct flame_node *n) { return n->tint; }
static u64 get_total(const struct flame_node *n) { return n->total; }
static u64 get_self(const struct flame_node *n) { return n->self; }
static u64 get_before(const struct flame_node *n) { return n->total_before; }

static const struct {
	const char *name;
	u64 (*get)(const struct flame_node *n);
	bool compared;		/* only where profiles are compared */
	bool tinted;		/* only where the table has colors */
} columns[] = {
	{ "depth", get_depth }, { "name", get_name }, { "module", get_module }, { "kernel", get_kernel },
	{ "total", get_total }, { "self", get_self },
	{ "before", get_before, true }, { "tint", get_tint, .tinted = true },
};

static void add_lanes(struct markup *m, const struct view_time *t)
{
	strbuf_addstr(&m->text, ",\n\"lanes\":[");
	vec_foreach(&t->lane, l) {
		strbuf_addf(&m->text, "%s{\"kind\":\"%s\",\"name\":", l == t->lane.v ? "" : ",\n", l->kind);
		page_add_string(&m->text, l->name);
		strbuf_addf(&m->text, ",\"others\":%u,\"nr\":%lu,\"columns\":[", l->nr_others, l->nr);
		for (u32 i = 0; i < t->nr_columns; i++) {
			if (i)
				strbuf_addch(&m->text, ',');
			strbuf_add_u64(&m->text, l->column[i], 0);
		}
		strbuf_addstr(&m->text, "]}");
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

static u64 slot_at(const struct flame_slot *s) { return s->slot; }
static u64 slot_cpu(const struct flame_slot *s) { return s->cpu == VIEW_NO_LANE ? 0 : s->cpu + 1u; }
static u64 slot_thread(const struct flame_slot *s) { return s->thread == VIEW_NO_LANE ? 0 : s->thread + 1u; }
static u64 slot_period(const struct flame_slot *s) { return s->period; }

/* the lists besides the nodes; lanes as positions in "lanes" plus 1, 0: none */
static const struct {
	const char *name;
	u64 (*get)(const struct flame_slot *s);
	bool lane;
} slot_lists[] = {
	{ "slotAt", slot_at }, { "slotPeriod", slot_period },
	{ "slotCpu", slot_cpu, true }, { "slotThread", slot_thread, true },
};

/* by node: what it is itself by time and lane; each node as its distance from the one before */
static void add_slots(struct markup *m, const struct flame *f)
{
	u32 last = 0;

	strbuf_addstr(&m->text, ",\n\"slotNode\":[");
	vec_foreach(&f->slot, s) {
		strbuf_addf(&m->text, "%s%u", s == f->slot.v ? "" : ",", s->node - last);
		last = s->node;
		markup_drain(m);
	}
	for (u32 i = 0; i < ARRAY_SIZE(slot_lists); i++) {
		if (f->no_lanes && slot_lists[i].lane)
			continue;
		strbuf_addf(&m->text, "],\n\"%s\":[", slot_lists[i].name);
		vec_foreach(&f->slot, s) {
			if (s != f->slot.v)
				strbuf_addch(&m->text, ',');
			strbuf_add_u64(&m->text, slot_lists[i].get(s), 0);
			markup_drain(m);
		}
	}
	strbuf_addch(&m->text, ']');
}

static void add_time(struct markup *m, const struct view_time *t, const struct flame *f)
{
	u64 column = t->step * t->nr_rows;

	strbuf_addstr(&m->text, ",\n\"time\":{\"missing\":");
	page_add_string(&m->text, t->missing ? t->missing : "");
	strbuf_addstr(&m->text, ",\"noCpus\":");
	page_add_string(&m->text, t->no_cpus ? t->no_cpus : "");
	if (!t->missing) {
		strbuf_addf(&m->text, ",\"start\":%lu,\"column\":%lu,\"columns\":%u,\"rows\":%u,"
			    "\"wantedRows\":%u", t->start, column, t->nr_columns, f->slot_rows, t->nr_rows);
		add_lanes(m, t);
		add_slots(m, f);
	}
	strbuf_addch(&m->text, '}');
}

static void add_tints(struct markup *m, const struct view_tints *t)
{
	strbuf_addstr(&m->text, ",\n\"tints\":{\"name\":");
	page_add_string(&m->text, t->column);
	strbuf_addstr(&m->text, ",\"rows\":[");
	for (u32 i = 0; i < t->nr; i++) {
		strbuf_addstr(&m->text, i ? ",[" : "[");
		page_add_string(&m->text, t->row[i].title);
		strbuf_addf(&m->text, ",%u,%u]", t->row[i].hue, t->row[i].saturation);
	}
	strbuf_addstr(&m->text, "]}");
}

/* one of nr graphs, which share the size of the page */
static void add_graph(struct markup *m, const struct view_table *t, size_t nr)
{
	struct flame f;

	flame_make(&f, t);
	flame_prune(&f, MAX(FLAME_MAX_NODES / nr, 1u), 0);
	flame_fit_texts(&f, FLAME_MAX_TEXT / nr);
	flame_fit_slots(&f, FLAME_MAX_SLOTS / nr);
	strbuf_addstr(&m->text, "{\"event\":");
	page_add_string(&m->text, t->member.nr ? t->member.v[0] : "");
	strbuf_addf(&m->text, ",\"pruned\":%lu,\"least\":%lu,\"samples\":%lu,\n", f.nr_pruned, f.min,
		    t->total_nr);
	add_texts(m, &f.text);
	for (u32 i = 0; i < ARRAY_SIZE(columns); i++) {
		if ((columns[i].compared && !f.compared) || (columns[i].tinted && !f.tints))
			continue;
		strbuf_addf(&m->text, "%s\"%s\":[", i ? ",\n" : "", columns[i].name);
		vec_foreach(&f.node, n) {
			if (n != f.node.v)
				strbuf_addch(&m->text, ',');
			strbuf_add_u64(&m->text, columns[i].get(n), 0);
			markup_drain(m);
		}
		strbuf_addch(&m->text, ']');
	}
	if (f.tints)
		add_tints(m, f.tints);
	if (t->time)
		add_time(m, t->time, &f);
	strbuf_addch(&m->text, '}');
	flame_release(&f);
}

static int show_page(const struct view *v, const char *title, const struct page_file *more, FILE *out)
{
	struct markup m = { .file = out };

	page_begin(&m, title);
	strbuf_addstr(&m.text, "{\"title\":");
	page_add_string(&m.text, title);
	strbuf_addstr(&m.text, ",\n");
	page_add_facts(&m.text, &v->fact, v->note.v, v->note.nr);
	strbuf_addstr(&m.text, ",\n\"graphs\":[\n");
	vec_foreach(&v->table, t) {
		strbuf_addstr(&m.text, t == v->table.v ? "" : ",\n");
		add_graph(&m, *t, v->table.nr);
	}
	strbuf_addch(&m.text, ']');
	if (more)
		page_add_code(&m, v);
	strbuf_addch(&m.text, '}');
	page_end(&m, &page_flamegraph_js, more);
	return markup_end(&m);
}

int flamegraph_show(const struct view *v, const struct text_opts *o UNUSED, FILE *out)
{
	return show_page(v, "Flame graph", NULL, out);
}

/* the same with a table of functions; callers, callees and code of the chosen one */
int report_page_show(const struct view *v, const struct text_opts *o UNUSED, FILE *out)
{
	return show_page(v, "perf report", &page_report_js, out);
}
