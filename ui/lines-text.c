/* Lines as text: the classic table of perf stat, and tables of derived values alone. */
#include "lines.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../util/base/maths.h"

#define VALUE_WIDTH 18
#define NAME_WIDTH 32		/* of an event that was counted */
#define CGROUP_WIDTH 16
#define NAME_WIDTH_BARE 25	/* of one that was not */
#define METRIC_WIDTH 35		/* " #", number, label */
#define UNIT_WIDTH 4
#define TIME_WIDTH 16
#define COLUMN_WIDTH 20		/* of a table */
#define COUNTERS_WIDTH 8

/* what was added since start, padded to width, on the left where right is set */
static void pad_to(struct strbuf *out, size_t start, size_t width, bool right)
{
	size_t len = out->len - start;

	if (len >= width)
		return;
	strbuf_pad(out, ' ', width - len);
	if (right) {
		memmove(out->buf + start + width - len, out->buf + start, len);
		memset(out->buf + start, ' ', width - len);
	}
}

static void put_word(struct strbuf *out, const char *word, size_t width, bool right)
{
	size_t start = out->len;

	strbuf_add_safe(out, word);
	pad_to(out, start, width, right);
}

/* thousands apart, whatever the locale */
static void put_number(struct strbuf *out, double v, int decimals, bool big_num)
{
	char digits[400], grouped[600];
	size_t n = 0, whole;

	snprintf(digits, sizeof(digits), "%.*f", decimals, v);
	whole = strcspn(digits, ".");
	for (size_t i = 0; digits[i]; i++) {
		if (big_num && i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-')
			grouped[n++] = ',';
		grouped[n++] = digits[i];
	}
	grouped[n] = '\0';
	strbuf_addf(out, "%*s", VALUE_WIDTH, grouped);
}

static int unit_width(const struct view_block *b)
{
	size_t width = UNIT_WIDTH;

	vec_foreach(&b->line, l)
		width = MAX(width, strlen(l->unit ? l->unit : ""));
	return width;
}

/* of the column of control groups; 0: there is none */
static size_t cgroup_width(const struct view_block *b)
{
	size_t width = 0;

	vec_foreach(&b->line, l)
		width = MAX(width, l->group ? MAX(strlen(l->group), (size_t)CGROUP_WIDTH) : 0);
	return width;
}

static const char *color_of(enum view_grade g)
{
	return g == VIEW_BAD ? "\033[31m" : g == VIEW_GOOD ? "\033[32m" : "";
}

static void put_metric(struct strbuf *out, const struct view_derived *m, const struct lines_opts *o)
{
	const char *color = o->color ? color_of(m->grade) : "";
	size_t width, start = out->len;

	strbuf_addstr(out, " # ");
	view_derived_text(m, color, out);
	width = out->len - start - (*color ? strlen(color) + strlen("\033[m") : 0);
	strbuf_pad(out, ' ', width < METRIC_WIDTH ? METRIC_WIDTH - width : 0);
}

static void put_value(struct strbuf *out, const struct view_line *l, const struct lines_opts *o)
{
	size_t start = out->len;

	if (l->state == VIEW_COUNTED) {
		put_number(out, l->value.real, l->value.decimals, o->big_num);
		return;
	}
	strbuf_addf(out, "<%s>", lines_state_name(l->state));
	pad_to(out, start, VALUE_WIDTH, true);
}

/* the last numbers of names have their places, too */
static void put_place(struct strbuf *out, const struct view_block *b, const struct view_line *l)
{
	const struct view_place *p = &b->places->v[l->place];
	size_t len = strlen(p->name), head = b->places->axis->head, room = p->number_at + p->digits;

	strbuf_pad(out, ' ', head > p->number_at ? head - p->number_at : 0);
	strbuf_add(out, p->name, len);
	strbuf_pad(out, ' ', room > len ? room - len : 0);
}

/* what begins each line: the time of an interval, the place */
static void put_prefix(struct strbuf *out, const struct view_block *b, const struct view_line *l)
{
	size_t start = out->len;

	if (b->kind == VIEW_INTERVAL) {
		lines_time(out, b->time_ns);
		pad_to(out, start, TIME_WIDTH, true);
		strbuf_addch(out, ' ');
	}
	if (b->places->axis->key) {
		put_place(out, b, l);
		strbuf_addch(out, ' ');
	}
	if (b->places->axis->counters)
		strbuf_addf(out, "%4u ", l->nr);
}

/* the end of a line: how far its count can be trusted */
static void put_trust(struct strbuf *out, const struct view_line *l)
{
	if (l->state == VIEW_COUNTED && l->deviation > 0)
		strbuf_addf(out, "  ( +-%6.2f%% )", l->deviation);
	if (l->state == VIEW_COUNTED ? l->running_percent < 99.995 : l->enabled && !l->run_ns)
		strbuf_addf(out, "  (%.2f%%)", l->running_percent);
	strbuf_addch(out, '\n');
}

/* widths that depend on what a block shows */
struct widths {
	int unit;
	size_t cgroup;
};

/* further metrics stand below the first */
static void put_metrics(struct strbuf *out, const struct view_block *b, const struct view_line *l,
			const struct lines_opts *o, const struct widths *w)
{
	for (u32 i = 0; i < l->nr_derived; i++) {
		if (i || !l->name) {
			if (i)
				strbuf_addch(out, '\n');
			put_prefix(out, b, l);
			strbuf_pad(out, ' ', VALUE_WIDTH + 1 + w->unit + 1 + NAME_WIDTH);
			strbuf_pad(out, ' ', w->cgroup ? 1 + w->cgroup : 0);
		}
		put_metric(out, &b->derived.v[l->derived + i], o);
	}
	if (!l->nr_derived)
		strbuf_pad(out, ' ', METRIC_WIDTH);
}

static void put_line(struct strbuf *out, const struct view_block *b, const struct view_line *l,
		     const struct lines_opts *o, const struct widths *w)
{
	bool bare = l->state != VIEW_COUNTED && !l->nr_derived && !w->cgroup;

	if (l->name) {
		put_prefix(out, b, l);
		put_value(out, l, o);
		strbuf_addf(out, " %-*s ", w->unit, l->unit ? l->unit : "");
		put_word(out, l->name, bare ? NAME_WIDTH_BARE : NAME_WIDTH, false);
		if (w->cgroup) {
			strbuf_addch(out, ' ');
			put_word(out, l->group ? l->group : "", w->cgroup, false);
		}
	}
	put_metrics(out, b, l, o, w);
	put_trust(out, l);
}

static void put_head(const struct view_block *b, struct strbuf *out)
{
	strbuf_addf(out, "\n Performance counter stats for ");
	strbuf_add_safe(out, b->title ? b->title : "");
	if (b->nr_runs > 1)
		strbuf_addf(out, " (%u runs)", b->nr_runs);
	strbuf_addstr(out, ":\n\n");
}

/* as many decimals as show three digits of the deviation */
static int times_precision(double stddev)
{
	int p = stddev > 0 ? 2 - (int)floor(maths_log10(stddev)) : 9;

	return p < 0 ? 0 : MIN(p, 9);
}

static void put_runs(struct strbuf *out, const struct view_block *b, int precision)
{
	int indent = VALUE_WIDTH - 2 - precision;

	strbuf_addf(out, "%*s# Table of individual measurements:\n", indent, "");
	vec_foreach(&b->run_sec, run) {
		double diff = *run - b->elapsed_sec, percent = *run > 0 ? fabs(100 * diff / *run) : 0;

		strbuf_addf(out, "%*.*f (%+.*f) ", VALUE_WIDTH, precision, *run, precision, diff);
		strbuf_pad(out, '#', MIN((size_t)ceil(percent / 5), (size_t)200));
		strbuf_addch(out, '\n');
	}
	strbuf_addf(out, "\n%*s# Final result:\n", indent, "");
}

static void put_times(struct strbuf *out, const struct view_block *b, const struct lines_opts *o)
{
	int precision = times_precision(b->elapsed_stddev);

	if (b->elapsed_sec < 0)
		return;
	strbuf_addch(out, '\n');
	if (b->nr_runs > 1) {
		if (o->runs)
			put_runs(out, b, precision);
		strbuf_addf(out, "%*.*f +- %.*f seconds time elapsed", VALUE_WIDTH, precision, b->elapsed_sec,
			    precision, b->elapsed_stddev);
		if (b->elapsed_stddev > 0)
			strbuf_addf(out, "  ( +-%6.2f%% )", 100 * b->elapsed_stddev / b->elapsed_sec);
		strbuf_addch(out, '\n');
		return;
	}
	strbuf_addf(out, "%*.9f seconds time elapsed\n", VALUE_WIDTH, b->elapsed_sec);
	if (b->user_sec >= 0)
		strbuf_addf(out, "\n%*.9f seconds user\n%*.9f seconds sys\n", VALUE_WIDTH, b->user_sec,
			    VALUE_WIDTH, b->sys_sec);
}

static void put_notes(struct strbuf *out, const struct view_block *b)
{
	if (b->note.nr)
		strbuf_addch(out, '\n');
	vec_foreach(&b->note, n) {
		strbuf_addch(out, ' ');
		strbuf_add_safe(out, *n);
		strbuf_addch(out, '\n');
	}
}

static void put_foot(const struct view_block *b, const struct lines_opts *o, struct strbuf *out)
{
	put_times(out, b, o);
	put_notes(out, b);
	/* the classic table ends with more room below the times of a command */
	strbuf_addstr(out, b->user_sec >= 0 && b->nr_runs == 1 ? "\n\n" : "\n");
}

/* over every 25th interval */
static void put_titles(const struct view_block *b, struct strbuf *out)
{
	const struct view_axis *axis = b->places->axis;

	strbuf_addstr(out, "#           time ");
	if (axis->key) {
		put_word(out, axis->title, axis->width, false);
		strbuf_addch(out, ' ');
	}
	strbuf_addf(out, "%s%*s unit events\n", axis->counters ? "cpus " : "", VALUE_WIDTH, "counts");
}

/* notes alone, after intervals, which have no foot for them */
static void put_remarks(const struct view_block *b, struct strbuf *out)
{
	vec_foreach(&b->note, n) {
		strbuf_addstr(out, "# ");
		strbuf_add_safe(out, *n);
		strbuf_addch(out, '\n');
	}
}

/* ---- a table of derived values ---- */

struct table_layout {
	size_t place, cgroup;	/* widths */
	bool time, cgroups;
	u32 column;		/* at least */
};

static struct table_layout lay_out_table(const struct view_block *b, const struct lines_opts *o)
{
	struct table_layout y = { .time = b->kind == VIEW_INTERVAL, .cgroups = view_block_grouped(b) };

	y.column = o->column_width ? o->column_width : COLUMN_WIDTH;
	vec_foreach(&b->line, l) {
		y.place = MAX(y.place, strlen(lines_place(b, l)));
		y.cgroup = MAX(y.cgroup, strlen(l->group ? l->group : ""));
	}
	if (y.time) {	/* then the columns in front have titles as well */
		y.place = MAX(y.place, strlen(b->places->axis->key ? b->places->axis->key : ""));
		y.cgroup = MAX(y.cgroup, strlen("cgroup"));
	}
	return y;
}

/* one blank after the column before */
static size_t begin_column(struct strbuf *out, size_t line)
{
	if (out->len > line)
		strbuf_addch(out, ' ');
	return out->len;
}

static size_t column_width(const struct table_layout *y, const struct view_column *c)
{
	return MAX(strlen(c->title), (size_t)y->column);
}

static void put_table_titles(struct strbuf *h, const struct view_block *b, const struct table_layout *y)
{
	const struct view_axis *axis = b->places->axis;

	if (y->time) {
		strbuf_addch(h, '#');
		put_word(h, "time", TIME_WIDTH - 1, true);
	}
	if (axis->key) {
		begin_column(h, 0);
		put_word(h, y->time || axis->titled ? axis->key : "", y->place, false);
	}
	if (axis->counters) {
		begin_column(h, 0);
		put_word(h, y->time ? "ctrs" : "", COUNTERS_WIDTH, true);
	}
	if (y->cgroups) {
		begin_column(h, 0);
		put_word(h, y->time ? "cgroup" : "", y->cgroup, false);
	}
	vec_foreach(&b->table->column, c) {
		begin_column(h, 0);
		put_word(h, c->title, column_width(y, c), true);
	}
}

static void put_table_row(struct strbuf *out, const struct view_block *b, const struct table_layout *y,
			  size_t row)
{
	const struct view_line *l = &b->line.v[row];
	size_t line = out->len, start;

	if (y->time) {
		lines_time(out, b->time_ns);
		pad_to(out, line, TIME_WIDTH, true);
	}
	if (b->places->axis->key) {
		start = begin_column(out, line);
		strbuf_addstr(out, lines_place(b, l));
		pad_to(out, start, y->place, false);
	}
	if (b->places->axis->counters) {
		begin_column(out, line);
		strbuf_add_u64(out, l->nr, COUNTERS_WIDTH);
	}
	if (y->cgroups) {
		begin_column(out, line);
		put_word(out, l->group ? l->group : "", y->cgroup, false);
	}
	for (u32 i = 0; i < b->table->column.nr; i++) {
		struct view_value v = lines_cell(b, row, i);

		start = begin_column(out, line);
		if (view_value_known(&v))
			lines_fixed(out, v.real, v.decimals);
		else
			strbuf_addch(out, '-');
		pad_to(out, start, column_width(y, &b->table->column.v[i]), true);
	}
	strbuf_addch(out, '\n');
}

static void put_table(struct strbuf *out, const struct view_block *b, const struct lines_opts *o,
		      struct lines_state *st)
{
	struct table_layout y = lay_out_table(b, o);
	struct strbuf header = STRBUF_INIT;

	if (b->table->nr_rows) {
		put_table_titles(&header, b, &y);
		lines_header(out, st, &header);
	}
	for (size_t r = 0; r < b->table->nr_rows; r++)
		put_table_row(out, b, &y, r);
}

void text_lines(const struct view_block *b, const struct lines_opts *o, struct lines_state *st,
		struct strbuf *out)
{
	const struct widths w = { unit_width(b), cgroup_width(b) };

	if (b->kind == VIEW_REMARKS) {
		put_remarks(b, out);
		return;
	}
	if (b->kind != VIEW_INTERVAL)
		put_head(b, out);
	else if (!b->table && st->nr_blocks % 25 == 0)
		put_titles(b, out);
	st->nr_blocks++;
	if (b->table)
		put_table(out, b, o, st);
	for (size_t i = 0; !b->table && i < b->line.nr; i++)
		put_line(out, b, &b->line.v[i], o, &w);
	if (b->kind != VIEW_INTERVAL)
		put_foot(b, o, out);
}
