/* Listing screen: drawing. */
#include "listing-screen.h"

#include <stdio.h>
#include <string.h>
#include "../../util/base/units.h"

#define MARK_WIDTH 7u		/* "12ab: " */
#define NUMBER_WIDTH 6u
#define NARROW 30u		/* fewer columns are for the code rather than for offsets */
#define BYTES_ALIGNED 8u	/* nearly all instructions are shorter */

static const char *arrow_text(const struct tui *t, const struct listing_line *line)
{
	static const char *const utf8[] = { "  ", "↑ ", "↓ ", "→ ", "← " };
	static const char *const ascii[] = { "  ", "^ ", "v ", "> ", "< " };

	return line->kind != LISTING_INSN || line->arrow > LISTING_RETURN ? "  " :
	       (t->utf8 ? utf8 : ascii)[line->arrow];
}

void listing_line_text(const struct listing_screen *x, const struct listing_line *line, struct strbuf *out)
{
	struct listing_line shown = *line;
	char off[24];

	if (line->kind != LISTING_INSN) {
		strbuf_addstr(out, line->text);
		return;
	}
	if (line->inside && line->arrow != LISTING_CALL && !x->addresses) {
		snprintf(off, sizeof(off), "%lx", line->target_addr - x->l->start);
		shown.target = off;
	}
	for (u32 i = 0; x->opts.bytes && i < line->nr_bytes; i++)
		strbuf_addf(out, "%02x ", line->bytes[i]);
	if (x->opts.bytes)
		strbuf_pad(out, ' ', 3 * (MAX(line->nr_bytes, BYTES_ALIGNED) - line->nr_bytes));
	listing_add_insn(&shown, out);
	if (line->data_type && !x->no_types)
		strbuf_addf(out, "   # data-type: %s", line->data_type);
}

/* the offset or address before an instruction, "" where it has none */
static void add_mark(const struct listing_screen *x, u32 at, struct strbuf *out)
{
	const struct listing_line *line = &x->l->line.v[at];
	bool marked = line->is_target || x->offsets == OFFSETS_ALL ||
		      (x->offsets == OFFSETS_CALLS && line->arrow == LISTING_CALL);

	if (line->kind != LISTING_INSN)
		return;
	if (x->sources && x->nr_sources[at])
		strbuf_addf(out, "%u ", x->nr_sources[at]);
	if (x->addresses)
		strbuf_addf(out, "%lx:", line->addr);
	else if (marked)
		strbuf_addf(out, "%lx:", line->addr - x->l->start);
}

/* the line beside a jump and its target: between these lines */
struct jump {
	u64 from, to;		/* positions in the list; from == to: there is none */
	bool up;
};

static u64 shown_position(const struct listing_screen *x, u32 line)
{
	for (u64 i = 0; i < x->shown.nr; i++)
		if (x->shown.v[i] == line)
			return i;
	return UINT64_MAX;
}

static struct jump selected_jump(const struct listing_screen *x)
{
	const struct screen_list *list = &x->s.list;
	const struct listing_line *line = list->at < x->shown.nr ? &x->l->line.v[x->shown.v[list->at]] : NULL;
	u64 to;

	if (!line || !x->arrows || line->kind != LISTING_INSN || !line->inside ||
	    (line->arrow != LISTING_UP && line->arrow != LISTING_DOWN))
		return (struct jump){ 0 };
	to = shown_position(x, listing_find_insn(x, line->target_addr));
	if (to == UINT64_MAX)
		return (struct jump){ 0 };
	return to < list->at ? (struct jump){ to, list->at, true } : (struct jump){ list->at, to, false };
}

static const char *jump_text(const struct tui *t, const struct jump *j, u64 at)
{
	bool target = at == (j->up ? j->from : j->to);

	if (j->from == j->to || at < j->from || at > j->to)
		return " ";
	if (target)
		return t->utf8 ? (j->up ? "┌" : "└") : ">";
	if (at == j->from || at == j->to)
		return t->utf8 ? (j->up ? "└" : "┌") : "+";
	return t->utf8 ? "│" : "|";
}

double listing_line_percent(const struct listing_screen *x, const struct listing_line *line)
{
	double percent = 0;

	for (u32 m = 0; line->hits != LISTING_NO_HITS && m < x->l->member.nr; m++)
		percent += listing_percent(&x->l->member.v[m], &x->l->hits.v[line->hits + m], x->opts.share);
	return percent;
}

/* the columns of numbers; returns the column after them */
static int draw_values(struct tui *t, const struct listing_screen *x, const struct listing_line *line,
		       u32 row, enum tui_color color)
{
	struct strbuf sb = STRBUF_INIT;
	int column = -(int)x->s.list.shift;

	for (u32 m = 0; m < x->l->member.nr; m++) {
		enum tui_color value = color;

		strbuf_reset(&sb);
		if (line->kind == LISTING_INSN && line->hits != LISTING_NO_HITS) {
			listing_add_value(x->l, line, m, &x->opts, &sb);
			if (color == TUI_NORMAL)
				value = tui_share_color(listing_percent(&x->l->member.v[m],
									&x->l->hits.v[line->hits + m],
									x->opts.share));
		} else {
			strbuf_pad(&sb, ' ', listing_value_width(&x->opts));
		}
		column = tui_put(t, row, column, value, strbuf_str(&sb));
	}
	strbuf_reset(&sb);
	listing_add_cycles(x->l, line, &sb);
	column = tui_put(t, row, column, color, strbuf_str(&sb));
	strbuf_release(&sb);
	return tui_put(t, row, column, color == TUI_SELECTED ? color : TUI_ARROW, t->utf8 ? " │" : " |");
}

