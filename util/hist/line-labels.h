/* Line labels: source lines after the names in call graphs, with -g address and -g srcline. */
#ifndef PERF_HIST_LINE_LABELS_H
#define PERF_HIST_LINE_LABELS_H

#include "hist.h"

/*
 * After names_lines(). ret[frame] is the frame that represents it, by lines: the first one in the same line
 * of the same function; else, or if the line is not known, the first one at the same address: a sampled
 * address and a return address may be the same. The caller frees it.
 */
u32 *line_labels(const struct hist *h, const struct field_ctx *ctx, bool by_lines);
/*
 * the text after the name of a frame: " file.c:12", or " +16" if the line is not known, "" for inlined
 * functions then
 */
void line_label(const struct hist *h, u32 frame, struct strbuf *out);

#endif
