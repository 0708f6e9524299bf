/* Table screen: drawing. Only cells of rows that are on the screen are computed. */
#include "table-screen.h"

#include <stdlib.h>
#include <string.h>
#include "../../util/base/maths.h"

#define BAR_COLUMNS 8u
#define BAR_MIN_SCREEN 60u	/* columns of a terminal where there is room for bars */
#define BRIEF_MIN_ROWS 12u	/* rows of a terminal where there is room for the lines above the table */
#define WRAP_MIN_ROWS 16u	/* where there is room for advice that is longer than the screen is wide */
#define NODE_INDENT 3u

struct pen {
	struct tui *t;
	u32 row;
	int x;			/* where the next text begins; negative: left of the screen */
	bool selected;
};

static void pen_put(struct pen *p, enum tui_color color, const char *text)
{
	p->x = tui_put(p->t, p->row, p->x, p->selected ? TUI_SELECTED : color, text);
}

static void pen_blanks(struct pen *p, u32 nr)
{
	static const char blanks[] = "                                ";

	for (; nr; nr -= MIN(nr, (u32)sizeof(blanks) - 1))
		pen_put(p, TUI_NORMAL, blanks + sizeof(blanks) - 1 - MIN(nr, (u32)sizeof(blanks) - 1));
}

/* text padded to a width */
static void pen_cell(struct pen *p, enum tui_color color, const char *text, u32 width, bool right)
{
	u32 len = tui_text_width(p->t, text), pad = len < width ? width - len : 0;

	if (right)
		pen_blanks(p, pad);
	pen_put(p, color, text);
	if (!right)
		pen_blanks(p, pad);
}

/* a bar: its part of all columns, in eighths of one if the terminal has such characters */
static void pen_bar(struct pen *p, double part)
{
	static const char *const eighths[] = { "", "▏", "▎", "▍", "▌", "▋", "▊", "▉" };
	struct strbuf text = STRBUF_INIT;
	u32 steps = p->t->utf8 ? 8 : 1;
	u32 nr = (u32)maths_round(MIN(MAX(part, 0.0), 1.0) * BAR_COLUMNS * steps);

	for (u32 i = 0; i < nr / steps; i++)
		strbuf_addstr(&text, p->t->utf8 ? "█" : "#");
	if (nr % steps)
		strbuf_addstr(&text, eighths[nr % steps]);
	pen_blanks(p, 1);
	pen_cell(p, TUI_TITLE, strbuf_str(&text), BAR_COLUMNS, false);
	strbuf_release(&text);
}

/* a share of the rows that are shown, in as many columns as the cell has */
static void relative_share(const struct table_screen *x, u32 row, u32 column, struct strbuf *cell)
{
	const struct view_table *vt = table_shown(x);
	u32 nr = vt->column.v[column].each_member ? (u32)vt->member.nr : 1;
	struct strbuf scratch = STRBUF_INIT;

	strbuf_reset(cell);
	for (u32 m = 0; m < nr; m++) {
		struct view_value value;

		vt->value(vt, row, column, m, &scratch, &value);
		strbuf_addf(cell, "%7.2f%%", value.type == VIEW_SHARE && x->share_sum > 0 ?
			    100.0 * value.real / x->share_sum : 0.0);
	}
	strbuf_release(&scratch);
}

static void draw_cell(struct pen *p, const struct table_screen *x, u32 row, u32 column, struct strbuf *cell)
{
	const struct view_table *vt = table_shown(x);
	const struct view_column *c = &vt->column.v[column];
	bool share = c->type == VIEW_SHARE;

	strbuf_reset(cell);
	if (share && x->relative && vt->value)
		relative_share(x, row, column, cell);
	else
		vt->cell(vt, row, column, cell);
	pen_cell(p, share ? tui_share_color(strtod(strbuf_str(cell), NULL)) : TUI_NORMAL, strbuf_str(cell),
		 c->width, c->right);
}

static void draw_bar_of(struct pen *p, const struct table_screen *x, u32 row, u32 column)
{
	const struct view_table *vt = table_shown(x);
	struct strbuf scratch = STRBUF_INIT;
	struct view_value value = { .type = VIEW_ABSENT };

	vt->value(vt, row, column, 0, &scratch, &value);
	pen_bar(p, value.type == VIEW_SHARE && x->share_max > 0 ? value.real / x->share_max : 0);
	strbuf_release(&scratch);
}