static void draw_line(struct tui *t, const struct listing_screen *x, u64 at, u32 row, const struct jump *j)
{
	const struct listing_line *line = &x->l->line.v[x->shown.v[at]];
	bool selected = at == x->s.list.at, insn = line->kind == LISTING_INSN;
	enum tui_color color = selected ? TUI_SELECTED : insn ? TUI_NORMAL : TUI_SOURCE;
	struct strbuf sb = STRBUF_INIT, mark = STRBUF_INIT;
	int column;

	if (selected)
		tui_bar(t, row, TUI_SELECTED, "");
	column = draw_values(t, x, line, row, color);
	if (x->numbers) {
		if (!insn && line->number)
			strbuf_addf(&sb, "%u", line->number);
		strbuf_pad(&sb, ' ', NUMBER_WIDTH - MIN(sb.len, NUMBER_WIDTH));
		column = tui_put(t, row, column, color, strbuf_str(&sb));
		strbuf_reset(&sb);
	}
	if (t->columns >= NARROW) {
		add_mark(x, x->shown.v[at], &mark);
		strbuf_pad(&sb, ' ', MARK_WIDTH - MIN(mark.len, MARK_WIDTH));
	}
	strbuf_addstr(&sb, strbuf_str(&mark));
	strbuf_release(&mark);
	column = tui_put(t, row, column, color, strbuf_str(&sb));
	column = tui_put(t, row, column, selected ? color : TUI_ARROW, jump_text(t, j, at));
	column = tui_put(t, row, column, selected ? color : TUI_ARROW, arrow_text(t, line));
	strbuf_reset(&sb);
	if (line->kind == LISTING_NOTE)
		strbuf_addf(&sb, "(%s)", line->text);
	for (const char *p = line->kind == LISTING_SOURCE ? line->text : ""; *p; p++)
		*p == '\t' ? strbuf_pad(&sb, ' ', 8 - sb.len % 8) : strbuf_addch(&sb, *p);
	if (insn)
		listing_line_text(x, line, &sb);
	tui_put(t, row, column, color, strbuf_str(&sb));
	strbuf_release(&sb);
}

static void draw_head(struct tui *t, const struct listing_screen *x)
{
	static const char *const columns[] = { "Percent", "Period", "Samples" };
	struct strbuf sb = STRBUF_INIT;
	u64 nr = 0, all = 0;

	vec_foreach(&x->l->member, m) {
		nr += m->nr;
		all += m->all_nr;
	}
	strbuf_addf(&sb, "%s  %s", x->l->symbol, x->l->dso);
	tui_bar(t, 0, TUI_BAR, strbuf_str(&sb));
	strbuf_reset(&sb);
	strbuf_addf(&sb, "%s", columns[x->column]);
	if (x->column == LISTING_PERCENT)
		strbuf_addf(&sb, " (%s)", listing_share_name(x->opts.share));
	strbuf_addf(&sb, "  %lu of %lu sample%s of", nr, all, plural(all));
	vec_foreach(&x->l->member, m)
		strbuf_addf(&sb, "%s %s", m == x->l->member.v ? "" : ",", m->event);
	if (x->l->block.nr) {
		strbuf_addstr(&sb, "; ");
		listing_add_ipc(x->l, &sb);
		strbuf_addstr(&sb, "; columns: IPC, cycles (min/max)");
	}
	if (t->rows > 3)
		tui_put(t, 1, 0, TUI_TITLE, strbuf_str(&sb));
	strbuf_release(&sb);
}

void listing_draw(struct tui *t, struct screen *s)
{
	struct listing_screen *x = (struct listing_screen *)s;
	u32 from = t->rows > 3 ? 2 : 1, foot = t->rows > 3;
	u32 height = t->rows > from + foot ? t->rows - from - foot : 0;
	struct strbuf sb = STRBUF_INIT;
	struct jump j;

	draw_head(t, x);
	list_fit(&s->list, x->shown.nr, height);
	j = selected_jump(x);
	if (x->l->why && height)
		tui_put_lines(t, from, height, TUI_NORMAL, x->l->why);
	for (u32 i = 0; i < height && s->list.top + i < x->shown.nr; i++)
		draw_line(t, x, s->list.top + i, from + i, &j);
	strbuf_addf(&sb, "%lu of %lu   h: keys  ENTER: follow  TAB: hottest  s: source  q: back",
		    s->list.nr ? s->list.at + 1 : 0, s->list.nr);
	if (foot)
		tui_bar(t, t->rows - 1, TUI_BAR, strbuf_str(&sb));
	strbuf_release(&sb);
}
