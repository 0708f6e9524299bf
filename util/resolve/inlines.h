/*
 * Inlines: looks for the functions that were inlined where frames are. Debug information is unpacked and read right behind the
 * symbols of its file, in the same task: with all others behind all tables one large file would keep everybody waiting.
 */
#ifndef PERF_RESOLVE_INLINES_H
#define PERF_RESOLVE_INLINES_H

#include "names.h"

struct inline_finder;

struct inline_finder *inline_finder_new(const struct names *n);
void inline_finder_free(struct inline_finder *f);
/* sorts frames by dso; before the first inline_finder_dso() */
void inline_finder_begin(struct names *n);
/* a task: what is inlined at the frames in that dso, whose symbols are loaded. names: struct names */
void inline_finder_dso(void *names, u32 dso);

#endif
