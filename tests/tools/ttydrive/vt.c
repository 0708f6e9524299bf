/* VT: see vt.h. */
#include "vt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void blank(struct vt *v, u32 row, u32 from, u32 to)
{
	for (u32 c = from; c < to && row < VT_MAX_ROWS; c++)
		v->cell[row][c] = (struct vt_cell){ " ", v->background };
}

void vt_init(struct vt *v, u32 rows, u32 columns)
{
	memset(v, 0, sizeof(*v));
	for (u32 r = 0; r < VT_MAX_ROWS; r++)
		blank(v, r, 0, VT_MAX_COLUMNS);
	vt_resize(v, rows, columns);
}

void vt_resize(struct vt *v, u32 rows, u32 columns)
{
	v->rows = MIN(rows, VT_MAX_ROWS);
	v->columns = MIN(columns, VT_MAX_COLUMNS);
	v->scroll_top = 0;
	v->scroll_end = v->rows;
	v->row = MIN(v->row, v->rows - 1);
	v->column = MIN(v->column, v->columns - 1);
}

/* lines [from, end) move by n, down if n is positive */
static void scroll(struct vt *v, u32 from, int n)
{
	u32 end = v->scroll_end, nr = MIN((u32)abs(n), end - MIN(from, end));

	if (from >= end)
		return;
	if (n > 0)
		memmove(v->cell[from + nr], v->cell[from], (end - from - nr) * sizeof(v->cell[0]));
	else
		memmove(v->cell[from], v->cell[from + nr], (end - from - nr) * sizeof(v->cell[0]));
	for (u32 i = 0; i < nr; i++)
		blank(v, n > 0 ? from + i : end - 1 - i, 0, v->columns);
}

static void line_feed(struct vt *v)
{
	if (v->row + 1 == v->scroll_end)
		scroll(v, v->scroll_top, -1);
	else if (v->row + 1 < v->rows)
		v->row++;
}

static void put(struct vt *v, const char *text)
{
	if (v->column >= v->columns) {
		v->column = 0;
		line_feed(v);
	}
	snprintf(v->cell[v->row][v->column].text, sizeof(v->cell[0][0].text), "%s", text);
	v->cell[v->row][v->column++].background = v->background;
}

/* ---- sequences that begin with ESC [ ---- */

static void erase_screen(struct vt *v, u32 how)
{
	u32 from = how ? 0 : v->row + 1, to = how == 1 ? v->row : v->rows;

	for (u32 r = from; r < to; r++)
		blank(v, r, 0, v->columns);
	if (how != 2)
		blank(v, v->row, how ? 0 : v->column, how ? v->column + 1 : v->columns);
}

static void set_look(struct vt *v, const u32 *arg, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		if (!arg[i] || arg[i] == 49)
			v->background = 0;
		else if (arg[i] == 7)
			v->background = 47;
		else if (arg[i] >= 40 && arg[i] <= 47)
			v->background = (u8)arg[i];
		else if (arg[i] == 38 || arg[i] == 48)
			i += 2;
	}
}

static void set_mode(struct vt *v, const char *seq, bool on)
{
	if (!strncmp(seq, "[?25", 4))
		v->cursor_hidden = !on;
	if (!strncmp(seq, "[?1049", 6) || !strncmp(seq, "[?47", 4))
		v->alternate = on;
}

static void move_cells(struct vt *v, int n)
{
	struct vt_cell *row = v->cell[v->row];
	u32 nr = MIN((u32)abs(n), v->columns - v->column);

	if (n > 0)
		memmove(row + v->column + nr, row + v->column, (v->columns - v->column - nr) * sizeof(*row));
	else
		memmove(row + v->column, row + v->column + nr, (v->columns - v->column - nr) * sizeof(*row));
	blank(v, v->row, n > 0 ? v->column : v->columns - nr, n > 0 ? v->column + nr : v->columns);
}

static void place(struct vt *v, u32 row, u32 column)
{
	v->row = MIN(row ? row - 1 : 0, v->rows - 1);
	v->column = MIN(column ? column - 1 : 0, v->columns - 1);
}

