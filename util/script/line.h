/*
 * Line: records as text or cells. Records are shown in groups of up to LINE_AHEAD: prepared together
 * (line-sample.h), so that memory is on its way when they are written, then one by one: a sample's line with
 * its frames, or a side-band line; nothing where it is filtered.
 */
#ifndef PERF_SCRIPT_LINE_H
#define PERF_SCRIPT_LINE_H

#include "line-worker.h"

/* how many of a group: one where a line depends on the one before it in ways that cannot be taken back */
u32 script_group(const struct script *sc);
/* i: place in the group */
void script_line(struct line_worker *w, const struct rec *rec, u32 i, struct strbuf *out);

#endif