static const char *sign(const struct table_line *line)
{
	return !line->can_open ? "  " : line->is_open ? "- " : "+ ";
}

static bool has_bars(const struct tui *t, const struct table_screen *x)
{
	const struct view_table *vt = table_shown(x);

	return t->columns >= BAR_MIN_SCREEN && vt->value && table_share_column(vt) >= 0;
}

/* the key of a row of a tree, without the blanks that line it up */
static void draw_tree_key(struct pen *p, const struct table_screen *x, const struct table_line *line,
			  struct strbuf *cell)
{
	const struct view_table *vt = table_shown(x);
	const struct view_level *level = &vt->level[line->row];
	const char *text;

	strbuf_reset(cell);
	vt->cell(vt, line->row, level->note ? 0 : vt->column.nr - vt->nr_levels + level->depth, cell);
	for (text = strbuf_str(cell); *text == ' ';)
		text++;
	pen_blanks(p, level->depth * NODE_INDENT);
	pen_put(p, TUI_NORMAL, sign(line));
	pen_put(p, TUI_NORMAL, text);
}

static void draw_row(struct pen *p, const struct table_screen *x, const struct table_line *line)
{
	const struct view_table *vt = table_shown(x);
	u32 nr = vt->column.nr - vt->nr_levels, share = (u32)table_share_column(vt);
	struct strbuf cell = STRBUF_INIT;

	if (!vt->nr_levels)
		pen_put(p, TUI_NORMAL, sign(line));
	for (u32 i = 0; i < nr; i++) {
		if (i)
			pen_blanks(p, 2);
		if (vt->nr_levels && vt->level[line->row].note) {
			pen_blanks(p, vt->column.v[i].width + (i == share && has_bars(p->t, x) ?
							       BAR_COLUMNS + 1 : 0));
			continue;
		}
		draw_cell(p, x, line->row, i, &cell);
		if (i == share && has_bars(p->t, x))
			draw_bar_of(p, x, line->row, i);
	}
	if (vt->nr_levels) {
		pen_blanks(p, 2);
		draw_tree_key(p, x, line, &cell);
	}
	strbuf_release(&cell);
}

static void draw_node(struct pen *p, const struct table_screen *x, const struct table_line *line)
{
	const struct view_table *vt = table_shown(x);
	const struct view_node *n = line->node;
	u64 base = x->text.graph == GRAPH_FRACTAL ? line->parent->period : vt->total_period;
	double percent = base ? 100.0 * n->period / base : 0;
	struct strbuf sb = STRBUF_INIT;

	pen_blanks(p, 6 + (line->depth + (vt->nr_levels ? vt->level[line->row].depth : 0)) * NODE_INDENT);
	pen_put(p, TUI_NORMAL, sign(line));
	if (!line->run && x->text.value == GRAPH_PERCENT) {
		strbuf_addf(&sb, "%6.2f%% ", percent);
		pen_put(p, tui_share_color(percent), strbuf_str(&sb));
	} else if (!line->run) {
		strbuf_add_u64(&sb, x->text.value == GRAPH_PERIOD ? n->period : n->nr, 0);
		strbuf_addch(&sb, ' ');
		pen_put(p, TUI_NORMAL, strbuf_str(&sb));
	} else {
		pen_blanks(p, x->text.value == GRAPH_PERCENT ? 8 : 2);
	}
	pen_put(p, TUI_NORMAL, n->label ? n->label : "");
	if (n->note) {
		strbuf_reset(&sb);
		strbuf_addf(&sb, " (%s)", n->note);
		pen_put(p, TUI_NORMAL, strbuf_str(&sb));
	}
	strbuf_release(&sb);
}

