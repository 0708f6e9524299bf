/* Inside of frames; private to util/script/frame*.c. */
#ifndef PERF_SCRIPT_FRAME_PRIVATE_H
#define PERF_SCRIPT_FRAME_PRIVATE_H

#include "frame.h"

#define TEXT_SLACK 32u	/* texts are copied in pieces of this size: as many bytes after them are readable */

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

/* the text of f's symbol, good until the next call */
void frame_make_text(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct frame_text *t);
/* the address and the text after it */
void frame_put_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		    struct strbuf *out);
/* the same as cells: the texts of the symbol, and whole frames */
void frame_cells_head(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out);
void frame_cells_tail(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out);
void frame_cells_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		      struct strbuf *out);
void frame_cells_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		       const struct frame_text *t, struct strbuf *out);
/*
 * an address with inlined callers or a source line (t->info); t is the text of its symbol, for a
 * line without end
 */
void frame_put_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		     const struct frame_text *t, struct strbuf *out);

#endif
