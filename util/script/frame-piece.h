/* Frame-piece: the text after an address, which its symbol has once. */
#ifndef PERF_SCRIPT_FRAME_PIECE_H
#define PERF_SCRIPT_FRAME_PIECE_H

#include "../base/types.h"

struct line_info;

#define TEXT_SLACK 64u	/* texts are copied in pieces of this size: as many bytes after them are readable */

/* the text after the address: one a symbol, one a dso for what has none, and one for what is in no dso */
struct frame_text {
	/*
	 * " name" or " name+0x", then after the offset " (dso)\n"; or the cells before symoff, and after it
	 */
	const char *text;
	u16 name_len, tail_len;
	bool offset;
	u64 start;		/* of the symbol */
	/* of one address: its inlined callers; NULL for all others of the symbol */
	const struct line_info *info;
};

#endif
