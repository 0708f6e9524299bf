/* Separated values: a line per row, with one character between the cells and no padding; for scripts. */
#include "text-private.h"

#include "format.h"

/* a separator inside a value would shift the columns: it becomes a dot, as scripts that parse this expect */
static void add_plain(struct strbuf *sb, const char *text, char separator)
{
	while (*text == ' ')
		text++;
	for (; *text; text++)
		strbuf_addch(sb, *text == separator ? '.' : *text);
}

static void add_separator(const struct layout *l, struct strbuf *sb)
{
	strbuf_addch(sb, l->o->separator);
	if (l->t->look && l->t->look->spaced)
		strbuf_addch(sb, ' ');
}

/* where rows are a tree, all keys share the last title */
static void separated_titles(const struct layout *l, struct strbuf *sb)
{
	const struct view_table *t = l->t;

	strbuf_addstr(sb, t->look && t->look->lead ? t->look->lead : "# ");
	for (u32 i = 0; !t->nr_levels && i < t->column.nr; i++) {
		if (i)
			add_separator(l, sb);
		add_plain(sb, t->column.v[i].title, l->o->separator);
	}
	for (u32 i = 0; t->nr_levels && i < text_nr_numbers(t); i++)
		strbuf_addf(sb, "%s%c", t->column.v[i].title, l->o->separator);
	if (t->nr_levels)
		text_key_titles(l, sb);
	else
		strbuf_addch(sb, '\n');
}

static void add_cell(const struct layout *l, size_t row, u32 i, struct strbuf *sb, struct strbuf *cell)
{
	strbuf_reset(cell);
	l->t->cell(l->t, row, i, cell);
	if (i)
		add_separator(l, sb);
	add_plain(sb, strbuf_str(cell), l->o->separator);
}

/* depth as blanks, numbers, the key of the level; a remark has no numbers */
static void add_level_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	const struct view_level *level = &l->t->level[row];

	strbuf_pad(sb, ' ', level->depth * TEXT_LEVEL_INDENT);
	for (u32 i = 0; i < text_nr_numbers(l->t) && !level->note; i++)
		add_cell(l, row, i, sb, cell);
	add_cell(l, row, text_nr_numbers(l->t) + level->depth, sb, cell);
}

static void separated_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	if (l->t->nr_levels)
		add_level_row(l, row, sb, cell);
	for (u32 i = 0; !l->t->nr_levels && i < l->t->column.nr; i++)
		add_cell(l, row, i, sb, cell);
}

int separated_show(const struct view *v, const struct text_opts *o, FILE *out)
{
	static const struct text_style style = { separated_titles, separated_row, NULL, "# " };

	return text_document(v, o, &style, out);
}
