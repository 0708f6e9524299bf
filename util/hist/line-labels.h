/* Line labels: source lines behind the names in call graphs, with -g address and -g srcline. */
#ifndef PERF_HIST_LINE_LABELS_H
#define PERF_HIST_LINE_LABELS_H

#include "hist.h"

/*
 * After names_lines(). ret[frame]: the frame that stands for it in call graphs: with the key srcline the first one in that line
 * of that function, else itself, as where the line is not known. The caller frees it.
 */
u32 *line_labels(const struct hist *h, const struct field_ctx *ctx);
/* what stands behind the name of a frame: " file.c:12", " +16" where the line is not known; "" for inlined functions */
void line_label(const struct hist *h, u32 frame, struct strbuf *out);

#endif
