/*
 * VT: the screen of a terminal as VT100 and xterm have it: what programs write becomes characters at places.
 * Knows the sequences that terminfo has for "xterm" and "vt100"; others are counted, so that tests see them.
 */
#ifndef PERF_TTYDRIVE_VT_H
#define PERF_TTYDRIVE_VT_H

#include "../../../util/base/types.h"

#define VT_MAX_ROWS 300u
#define VT_MAX_COLUMNS 500u

struct vt_cell {
	char text[5];		/* UTF-8 */
	u8 background;		/* of SGR: 0: the default, else 40..47 */
};

struct vt {
	u32 rows, columns, row, column;
	u32 saved_row, saved_column;
	u32 scroll_top, scroll_end;	/* lines that scroll: [top, end) */
	u8 background;
	bool cursor_hidden, alternate;
	u64 nr_unknown;			/* sequences that are not known */
	u64 nr_raw_controls;		/* control characters that no program should send */
	struct vt_cell cell[VT_MAX_ROWS][VT_MAX_COLUMNS];
	/* a sequence that began */
	char seq[64];
	u32 seq_len;
	char utf8[5];
	u32 utf8_len, utf8_want;
};

void vt_init(struct vt *v, u32 rows, u32 columns);
void vt_resize(struct vt *v, u32 rows, u32 columns);
void vt_write(struct vt *v, const char *bytes, size_t len);
/* a row without the blanks at its end; out has room for 4 bytes per column */
void vt_row(const struct vt *v, u32 row, char *out);

#endif
