/* Diff-view: a table an event, with a column for what was computed of each file. */
#include "diff.h"
#include "spread.h"

#include <string.h>

enum column_kind {
	COL_BASELINE, COL_BASE_PERIOD, COL_VALUE, COL_ERROR, COL_SPREAD, COL_FORMULA, COL_PERIOD, COL_MEAN_A,
	COL_MEAN_B, COL_DELTA, COL_MARGIN, COL_SIGNIFICANT,
	COL_KEY,
};

struct column {
	enum column_kind kind;
	u32 of;			/* the file, or the key */
};

struct diff_table {
	const struct diff *d;
	const struct diff_event *ev;
	struct { VEC(struct column); } column;
};

static void add_formula(const struct diff_table *c, const struct diff_row *row, u32 i, struct strbuf *out)
{
	const struct diff_sum *base = &row->sum[0], *new = &row->sum[i];
	const struct diff_opts *o = c->d->opts;

	if (!new->nr)
		return;
	switch (o->compute) {
	case DIFF_DELTA:
	case DIFF_DELTA_ABS:
		strbuf_addf(out, "(%lu * 100 / %lu) - (%lu * 100 / %lu)", new->period, c->ev->total[i].period,
			    base->period, c->ev->total[0].period);
		break;
	case DIFF_RATIO:
		strbuf_addf(out, "%lu / %lu", new->period, base->period);
		break;
	case DIFF_CYCLES:
		strbuf_addf(out, "(%lu / %lu) - (%lu / %lu)", new->period, new->nr, base->period, base->nr);
		break;
	case DIFF_WDIFF:
		strbuf_addf(out, "(%lu * %ld) - (%lu * %ld)", new->period, o->weight_new, base->period,
			    o->weight_base);
		break;
	}
}

/* in percent: of all samples, or of what a unit of work costs in A */
static void runs_share(const struct diff *d, const struct diff_runs *r, double value, struct view_value *ret)
{
	if (d->units && !r->mean[0])
		*ret = (struct view_value){ .type = VIEW_ABSENT, .text = "not in A" };
	else
		*ret = (struct view_value){ .type = VIEW_SHARE,
					    .real = d->units ? 100 * value / r->mean[0] : value };
}

/* periods per unit can be fractions, and can be nanoseconds */
static void add_cost(const struct diff_event *ev, double cost, struct strbuf *out)
{
	strbuf_addf(out, "%.*f", ev->whole.mean[0] < 10000 ? 2 : 0, cost);
}

static void cell_value(const struct view_table *t, size_t row, u32 column, u32 member UNUSED,
		       struct strbuf *scratch, struct view_value *ret)
{
	const struct diff_table *c = t->ctx;
	const struct column *col = &c->column.v[column];
	const struct diff_row *r = &c->ev->row.v[row];

	*ret = (struct view_value){ .type = VIEW_ABSENT, .text = "not in this file" };
	switch (col->kind) {
	case COL_BASELINE:
		if (r->sum[0].nr)
			*ret = (struct view_value){ .type = VIEW_SHARE,
						    .real = diff_percent(c->ev, r, 0) };
		break;
	case COL_BASE_PERIOD:
	case COL_PERIOD:
		if (r->sum[col->of].nr)
			*ret = (struct view_value){ .type = VIEW_NUMBER, .number = r->sum[col->of].period };
		break;
	case COL_VALUE:
		if (diff_value(c->d, c->ev, r, col->of, &ret->real))
			ret->type = t->column.v[column].type;
		else
			ret->text = "not in both files";
		break;
	case COL_ERROR:
		if (diff_cycles_error(r, col->of, &ret->real))
			ret->type = VIEW_REAL;
		break;
	case COL_SPREAD:
		spread_add(r, col->of, scratch);
		*ret = (struct view_value){ .type = VIEW_TEXT, .text = strbuf_str(scratch) };
		break;
	case COL_FORMULA:
		add_formula(c, r, col->of, scratch);
		*ret = (struct view_value){ .type = VIEW_TEXT, .text = strbuf_str(scratch) };
		break;
	case COL_MEAN_A:
	case COL_MEAN_B:
		*ret = (struct view_value){ .type = c->d->units ? VIEW_REAL : VIEW_SHARE,
					    .real = r->runs.mean[col->kind == COL_MEAN_B] };
		break;
	case COL_DELTA:
		runs_share(c->d, &r->runs, r->runs.delta, ret);
		break;
	case COL_MARGIN:
		runs_share(c->d, &r->runs, r->runs.half_width, ret);
		break;
	case COL_SIGNIFICANT:
		*ret = (struct view_value){ .type = VIEW_BOOL, .number = r->runs.significant };
		break;
	case COL_KEY:
		*ret = (struct view_value){ .type = VIEW_TEXT, .text = r->key[col->of] };
		break;
	}
}

