/* Frame-text: addresses as text, or as cells where the cache has a format. */
#ifndef PERF_SCRIPT_FRAME_TEXT_H
#define PERF_SCRIPT_FRAME_TEXT_H

#include "frame.h"
#include "frame-piece.h"

/* the text of f's symbol, good until the next call */
void frame_make_text(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct frame_text *t);
/* the address and the text after it */
void frame_put_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		    struct strbuf *out);
/*
 * an address with inlined callers or a source line (t->info); t is the text of its symbol, for a
 * line without end
 */
void frame_put_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		     const struct frame_text *t, struct strbuf *out);

#endif
