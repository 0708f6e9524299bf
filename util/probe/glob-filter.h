/*
 * Glob-filter: globs combined with & | ! and parentheses: "!_*", "foo* | bar*", "!(a* | b*) & *c". & binds
 * more tightly than |.
 */
#ifndef PERF_PROBE_GLOB_FILTER_H
#define PERF_PROBE_GLOB_FILTER_H

#include "../base/err.h"

struct glob_filter;
/* NULL with err if the text is not a filter */
struct glob_filter *glob_filter_parse(const char *text, struct err *err);
void glob_filter_free(struct glob_filter *f);
/* NULL matches everything */
bool glob_filter_matches(const struct glob_filter *f, const char *name);

#endif
