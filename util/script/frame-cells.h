/* Frame-cells: addresses as cells of the format of the cache. */
#ifndef PERF_SCRIPT_FRAME_CELLS_H
#define PERF_SCRIPT_FRAME_CELLS_H

#include "frame.h"
#include "frame-piece.h"

/* the texts of the symbol, and whole frames; as those of frame-text.h */
void frame_cells_head(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out);
void frame_cells_tail(struct frame_cache *c, const struct resolved_frame *f, u32 what, struct strbuf *out);
void frame_cells_line(const struct frame_cache *c, u64 ip, u32 what, const struct frame_text *t, u64 dso_addr,
		      struct strbuf *out);
void frame_cells_lines(struct frame_cache *c, const struct resolved_frame *f, u32 what,
		       const struct frame_text *t, struct strbuf *out);

#endif
