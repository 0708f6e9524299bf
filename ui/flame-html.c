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

/* ---- spans: a lane after the other, each in the order of time */

static u64 span_node(const struct flame_slot *s, const struct view_time *t UNUSED)
{
	return s->node;
}

static u64 span_length(const struct flame_slot *s, const struct view_time *t UNUSED)
{
	return s->length;
}

/* what a window contains: its ticks and one more. 0: all of a span is of that node */
static u64 span_busy(const struct flame_slot *s, const struct view_time *t)
{
	u64 ticks = (s->period + t->step / 2) / t->step;

	return s->window ? ticks + 1 : 0;
}

static u64 span_state(const struct flame_slot *s, const struct view_time *t UNUSED)
{
	return s->state;
}

static u64 span_detail(const struct flame_slot *s, const struct view_time *t UNUSED)
{
	return s->detail;
}

static u64 span_more(const struct flame_slot *s, const struct view_time *t UNUSED)
{
	return s->nr ? s->nr - 1 : 0;
}

static const struct {
	const char *name;
	u64 (*get)(const struct flame_slot *s, const struct view_time *t);
} span_lists[] = {
	{ "spanNode", span_node }, { "spanLength", span_length }, { "spanBusy", span_busy },
	{ "spanState", span_state }, { "spanDetail", span_detail }, { "spanMore", span_more },
};

/* a position in the lanes plus 2; 1: an interrupt, 0: not known; beyond the lanes: one of the others */
static u64 place_of_other(const struct view_time *t, const struct hidx *by_tid, s32 tid)
{
	u32 i;

	if (tid <= 0)
		return tid ? 0 : 1;
	HIDX_FOREACH(by_tid, hash_u64((u32)tid), i)
		if (i < t->lane.nr ? (s32)t->lane.v[i].id == tid : t->other.v[i - t->lane.nr].tid == tid)
			return i + 2;
	return 0;
}

static void index_tids(const struct view_time *t, struct hidx *by_tid)
{
	for (u32 i = 0; i < t->lane.nr; i++)
		if (!t->lane.v[i].nr_others)
			hidx_insert(by_tid, hash_u64(t->lane.v[i].id), i);
	for (u32 i = 0; i < t->other.nr; i++)
		hidx_insert(by_tid, hash_u64((u32)t->other.v[i].tid), t->lane.nr + i);
}

