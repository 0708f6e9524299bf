/* Text: the classic plain-text report, in columns that are padded. */
#include "text-private.h"

#include <errno.h>
#include <stdlib.h>
#include "format.h"
#include "../util/base/columns.h"
#include "../util/cli/color.h"

/* text to the left is cut where a width was asked for that is too small (not inside a UTF-8 character) */
static size_t fitting(const char *text, size_t len, u32 width, bool right)
{
	if (right || len <= width)
		return len;
	for (len = width; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

void text_cut_name(struct strbuf *sb, size_t start, u32 width)
{
	static const char dots[] = "...";

	if (sb->len - start <= width || width < strlen(dots))
		return;
	strbuf_setlen(sb, start + fitting(sb->buf + start, sb->len - start, width - strlen(dots), false));
	strbuf_addstr(sb, dots);
}

void text_padded(struct strbuf *sb, const char *text, u32 width, bool right, bool pad)
{
	size_t len = fitting(text, strlen(text), width, right), columns = text_columns(text, len);
	size_t missing = columns < width ? width - columns : 0;

	strbuf_pad(sb, ' ', right ? missing : 0);
	strbuf_add(sb, text, len);
	strbuf_pad(sb, ' ', !right && pad ? missing : 0);
}

static void add_titles(const struct layout *l, struct strbuf *sb)
{
	text_group_titles(l, 0, l->t->column.nr, sb);
	strbuf_addstr(sb, "# ");
	for (u32 i = 0; i < l->t->column.nr; i++) {
		const struct view_column *c = &l->t->column.v[i];

		strbuf_pad(sb, ' ', i ? text_gap(l->t, i) : 0);
		text_padded(sb, text_title(c), l->width[i], c->right, true);
	}
	strbuf_addstr(sb, "\n# ");
	for (u32 i = 0; i < l->t->column.nr; i++) {
		strbuf_pad(sb, ' ', i ? text_gap(l->t, i) : 0);
		strbuf_pad(sb, '.', l->width[i]);
	}
	strbuf_addstr(sb, "\n#\n");
}

/* the text from start on, a share, in its colour */
static void color_cell(struct strbuf *sb, size_t start)
{
	size_t len = sb->len - start;
	const char *color = share_color(strtod(strbuf_str(sb) + start, NULL));
	char text[32];

	if (!*color || len >= sizeof(text) || sb->buf[sb->len - 1] != '%')
		return;
	memcpy(text, sb->buf + start, len);
	strbuf_setlen(sb, start);
	strbuf_addstr(sb, color);
	strbuf_add(sb, text, len);
	strbuf_addstr(sb, COLOR_RESET);
}

/* the text from start on, in lines of a width: the last blank that is in time becomes the end of a line */
static void wrap_cell(struct strbuf *sb, size_t start, u32 width, u32 indent)
{
	char *text = xstrdup(strbuf_str(sb) + start), *line = text;

	strbuf_setlen(sb, start);
	for (char *end; text_columns(line, strlen(line)) > width; line = end + 1) {
		char *next = end = strchr(line, ' ');

		for (; next && text_columns(line, next - line) <= width; next = strchr(next + 1, ' '))
			end = next;
		if (!end)
			break;
		strbuf_add(sb, line, end - line);
		strbuf_addch(sb, '\n');
		strbuf_pad(sb, ' ', indent);
	}
	strbuf_addstr(sb, line);
	free(text);
}

void text_cell(const struct layout *l, size_t row, u32 i, bool last, struct strbuf *sb)
{
	const struct view_column *c = &l->t->column.v[i];
	u32 width = l->width[i];
	size_t start, len, columns, missing;

	strbuf_pad(sb, ' ', text_gap(l->t, i));
	start = sb->len;
	l->t->cell(l->t, row, i, sb);
	if (c->sentences && l->o->room)
		wrap_cell(sb, start, width, text_line_width(l, i) + text_gap(l->t, i));
	len = sb->len - start;
	if (len > width && l->cut[i])
		text_cut_name(sb, start, width);
	else if (len > width && text_width_asked(l->o, i))
		strbuf_setlen(sb, start + fitting(sb->buf + start, len, width, c->right));
	len = sb->len - start;
	columns = text_columns(sb->buf + start, len);
	missing = columns < width ? width - columns : 0;
	if (missing && c->right) {
		strbuf_pad(sb, ' ', missing);
		memmove(sb->buf + start + missing, sb->buf + start, len);
		memset(sb->buf + start, ' ', missing);
	} else if (!last || !c->no_pad) {
		strbuf_pad(sb, ' ', missing);
	}
	if (l->o->color && c->fixed)
		color_cell(sb, start);
}

/* titles of columns as wide as the cells and the two blanks before them, and an empty line */
static void plain_titles(const struct layout *l, struct strbuf *sb)
{
	for (u32 i = 0; i < l->t->column.nr; i++) {
		const struct view_column *c = &l->t->column.v[i];

		if (!c->right)
			strbuf_addstr(sb, "  ");
		text_padded(sb, c->title, l->width[i] + (c->right ? 2 : 0), c->right,
			    i + 1 < l->t->column.nr);
	}
	strbuf_addstr(sb, "\n\n");
}

static void add_bar(const struct layout *l, struct strbuf *sb)
{
	u32 width = 0;

	for (u32 i = 0; i < l->t->column.nr; i++)
		width += l->width[i] + 3;
	strbuf_addch(sb, ' ');
	strbuf_pad(sb, '-', width);
	strbuf_addch(sb, '\n');
}

static void bar_titles(const struct layout *l, struct strbuf *sb)
{
	strbuf_addstr(sb, "\n ");
	for (u32 i = 0; i < l->t->column.nr; i++) {
		strbuf_addch(sb, ' ');
		text_padded(sb, l->t->column.v[i].title, l->width[i], false, true);
		strbuf_addstr(sb, " |");
	}
	strbuf_addch(sb, '\n');
	add_bar(l, sb);
}

static void bar_row(const struct layout *l, size_t row, struct strbuf *sb)
{
	for (u32 i = 0; i < l->t->column.nr; i++) {
		size_t start;

		if (i)
			strbuf_addch(sb, ' ');
		start = sb->len;
		text_cell(l, row, i, false, sb);
		if (i)
			sb->buf[start] = '|';	/* the first of the two blanks before a cell */
	}
	strbuf_addstr(sb, " |");
}

static void ruled_titles(const struct layout *l, struct strbuf *sb)
{
	for (u32 i = 0; i < l->t->column.nr; i++) {
		const struct view_column *c = &l->t->column.v[i];

		strbuf_addch(sb, i ? ' ' : '#');
		text_padded(sb, c->title, l->width[i], c->right, true);
		strbuf_addstr(sb, i ? " |" : "|");
	}
	strbuf_addch(sb, '\n');
}

static void ruled_row(const struct layout *l, size_t row, struct strbuf *sb)
{
	for (u32 i = 0; i < l->t->column.nr; i++) {
		size_t start = sb->len;

		text_cell(l, row, i, false, sb);
		/* a cell begins with two blanks: one too many here */
		memmove(sb->buf + start, sb->buf + start + 1 + !i, sb->len - start - 1 - !i);
		strbuf_setlen(sb, sb->len - 1 - !i);
		strbuf_addstr(sb, " |");
	}
}

static void dashed_titles(const struct layout *l, struct strbuf *sb)
{
	if (l->t->title)
		strbuf_addf(sb, "%s\n\n", l->t->title);
	for (u32 i = 0; i < l->t->column.nr; i++) {
		const struct view_column *c = &l->t->column.v[i];

		strbuf_addstr(sb, i ? "  " : "");
		text_padded(sb, c->title, l->width[i], c->right, i + 1 < l->t->column.nr);
	}
	strbuf_addch(sb, '\n');
	for (u32 i = 0; i < l->t->column.nr; i++) {
		strbuf_addstr(sb, i ? "  " : "");
		strbuf_pad(sb, '-', l->width[i]);
	}
	strbuf_addch(sb, '\n');
}

static void dashed_row(const struct layout *l, size_t row, struct strbuf *sb)
{
	size_t start = sb->len;

	for (u32 i = 0; i < l->t->column.nr; i++)
		text_cell(l, row, i, i + 1 == l->t->column.nr, sb);
	/* a cell begins with two blanks: none at the beginning of a line */
	memmove(sb->buf + start, sb->buf + start + 2, sb->len - start - 2);
	strbuf_setlen(sb, sb->len - 2);
}

static void text_titles(const struct layout *l, struct strbuf *sb)
{
	static void (*const looks[])(const struct layout *l, struct strbuf *sb) = {
		[VIEW_LOOK_PLAIN] = plain_titles, [VIEW_LOOK_BARS] = bar_titles,
		[VIEW_LOOK_RULED] = ruled_titles, [VIEW_LOOK_DASHED] = dashed_titles,
	};

	if (l->t->look)
		return looks[l->t->look->kind](l, sb);
	(l->t->nr_levels ? text_level_titles : add_titles)(l, sb);
}

static void plain_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	if (l->t->nr_levels)
		text_level_row(l, row, sb, cell);
	if (l->t->look && l->t->look->kind == VIEW_LOOK_BARS)
		return bar_row(l, row, sb);
	if (l->t->look && l->t->look->kind == VIEW_LOOK_RULED)
		return ruled_row(l, row, sb);
	if (l->t->look && l->t->look->kind == VIEW_LOOK_DASHED)
		return dashed_row(l, row, sb);
	for (u32 i = 0; !l->t->nr_levels && i < l->t->column.nr; i++)
		text_cell(l, row, i, i + 1 == l->t->column.nr, sb);
}

static void text_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	u8 color = l->o->color && l->t->row_color ? l->t->row_color[row] : 0;

	if (color)
		strbuf_addf(sb, "\033[%um", color);
	plain_row(l, row, sb, cell);
	if (color)
		strbuf_addstr(sb, COLOR_RESET);
}

static void text_end(const struct layout *l, struct strbuf *sb)
{
	if (l->t->look->kind == VIEW_LOOK_BARS && !l->o->quiet)
		add_bar(l, sb);
}

int text_show(const struct view *v, const struct text_opts *o, FILE *out)
{
	static const struct text_style style = { text_titles, text_row, text_end, "" };

	return text_document(v, o, &style, out);
}

int text_add(const struct view *v, const struct text_opts *o, struct strbuf *out)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int ret;

	if (!f)
		return -errno;
	ret = text_show(v, o, f);
	fclose(f);
	strbuf_add(out, text, len);
	free(text);
	return ret;
}
