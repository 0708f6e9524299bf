/* Drawing: text that is safe to show, cut to the screen. */
#include "screen.h"

#include <stdio.h>
#include <string.h>

/* first and last code points that take two columns */
static const struct {
	u32 first, last;
} wide[] = {
	{ 0x1100, 0x115f }, { 0x2e80, 0xa4cf }, { 0xac00, 0xd7a3 }, { 0xf900, 0xfaff }, { 0xfe30, 0xfe6f },
	{ 0xff00, 0xff60 }, { 0xffe0, 0xffe6 }, { 0x1f300, 0x1faff }, { 0x20000, 0x3fffd },
};
/* those that take none, or change the direction of what follows */
static const struct {
	u32 first, last;
} unsafe[] = {
	{ 0, 0x1f }, { 0x7f, 0x9f }, { 0xad, 0xad }, { 0x300, 0x36f }, { 0x590, 0x8ff }, { 0x200b, 0x200f },
	{ 0x2028, 0x202e }, { 0x2060, 0x206f }, { 0xfe00, 0xfe0f }, { 0xfeff, 0xfeff }, { 0xfff0, 0xffff },
	{ 0xe0000, 0x10ffff },
};

static u32 decode(const unsigned char *s, int len)
{
	u32 c = len == 1 ? s[0] : s[0] & (0xff >> (len + 1));

	for (int i = 1; i < len; i++)
		c = c << 6 | (s[i] & 0x3f);
	return c;
}

/* one character: its bytes, 1 where it is not shown as it is, and its columns; *ret_safe: whether it is */
static int next_char(const struct tui *t, const char *s, u32 *ret_width, bool *ret_safe)
{
	int len = utf8_length(s);
	u32 c = len > 0 ? decode((const unsigned char *)s, len) : 0;

	*ret_width = 1;
	*ret_safe = len > 0 && (len == 1 || t->utf8);
	for (size_t i = 0; i < ARRAY_SIZE(unsafe); i++)
		if (c >= unsafe[i].first && c <= unsafe[i].last)
			*ret_safe = false;
	for (size_t i = 0; *ret_safe && i < ARRAY_SIZE(wide); i++)
		if (c >= wide[i].first && c <= wide[i].last)
			*ret_width = 2;
	return len > 0 ? len : 1;
}

int tui_put_within(struct tui *t, u32 row, int column, int first, int end, enum tui_color color,
		   const char *text)
{
	char line[2048];
	size_t len = 0;
	int start = MAX(column, first);
	bool cut = false;

	if (row >= t->rows)
		return column;
	while (*text && column < end && len + 8 < sizeof(line)) {
		u32 width;
		bool safe;
		int bytes = next_char(t, text, &width, &safe);

		if (column + (int)width > end)
			break;
		cut |= column < first && *text != ' ';
		if (column < first && column + (int)width > first) {
			line[len++] = ' ';	/* half of a wide one */
		} else if (column >= first && safe) {
			memcpy(line + len, text, bytes);
			len += bytes;
		} else if (column >= first) {
			line[len++] = '?';
		}
		column += width;
		text += bytes;
	}
	if (len)
		t->term->put(row, start, color, line, len);
	if (cut && first < end)
		t->term->put(row, first, color, "<", 1);
	if (text[strspn(text, " ")] && first < end)
		t->term->put(row, end - 1, color, ">", 1);
	return column + (*text ? (int)tui_text_width(t, text) : 0);
}

int tui_put(struct tui *t, u32 row, int column, enum tui_color color, const char *text)
{
	return tui_put_within(t, row, column, 0, (int)t->columns, color, text);
}

u32 tui_text_width(const struct tui *t, const char *text)
{
	u32 all = 0, width;
	bool safe;

	while (*text) {
		text += next_char(t, text, &width, &safe);
		all += width;
	}
	return all;
}

/* the end of the part of a line of text that fits into a row: at a blank, if there is one */
static const char *end_of_row(const struct tui *t, const char *text)
{
	const char *line = text + strcspn(text, "\n"), *end = text, *blank = NULL;
	u32 width = 0, w;
	bool safe;

	while (end < line) {
		int bytes = next_char(t, end, &w, &safe);

		if (*end == ' ')
			blank = end;
		if (width + w > t->columns)
			return *end == ' ' || !blank ? end : blank;
		width += w;
		end += bytes;
	}
	return line;
}

u32 tui_put_lines(struct tui *t, u32 row, u32 max_rows, enum tui_color color, const char *text)
{
	struct strbuf line = STRBUF_INIT;

	for (; *text && max_rows > 1; max_rows--) {
		const char *end = end_of_row(t, text);

		strbuf_reset(&line);
		strbuf_add(&line, text, end - text);
		tui_put(t, row++, 0, color, strbuf_str(&line));
		text = end + (*end == ' ' || *end == '\n');
	}
	if (*text) {
		strbuf_reset(&line);
		strbuf_add(&line, text, strcspn(text, "\n"));
		tui_put(t, row++, 0, color, strbuf_str(&line));
	}
	strbuf_release(&line);
	return row;
}

void tui_bar(struct tui *t, u32 row, enum tui_color color, const char *text)
{
	char blanks[512];
	int at = tui_put(t, row, 0, color, text);

	memset(blanks, ' ', sizeof(blanks));
	while (row < t->rows && at < (int)t->columns) {
		u32 len = MIN((u32)sizeof(blanks), t->columns - at);

		t->term->put(row, at, color, blanks, len);
		at += len;
	}
}

void tui_box(struct tui *t, u32 rows, u32 columns, const char *title, u32 *ret_row, u32 *ret_column)
{
	u32 height = MIN(rows + 2, t->rows);
	int width = (int)MIN(columns + 4, t->columns), left = ((int)t->columns - width) / 2;
	u32 top = (t->rows - height) / 2;
	struct strbuf sb = STRBUF_INIT;

	for (u32 r = 0; r < height; r++) {
		bool edge = !r || r + 1 == height;

		strbuf_reset(&sb);
		strbuf_addch(&sb, edge ? '+' : '|');
		if (width > 2)
			strbuf_pad(&sb, edge ? '-' : ' ', width - 2);
		if (width > 1)
			strbuf_addch(&sb, edge ? '+' : '|');
		tui_put(t, top + r, left, TUI_BOX, strbuf_str(&sb));
	}
	strbuf_reset(&sb);
	strbuf_addf(&sb, " %s ", title);
	tui_put_within(t, top, left + 2, left + 2, left + width - 2, TUI_BOX, strbuf_str(&sb));
	*ret_row = top + 1;
	*ret_column = left + 2;
	strbuf_release(&sb);
}

enum tui_color tui_share_color(double percent)
{
	return percent >= 5.0 ? TUI_HOT : percent >= 0.5 ? TUI_WARM : TUI_NORMAL;
}