static void cell_text(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct diff_table *c = t->ctx;
	const struct column *col = &c->column.v[column];
	const struct diff_row *r = &c->ev->row.v[row];
	static const char *const format[] = { "%+.2f%%", "%+.2f%%", "%.6f", "%.0f", "%+.1f" };
	const struct diff_opts *o = c->d->opts;
	struct view_value v;

	cell_value(t, row, column, 0, out, &v);
	if (v.type == VIEW_ABSENT && col->kind == COL_BASE_PERIOD) {
		strbuf_addch(out, '0');
		return;
	}
	if (v.type == VIEW_ABSENT) {
		/* the file has the row, but there is nothing to divide by or to weigh */
		if (col->kind == COL_VALUE && r->sum[col->of].nr)
			strbuf_addstr(out, "N/A");
		return;
	}
	switch (col->kind) {
	case COL_MEAN_A:
	case COL_MEAN_B:
		if (c->d->units) {
			add_cost(c->ev, v.real, out);
			break;
		}
		/* fallthrough */
	case COL_BASELINE:
		strbuf_addf(out, "%.2f%%", v.real);
		break;
	case COL_BASE_PERIOD:
	case COL_PERIOD:
		strbuf_addf(out, "%lu", v.number);
		break;
	case COL_VALUE:
		strbuf_addf(out, format[o->compute], v.real);
		break;
	case COL_DELTA:
		strbuf_addf(out, "%+.2f%%", v.real);
		break;
	case COL_MARGIN:
		strbuf_addf(out, "+-%.2f%%", v.real);
		break;
	case COL_SIGNIFICANT:
		strbuf_addstr(out, v.number ? "*" : "");
		break;
	case COL_ERROR:
		strbuf_addf(out, "+-%.1f", v.real);
		break;
	case COL_SPREAD:
	case COL_FORMULA:
		break;
	case COL_KEY:
		strbuf_addstr(out, v.text);
		break;
	}
}

struct diff_builder {
	struct view *v;
	struct view_table *t;
	struct diff_table *c;
};

/* title and name end with the number of the file if there are more than two */
static void add_column(struct diff_builder *b, struct column col, struct view_column vc, bool numbered)
{
	const struct diff *d = b->c->d;
	struct strbuf text = STRBUF_INIT;

	if (numbered && d->nr_files > 2) {
		strbuf_addf(&text, "%s/%u", vc.title, col.of);
		vc.width = MAX(vc.width, (u32)text.len);
		vc.title = arena_strdup(&b->v->arena, strbuf_str(&text));
		strbuf_reset(&text);
		strbuf_addf(&text, "%s-%u", vc.name, col.of);
		vc.name = arena_strdup(&b->v->arena, strbuf_str(&text));
	}
	strbuf_release(&text);
	vec_push(&b->t->column, vc);
	vec_push(&b->c->column, col);
}

