/* Rows that are a tree: numbers first, then the key of the row's level, each level further to the right. */
#include "text-private.h"

/* keys stand where their level is: blanks that line them up in a column are left out */
static const char *without_blanks(const char *s)
{
	while (*s == ' ')
		s++;
	return s;
}

/* what the keys' titles, one after the other, and the deepest cells take */
static u32 keys_width(const struct layout *l)
{
	const struct view_table *t = l->t;
	u32 titles = 0, width = 0;

	for (u32 i = 0; i < t->nr_levels; i++) {
		u32 at = text_nr_numbers(t) + i;

		titles += strlen(without_blanks(t->column.v[at].title)) + (i ? strlen(" / ") : 0);
		width = MAX(width, i * TEXT_LEVEL_INDENT + l->width[at]);
	}
	return MAX(titles, width);
}

void text_key_titles(const struct layout *l, struct strbuf *sb)
{
	for (u32 i = text_nr_numbers(l->t); i < l->t->column.nr; i++)
		strbuf_addf(sb, "%s%s", i == text_nr_numbers(l->t) ? "" : " / ",
			    without_blanks(l->t->column.v[i].title));
	strbuf_addch(sb, '\n');
}

void text_level_titles(const struct layout *l, struct strbuf *sb)
{
	const struct view_table *t = l->t;
	u32 indent = t->nr_levels ? (t->nr_levels - 1) * TEXT_LEVEL_INDENT : 0, numbers = indent;

	text_group_titles(l, indent, text_nr_numbers(t), sb);
	strbuf_addstr(sb, "# ");
	strbuf_pad(sb, ' ', indent);
	for (u32 i = 0; i < text_nr_numbers(t); i++) {
		u32 gap = i ? text_gap(t, i) : 0;

		strbuf_pad(sb, ' ', gap);
		text_padded(sb, text_title(&t->column.v[i]), l->width[i], t->column.v[i].right, true);
		numbers += l->width[i] + gap;
	}
	strbuf_addstr(sb, "  ");
	text_key_titles(l, sb);
	strbuf_addstr(sb, "# ");
	strbuf_pad(sb, '.', numbers);
	strbuf_addstr(sb, "  ");
	strbuf_pad(sb, '.', keys_width(l));
	strbuf_addstr(sb, "\n#\n");
}

/* a remark stands where the key of its level would */
static void add_note(const struct layout *l, size_t row, struct strbuf *sb)
{
	u32 width = (l->t->level[row].depth + l->t->nr_levels - 1) * TEXT_LEVEL_INDENT + 2;

	for (u32 i = 0; i < text_nr_numbers(l->t); i++)
		width += text_gap(l->t, i) + l->width[i];
	strbuf_pad(sb, ' ', width);
	l->t->cell(l->t, row, 0, sb);
}

void text_level_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	const struct view_table *t = l->t;
	u32 depth = t->level[row].depth, key = text_nr_numbers(t) + depth, blanks, width;
	const char *text;

	if (t->level[row].note) {
		add_note(l, row, sb);
		return;
	}
	strbuf_pad(sb, ' ', depth * TEXT_LEVEL_INDENT);
	for (u32 i = 0; i < text_nr_numbers(t); i++)
		text_cell(l, row, i, false, sb);
	strbuf_pad(sb, ' ', (t->nr_levels - 1) * TEXT_LEVEL_INDENT + 2);
	strbuf_reset(cell);
	t->cell(t, row, key, cell);
	text = without_blanks(strbuf_str(cell));
	blanks = text - strbuf_str(cell);
	if (l->cut[key]) {
		size_t start = sb->len;

		strbuf_addstr(sb, text);
		text_cut_name(sb, start, l->width[key]);
		return;
	}
	/* blanks before and after numbers are removed; -w can set a width smaller than the blanks alone */
	width = l->width[key] > blanks ? l->width[key] - blanks : 1;
	text_padded(sb, text, text_width_asked(l->o, key) ? width : MAX(width, strlen(text)), false,
		    !t->column.v[key].no_pad && !t->column.v[key].right);
}