static void control(struct vt *v, const char *seq, char last)
{
	u32 arg[8] = { 0 }, nr = 0, n;
	const char *p = seq + 1 + (seq[1] == '?');

	do
		arg[nr++] = (u32)strtoul(p, (char **)&p, 10);
	while (*p == ';' && p++ && nr < ARRAY_SIZE(arg));
	n = arg[0] ? arg[0] : 1;
	switch (last) {
	case 'H': case 'f': place(v, arg[0], arg[1]); break;
	case 'A': v->row -= MIN(n, v->row); break;
	case 'B': v->row = MIN(v->row + n, v->rows - 1); break;
	case 'C': v->column = MIN(v->column + n, v->columns - 1); break;
	case 'D': v->column -= MIN(n, v->column); break;
	case 'G': place(v, v->row + 1, arg[0]); break;
	case 'd': place(v, arg[0], v->column + 1); break;
	case 'J': erase_screen(v, arg[0]); break;
	case 'K': blank(v, v->row, arg[0] ? 0 : v->column, arg[0] == 1 ? v->column + 1 : v->columns); break;
	case 'L': scroll(v, v->row, (int)n); break;
	case 'M': scroll(v, v->row, -(int)n); break;
	case 'S': scroll(v, v->scroll_top, -(int)n); break;
	case 'T': scroll(v, v->scroll_top, (int)n); break;
	case 'P': move_cells(v, -(int)n); break;
	case '@': move_cells(v, (int)n); break;
	case 'X': blank(v, v->row, v->column, MIN(v->column + n, v->columns)); break;
	case 'm': set_look(v, arg, nr); break;
	case 'h': case 'l': set_mode(v, seq, last == 'h'); break;
	case 'r':
		v->scroll_top = arg[0] ? arg[0] - 1 : 0;
		v->scroll_end = arg[1] ? MIN(arg[1], v->rows) : v->rows;
		place(v, 1, 1);
		break;
	case 't': case 'n': case 'c': break;
	default: v->nr_unknown++;
	}
}

/* ---- bytes ---- */

/* a byte of a sequence; true: it goes on */
static bool sequence(struct vt *v, char c)
{
	if (v->seq_len + 1 < sizeof(v->seq))
		v->seq[v->seq_len++] = c;
	v->seq[v->seq_len] = '\0';
	switch (v->seq[0]) {
	case '[':
		if (v->seq_len == 1 || (c >= '0' && c <= '?') || c == ' ')
			return true;
		control(v, v->seq, c);
		return false;
	case '(': case ')':
		return v->seq_len < 2;
	case 'M':
		if (v->row == v->scroll_top)
			scroll(v, v->scroll_top, 1);
		else if (v->row)
			v->row--;
		return false;
	case 'D':
		line_feed(v);
		return false;
	case '7':
		v->saved_row = v->row;
		v->saved_column = v->column;
		return false;
	case '8':
		v->row = v->saved_row;
		v->column = v->saved_column;
		return false;
	case '=': case '>': case 'c':
		return false;
	default:	/* OSC and others: a program that shows data must not send them */
		v->nr_unknown++;
		return false;
	}
}

static void character(struct vt *v, unsigned char c)
{
	if (v->utf8_len) {
		v->utf8[v->utf8_len++] = (char)c;
	} else if (c >= 0xc0) {
		v->utf8_want = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
		v->utf8[v->utf8_len++] = (char)c;
	} else {
		v->utf8_want = v->utf8_len = 1;
		v->utf8[0] = (char)c;
	}
	if (v->utf8_len < v->utf8_want)
		return;
	v->utf8[v->utf8_len] = '\0';
	v->utf8_len = 0;
	put(v, v->utf8);
}

void vt_write(struct vt *v, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		char c = bytes[i];

		if (v->seq[0] || v->seq_len == UINT32_MAX) {
			v->seq_len = v->seq_len == UINT32_MAX ? 0 : v->seq_len;
			if (!sequence(v, c)) {
				v->seq_len = 0;
				v->seq[0] = '\0';
			}
		} else if (c == 27) {
			v->seq_len = UINT32_MAX;	/* the next byte is its first */
		} else if (c == '\n') {
			line_feed(v);
		} else if (c == '\r') {
			v->column = 0;
		} else if (c == '\b') {
			v->column -= v->column > 0;
		} else if (c == '\t') {
			v->column = MIN((v->column / 8 + 1) * 8, v->columns - 1);
		} else if ((unsigned char)c < ' ') {
			v->nr_raw_controls += c != 14 && c != 15 && c != 7;
		} else {
			character(v, (unsigned char)c);
		}
	}
}

void vt_row(const struct vt *v, u32 row, char *out)
{
	size_t len = 0, end = 0;

	for (u32 c = 0; c < v->columns; c++) {
		const char *text = v->cell[row][c].text;

		memcpy(out + len, text, strlen(text));
		len += strlen(text);
		if (strcmp(text, " "))
			end = len;
	}
	out[end] = '\0';
}