static void add_file_columns(struct diff_builder *b, u32 i)
{
	static const struct view_column value[] = {
		[DIFF_DELTA] = { .name = "delta", .title = "Delta", .type = VIEW_SHARE, .width = 7,
				 .right = true },
		[DIFF_DELTA_ABS] = { .name = "delta", .title = "Delta Abs", .type = VIEW_SHARE, .width = 9,
				     .right = true },
		[DIFF_RATIO] = { .name = "ratio", .title = "Ratio", .type = VIEW_REAL, .width = 14,
				 .right = true },
		[DIFF_WDIFF] = { .name = "wdiff", .title = "Weighted diff", .type = VIEW_REAL, .width = 14,
				 .right = true },
		[DIFF_CYCLES] = { .name = "cycles-diff", .title = "Cycles Diff", .type = VIEW_REAL,
				  .width = 11, .right = true },
	};
	const struct diff_opts *o = b->c->d->opts;

	add_column(b, (struct column){ COL_VALUE, i }, value[o->compute], true);
	if (o->spread) {
		add_column(b, (struct column){ COL_ERROR, i },
			   (struct view_column){ .name = "cycles-error", .title = "Stddev",
						 .type = VIEW_REAL, .width = 8, .right = true }, true);
		add_column(b, (struct column){ COL_SPREAD, i },
			   (struct view_column){ .name = "cycles-histogram", .title = "Hist",
						 .type = VIEW_TEXT, .width = SPREAD_WIDTH }, true);
	}
	if (o->formula)
		add_column(b, (struct column){ COL_FORMULA, i },
			   (struct view_column){ .name = "formula", .title = "Formula", .type = VIEW_TEXT,
						 .width = 70, .right = true }, true);
	if (o->periods)
		add_column(b, (struct column){ COL_PERIOD, i },
			   (struct view_column){ .name = "period", .title = "Period", .type = VIEW_NUMBER,
						 .width = 14, .right = true }, true);
}

static void add_runs_columns(struct diff_builder *b)
{
	static const struct view_column column[] = {
		{ .name = "mean-a", .title = "Mean A", .type = VIEW_SHARE, .width = 7, .right = true },
		{ .name = "mean-b", .title = "Mean B", .type = VIEW_SHARE, .width = 7, .right = true },
		{ .name = "delta", .title = "Delta", .type = VIEW_SHARE, .width = 8, .right = true },
		{ .name = "margin", .title = "95%", .type = VIEW_SHARE, .width = 8, .right = true },
		{ .name = "significant", .title = "", .type = VIEW_BOOL, .width = 1 },
	};

	for (u32 i = 0; i < ARRAY_SIZE(column); i++) {
		struct view_column vc = column[i];

		if (b->c->d->units && column[i].type == VIEW_SHARE) {
			vc.type = i < 2 ? VIEW_REAL : VIEW_SHARE;
			vc.width = i < 2 ? 14 : 9;
		}
		add_column(b, (struct column){ COL_MEAN_A + i, 0 }, vc, false);
	}
}

static u32 key_width(const struct diff_event *ev, u32 k, const char *title)
{
	size_t width = title ? strlen(title) : 0;

	vec_foreach(&ev->row, row)
		width = MAX(width, strlen(row->key[k]));
	return MIN(width, (size_t)UINT16_MAX);
}

static void add_columns(struct diff_builder *b)
{
	const struct diff *d = b->c->d;

	if (d->opts->nr_a) {
		add_runs_columns(b);
	} else {
		add_column(b, (struct column){ COL_BASELINE, 0 },
			   (struct view_column){ .name = "baseline", .title = "Baseline", .type = VIEW_SHARE,
						 .width = 8, .right = true }, true);
		if (d->opts->periods)
			add_column(b, (struct column){ COL_BASE_PERIOD, 0 },
				   (struct view_column){ .name = "base-period", .title = "Base period",
							 .type = VIEW_NUMBER, .width = 14, .right = true },
				   true);
		for (u32 i = 1; i < d->nr_files; i++)
			add_file_columns(b, i);
	}
	for (u32 k = 0; k < d->nr_keys; k++) {
		u32 width = 0;
		const char *title = field_title(d->order.key[k], 0, &width);

		/* the first event need not have the field of a tracepoint */
		if (!title)
			title = d->order.key[k]->name;
		add_column(b, (struct column){ COL_KEY, k },
			   (struct view_column){ .name = d->order.key[k]->name, .title = title,
						 .type = VIEW_TEXT, .width = key_width(b->c->ev, k, title),
						 .no_pad = true },
			   false);
	}
}