static void draw_titles(struct tui *t, const struct table_screen *x, u32 row)
{
	const struct view_table *vt = table_shown(x);
	struct pen p = { .t = t, .row = row, .x = -(int)x->s.list.shift };
	u32 nr = vt->column.nr - vt->nr_levels, share = (u32)table_share_column(vt);

	if (!vt->nr_levels)
		pen_blanks(&p, 2);
	for (u32 i = 0; i < vt->column.nr; i++) {
		const struct view_column *c = &vt->column.v[i];
		const char *title = c->title + strspn(c->title, " ");

		if (i)
			pen_put(&p, TUI_TITLE, i > nr ? " / " : "  ");
		if (i == nr && vt->nr_levels)
			pen_blanks(&p, 2);
		pen_cell(&p, TUI_TITLE, title, i < nr ? c->width : 0, c->right);
		if (i == share && has_bars(t, x))
			pen_blanks(&p, BAR_COLUMNS + 1);
	}
}

/* what is filtered, or nothing */
static void filter_text(const struct table_screen *x, struct strbuf *sb)
{
	const struct table_lines *l = &x->lines;

	for (u32 i = 0; i < l->nr_filters; i++) {
		const char *title = l->t->column.v[l->filter[i].column].title;

		strbuf_addf(sb, "%s%s %s '%s'", sb->len ? ", " : "Only rows: ", title + strspn(title, " "),
			    l->filter[i].contains ? "contains" : l->filter[i].prefix ? "begins with" : "is",
			    l->filter[i].text);
	}
}

/* the lines above the rows; returns how many */
static u32 draw_head(struct tui *t, const struct table_screen *x)
{
	const struct view_table *vt = table_shown(x);
	struct strbuf sb = STRBUF_INIT;
	u32 row = 0;

	strbuf_addstr(&sb, vt->head.nr ? vt->head.v[0] : vt->name ? vt->name : x->v->name);
	if (x->v->table.nr > 1)
		strbuf_addf(&sb, "  [%u of %zu, TAB: next]", x->table + 1, x->v->table.nr);
	for (size_t i = 1; i < vt->head.nr; i++)
		strbuf_addf(&sb, "  %s", vt->head.v[i]);
	tui_bar(t, row++, TUI_BAR, strbuf_str(&sb));
	for (size_t i = 0; t->rows >= BRIEF_MIN_ROWS && i < x->v->brief.nr; i++) {
		if (i)
			row = tui_put_lines(t, row, t->rows < WRAP_MIN_ROWS ? 1 : 2, TUI_WARM,
					    x->v->brief.v[i]);
		else
			tui_put(t, row++, 0, TUI_NORMAL, x->v->brief.v[i]);
	}
	strbuf_reset(&sb);
	filter_text(x, &sb);
	if (sb.len)
		tui_put(t, row++, 0, TUI_SOURCE, strbuf_str(&sb));
	if (t->rows > 3)
		draw_titles(t, x, row++);
	strbuf_release(&sb);
	return row;
}

static void draw_foot(struct tui *t, const struct table_screen *x)
{
	const struct screen_list *l = &x->s.list;
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "%lu of %lu%s   ", l->nr ? l->at + 1 : 0, l->nr,
		    x->relative ? ", shares of these" : "");
	strbuf_addstr(&sb, "h: keys  ENTER: actions  /: filter  q: leave");
	tui_bar(t, t->rows - 1, TUI_BAR, strbuf_str(&sb));
	strbuf_release(&sb);
}

void table_draw(struct tui *t, struct screen *s)
{
	struct table_screen *x = (struct table_screen *)s;
	u32 from = draw_head(t, x), foot = t->rows > 3;
	u32 height = t->rows > from + foot ? t->rows - from - foot : 0;

	list_fit(&s->list, table_lines_nr(&x->lines), height);
	for (u32 i = 0; i < height && s->list.top + i < s->list.nr; i++) {
		struct table_line line = table_lines_at(&x->lines, s->list.top + i);
		struct pen p = { .t = t, .row = from + i, .x = -(int)s->list.shift,
				 .selected = s->list.top + i == s->list.at };

		if (p.selected)
			tui_bar(t, p.row, TUI_SELECTED, "");
		if (line.node)
			draw_node(&p, x, &line);
		else
			draw_row(&p, x, &line);
	}
	if (!s->list.nr && height)
		tui_put(t, from, 0, TUI_NORMAL, x->lines.nr_filters ?
			"no row passes the filter: ESC removes it" : "no samples");
	if (foot)
		draw_foot(t, x);
}
