/* Report view: entries to tables of cells. */
#include "report-view.h"

#include <stdlib.h>
#include "chain-tree.h"

struct viewer {
	struct hist *h;
	const struct report_view_opts *o;
	struct view *v;
	struct field_ctx ctx;
	struct chain_builder *chains;
};

static const char *keep_text(struct viewer *w, struct strbuf *sb)
{
	const char *s = arena_strdup(&w->v->arena, strbuf_str(sb));

	strbuf_reset(sb);
	return s;
}

/* 12345 as "12K": whole thousands, as the header has always shown them */
static void add_rounded(struct strbuf *sb, u64 n)
{
	static const char units[] = " KMGT";
	int u = 0;

	for (; n >= 1000 && units[u + 1]; u++)
		n /= 1000;
	strbuf_add_u64(sb, n, 0);
	if (u)
		strbuf_addch(sb, units[u]);
}

static void add_head(struct viewer *w, struct view_table *t, const struct event *ev, const struct stat_sums *total)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_addstr(&sb, "Samples: ");
	add_rounded(&sb, total->nr);
	strbuf_addstr(&sb, total->nr < 1000 ? "  of event '" : " of event '");
	strbuf_add_safe(&sb, ev->name);
	strbuf_addch(&sb, '\'');
	vec_push(&t->head, keep_text(w, &sb));
	strbuf_addf(&sb, "Event count (approx.): %lu", total->period);
	vec_push(&t->head, keep_text(w, &sb));
	strbuf_release(&sb);
}

static struct cell make_cell(struct viewer *w, const struct field *f, const struct hist_entry *e, struct strbuf *sb)
{
	struct cell c = { .kind = CELL_STR };

	if (f->kind == FIELD_STAT) {
		u64 n = f->stat(&w->ctx, &e->sums);

		c.kind = f->percent ? CELL_PERCENT : CELL_U64;
		c.num = !f->percent ? n : w->ctx.total->period ? 100.0 * n / w->ctx.total->period : 0;
		f->format_stat(&w->ctx, &e->sums, sb);
	} else {
		for (u32 i = 0; i < w->h->opts.nr_keys; i++)
			if (w->h->opts.key[i] == f)
				f->format(&w->ctx, e->key[i], sb);
	}
	c.text = keep_text(w, sb);
	return c;
}

static bool above_limit(const struct viewer *w, const struct hist_entry *e)
{
	u64 part = w->h->opts.children ? e->sums.period_children : e->sums.period;

	if (!w->ctx.total->period)
		return e->sums.nr > 0;
	return 100.0 * part / w->ctx.total->period >= w->o->percent_limit;
}

static void add_row(struct viewer *w, struct view_table *t, const struct hist_entry *e)
{
	const struct sort_order *order = w->o->order;
	struct view_row *row = vec_add(&t->row);
	struct strbuf sb = STRBUF_INIT;

	row->cells = arena_alloc(&w->v->arena, order->nr_columns * sizeof(*row->cells));
	for (u32 i = 0; i < order->nr_columns; i++) {
		row->cells[i] = make_cell(w, order->column[i], e, &sb);
		t->column.v[i].width = MAX(t->column.v[i].width, (u32)strlen(row->cells[i].text));
	}
	if (w->chains && above_limit(w, e))
		row->tree = chain_tree(w->chains, e, w->ctx.total->period);
	row->hidden = !above_limit(w, e);
	strbuf_release(&sb);
}

static bool matches_filter(const struct viewer *w, const struct hist_entry *e)
{
	for (u32 i = 0; w->o->symbol_filter && i < w->h->opts.nr_keys; i++) {
		struct strbuf sb = STRBUF_INIT;
		bool hit;

		if (strcmp(w->h->opts.key[i]->name, "symbol"))
			continue;
		w->h->opts.key[i]->format(&w->ctx, e->key[i], &sb);
		hit = strstr(strbuf_str(&sb), w->o->symbol_filter) != NULL;
		strbuf_release(&sb);
		return hit;
	}
	return true;
}

static void add_columns(struct viewer *w, struct view_table *t)
{
	const struct sort_order *order = w->o->order;

	for (u32 i = 0; i < order->nr_columns; i++) {
		const struct field *f = order->column[i];
		const char *title = f->title;

		if (!strcmp(f->name, "overhead") && w->h->opts.children)
			title = "Self";
		vec_push(&t->column, (struct view_column){ .name = f->name, .title = title, .right = f->right,
				.no_pad = f->no_pad, .width = MAX(f->width, (u32)strlen(title)) });
	}
}

static void add_event(struct viewer *w, u32 idx)
{
	struct hist_event *he = &w->h->event[idx];
	const struct event *ev = evset_at(w->h->session->data->evset, idx);
	struct view_table *t;

	if (ev->dummy || (!he->total.nr && w->o->hide_empty))
		return;
	t = ARENA_NEW(&w->v->arena, struct view_table);
	w->ctx.total = w->o->relative ? &he->shown : &he->total;
	t->total_period = w->ctx.total->period;
	t->total_nr = w->ctx.total->nr;
	t->min_percent = w->h->opts.chain.min_percent;
	add_head(w, t, ev, &he->total);
	add_columns(w, t);
	vec_foreach(&he->entry, e)
		if (!e->filtered && matches_filter(w, e))
			add_row(w, t, e);
	vec_push(&w->v->table, t);
}

static const char *const tips[] = {
#define TIP(text) text,
#include "tips.def"
#undef TIP
};

static void add_frame(struct viewer *w)
{
	struct session *s = w->h->session;
	struct strbuf sb = STRBUF_INIT;

	if (!w->o->header_shown)
		vec_push(&w->v->head, "To display the perf.data header info, please use --header/--header-only options.");
	vec_push(&w->v->head, "");
	vec_push(&w->v->head, "");
	strbuf_addf(&sb, "Total Lost Samples: %lu", s->nr_lost_samples);
	vec_push(&w->v->head, keep_text(w, &sb));
	vec_push(&w->v->head, "");
	/* by the file, not by chance: the same report twice is the same text */
	strbuf_addf(&sb, "(Tip: %s)", tips[s->nr_samples % ARRAY_SIZE(tips)]);
	vec_push(&w->v->foot, "");
	vec_push(&w->v->foot, keep_text(w, &sb));
	vec_push(&w->v->foot, "");
	strbuf_release(&sb);
}

struct view *report_view(struct hist *h, const struct report_view_opts *o)
{
	struct viewer w = { .h = h, .o = o, .v = xcalloc(1, sizeof(*w.v)) };

	w.ctx = (struct field_ctx){ .session = h->session, .names = &h->names, .verbose = o->verbose };
	add_frame(&w);
	hist_sort(h, o->order->stat, &w.ctx);
	if (h->opts.chains && h->opts.chain.mode != CHAIN_MODE_NONE)
		w.chains = chain_builder_new(h, w.v);
	for (u32 i = 0; i < h->nr_events; i++)
		add_event(&w, i);
	chain_builder_free(w.chains);
	return w.v;
}
