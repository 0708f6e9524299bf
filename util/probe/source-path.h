/* Source-path: how people and debug information write the path of one source file. */
#ifndef PERF_PROBE_SOURCE_PATH_H
#define PERF_PROBE_SOURCE_PATH_H

#include "../base/strbuf.h"

struct debug_unit;

/* appends path without "." and "a/.." parts, by its text alone */
void source_path_clean(const char *path, struct strbuf *out);
/* appends the path of a file as the unit names it: a relative one is below where the compiler ran */
void unit_source_path(struct debug_unit *unit, const char *path, struct strbuf *out);
/*
 * whether file, as a user wrote it, is that file of the unit or the end of its path; ".." counts from the
 * current directory
 */
bool unit_file_matches(struct debug_unit *unit, const char *path, const char *file);

#endif