/* the lane of each part, its beginning as the distance from the end of the one before it, its length */
static void add_marks(struct markup *m, const struct view_time *t, const struct hidx *by_tid)
{
	u64 last = 0;

	strbuf_addstr(&m->text, ",\n\"mark\":[");
	for (size_t i = 0; t->mark && i < t->mark->nr; i++) {
		const struct view_mark *k = &t->mark->v[i];
		u64 from = (MAX(k->from, t->start) - t->start) / t->step;
		u64 to = (MAX(k->to, t->start) - t->start) / t->step;

		strbuf_addf(&m->text, "%s%lu,%ld,%lu", i ? "," : "", place_of_other(t, by_tid, k->tid),
			    (s64)(from - last), to - from);
		last = to;
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

static void add_names(struct markup *m, const struct view_time *t)
{
	strbuf_addstr(&m->text, ",\n\"others\":[");
	for (size_t i = 0; i < t->other.nr; i++) {
		strbuf_addstr(&m->text, i ? "," : "");
		page_add_string(&m->text, t->other.v[i].name);
	}
	strbuf_addstr(&m->text, "],\n\"details\":[");
	for (u32 i = 0; i < t->nr_details; i++) {
		strbuf_addstr(&m->text, i ? "," : "");
		page_add_string(&m->text, t->detail[i]);
	}
	strbuf_addch(&m->text, ']');
}

/* spans begin where the one before them ends, or at that distance */
static void add_begins(struct markup *m, const struct flame *f)
{
	s64 last = 0;

	strbuf_addstr(&m->text, ",\n\"spanGap\":[");
	vec_foreach(&f->slot, s) {
		const char *comma = s == f->slot.v ? "" : ",";

		if (s > f->slot.v && s[-1].thread != s->thread)
			last = 0;
		if (s->slot == last)
			strbuf_addf(&m->text, "%s0", comma);
		else
			strbuf_addf(&m->text, "%s%ld", comma, s->slot - last);
		last = (s64)s->slot + s->length;
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

/* a list of zeros is written as an empty one */
static void add_span_list(struct markup *m, const struct view_time *t, const struct flame *f, u32 list)
{
	bool any = false;

	vec_foreach(&f->slot, s)
		any |= span_lists[list].get(s, t) != 0;
	strbuf_addf(&m->text, ",\n\"%s\":[", span_lists[list].name);
	for (size_t i = 0; i < f->slot.nr && any; i++) {
		if (i)
			strbuf_addch(&m->text, ',');
		strbuf_add_u64(&m->text, span_lists[list].get(&f->slot.v[i], t), 0);
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

/*
 * The number of shares in the order of all that are possible: those of the first states count slowest, and
 * together they are at most ten
 */
#define SHARES 11u
struct share_numbers {
	u16 number[SHARES * SHARES * SHARES * SHARES * SHARES];
};

static u32 share_place(const u8 *share)
{
	u32 at = 0;

	for (u32 i = 0; i < FLAME_STATES; i++)
		at = at * SHARES + share[i];
	return at;
}

static void number_shares(struct share_numbers *n)
{
	u16 next = 0;

	for (u32 at = 0; at < ARRAY_SIZE(n->number); at++) {
		u32 sum = 0;

		for (u32 rest = at; rest; rest /= SHARES)
			sum += rest % SHARES;
		n->number[at] = next;
		next += sum < SHARES;
	}
}

/* two letters for a number below 4096 */
static void add_letters(struct strbuf *out, u32 number)
{
	static const char letter[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-";

	strbuf_addch(out, letter[number >> 6 & 63]);
	strbuf_addch(out, letter[number & 63]);
}

/* a text for each lane: cells that follow each other and are equal are one, with "!" and their number */
static void add_cells(struct markup *m, const struct flame *f)
{
	struct share_numbers *n = xcalloc(1, sizeof(*n));

	number_shares(n);
	strbuf_addf(&m->text, ",\n\"nrCells\":%u,\"cells\":[", f->nr_cells);
	for (u32 lane = 0; lane < f->nr_lanes; lane++) {
		const u8 *cell = f->cell + (size_t)lane * f->nr_cells * FLAME_STATES;
		u32 same;

		strbuf_addstr(&m->text, lane ? ",\n\"" : "\"");
		for (u32 i = 0; i < f->nr_cells; i += same) {
			const u8 *at = cell + i * FLAME_STATES;

			for (same = 1; i + same < f->nr_cells && same < 4095 &&
			     !memcmp(at, at + same * FLAME_STATES, FLAME_STATES);)
				same++;
			add_letters(&m->text, n->number[share_place(at)]);
			if (same > 1) {
				strbuf_addch(&m->text, '!');
				add_letters(&m->text, same);
			}
		}
		strbuf_addch(&m->text, '"');
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
	free(n);
}

/* sums of all time: node, state, and ticks, one after the other */
static void add_whole(struct markup *m, const struct view_time *t, const struct flame *f)
{
	strbuf_addstr(&m->text, ",\n\"whole\":[");
	vec_foreach(&f->whole, s) {
		strbuf_addf(&m->text, "%s%u,%u,%lu", s == f->whole.v ? "" : ",", s->node, s->state,
			    (s->period + t->step / 2) / t->step);
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
}

static void add_spans(struct markup *m, const struct view_time *t, const struct flame *f)
{
	struct hidx by_tid = { 0 };
	size_t nr = 0;

	index_tids(t, &by_tid);
	strbuf_addf(&m->text, ",\"tick\":%lu,\"ticks\":%lu,\"grain\":%u", t->step,
		    (t->end - t->start) / t->step, MAX(f->grain, t->grain));
	if (f->folded)
		strbuf_addstr(&m->text, ",\"folded\":true");
	if (f->whole.nr)
		add_whole(m, t, f);
	/* how many spans each lane has */
	strbuf_addstr(&m->text, ",\n\"spans\":[");
	for (size_t lane = 0, i = 0; lane < t->lane.nr; lane++, nr = i) {
		while (i < f->slot.nr && f->slot.v[i].thread == lane)
			i++;
		strbuf_addf(&m->text, "%s%zu", lane ? "," : "", i - nr);
	}
	strbuf_addch(&m->text, ']');
	add_begins(m, f);
	for (u32 i = 0; i < ARRAY_SIZE(span_lists); i++)
		add_span_list(m, t, f, i);
	strbuf_addstr(&m->text, ",\n\"spanOther\":[");
	vec_foreach(&f->slot, s) {
		if (s != f->slot.v)
			strbuf_addch(&m->text, ',');
		strbuf_add_u64(&m->text, place_of_other(t, &by_tid, s->other), 0);
		markup_drain(m);
	}
	strbuf_addch(&m->text, ']');
	if (f->cell)
		add_cells(m, f);
	add_marks(m, t, &by_tid);
	add_names(m, t);
	hidx_release(&by_tid);
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
		if (t->spans)
			add_spans(m, t, f);
		else
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
		strbuf_addf(&m->text, ",%u,%u,%s]", t->row[i].hue, t->row[i].saturation,
			    t->row[i].aside ? "true" : "false");
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
	if (t->time && t->time->spans)
		flame_fit_spans(&f, FLAME_MAX_SPANS / nr, t->time);
	else
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

/* no event has samples: a graph with its root alone */
static void add_no_graph(struct markup *m)
{
	strbuf_addstr(&m->text, "{\"event\":\"\",\"pruned\":0,\"least\":0,\"samples\":0,\n"
		      "\"texts\":[\"\",\"all\"]");
	for (u32 i = 0; i < ARRAY_SIZE(columns); i++)
		if (!columns[i].compared && !columns[i].tinted)
			strbuf_addf(&m->text, ",\n\"%s\":[%d]", columns[i].name, columns[i].get == get_name);
	strbuf_addch(&m->text, '}');
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
	if (!v->table.nr)
		add_no_graph(&m);
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