static void add_fact(struct diff_builder *b, const char *key, const struct view_value *v)
{
	vec_push(&b->t->fact, (struct view_fact){ .key = key, .value = *v });
}

/* what a unit of work costs as a whole: a line for people, facts for programs */
static void add_whole(struct diff_builder *b)
{
	const struct diff *d = b->c->d;
	const struct diff_event *ev = b->c->ev;
	const struct diff_runs *w = &ev->whole;
	struct view_value delta, margin;
	struct strbuf text = STRBUF_INIT;

	runs_share(d, w, w->delta, &delta);
	runs_share(d, w, w->half_width, &margin);
	strbuf_addstr(&text, "Per ");
	strbuf_add_safe(&text, d->opts->per);
	strbuf_addstr(&text, ": ");
	add_cost(ev, w->mean[0], &text);
	strbuf_addstr(&text, " in A, ");
	add_cost(ev, w->mean[1], &text);
	strbuf_addstr(&text, " in B");
	if (delta.type == VIEW_SHARE)
		strbuf_addf(&text, ": %+.2f%% +-%.2f%%%s", delta.real, margin.real,
			    w->significant ? " *" : "");
	vec_push(&b->t->head, "");
	vec_push(&b->t->head, arena_strdup(&b->v->arena, strbuf_str(&text)));
	strbuf_release(&text);
	view_fact_text(&b->t->fact, "per", d->opts->per);
	add_fact(b, "mean-a", &(struct view_value){ .type = VIEW_REAL, .real = w->mean[0] });
	add_fact(b, "mean-b", &(struct view_value){ .type = VIEW_REAL, .real = w->mean[1] });
	add_fact(b, "delta", &delta);
	add_fact(b, "margin", &margin);
	view_fact_bool(&b->t->fact, "significant", w->significant);
}

static void add_head(struct diff_builder *b)
{
	const struct diff *d = b->c->d;
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "Event '");
	strbuf_add_safe(&text, b->c->ev->name);
	strbuf_addch(&text, '\'');
	vec_push(&b->t->head, arena_strdup(&b->v->arena, strbuf_str(&text)));
	if (d->nr_files > 2 || d->opts->list_files) {
		vec_push(&b->t->head, "");
		vec_push(&b->t->head, "Data files:");
		for (u32 i = 0; i < d->nr_files; i++) {
			strbuf_reset(&text);
			strbuf_addf(&text, " [%u] ", i);
			strbuf_add_safe(&text, d->path[i]);
			if (d->opts->nr_a)
				strbuf_addstr(&text, i < d->opts->nr_a ? " (A)" : " (B)");
			else if (!i)
				strbuf_addstr(&text, " (Baseline)");
			vec_push(&b->t->head, arena_strdup(&b->v->arena, strbuf_str(&text)));
		}
	}
	if (d->units)
		add_whole(b);
	strbuf_release(&text);
}

static struct view_table *add_table(struct view *v, const struct diff *d, const struct diff_event *ev)
{
	struct diff_table *c = ARENA_NEW(&v->arena, struct diff_table);
	struct view_table *t = ARENA_NEW(&v->arena, struct view_table);
	struct diff_builder b = { v, t, c };

	*c = (struct diff_table){ .d = d, .ev = ev };
	*t = (struct view_table){ .cell = cell_text, .value = cell_value, .ctx = c, .nr_rows = ev->row.nr };
	vec_push(&t->member, ev->name);
	add_head(&b);
	add_columns(&b);
	vec_push(&v->owned, c->column.v);
	vec_push(&v->table, t);
	return t;
}

struct view *diff_view(const struct diff *d)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "diff";
	vec_foreach(&d->event, ev)
		if (ev->row.nr)
			add_table(v, d, ev);
	if (d->opts->nr_a)
		vec_push(&v->foot, d->units ?
			 "Delta, 95%: the difference and half of its confidence interval, of Mean A; "
			 "*: significant, with all rows of the table considered" :
			 "95%: half of the confidence interval of the difference; *: significant, "
			 "with all rows of the table considered");
	return v;
}
