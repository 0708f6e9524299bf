/* Source-path: compares paths of source files as users and debug information write them. */
#ifndef PERF_PROBE_SOURCE_PATH_H
#define PERF_PROBE_SOURCE_PATH_H

#include "../base/strbuf.h"

struct debug_unit;

/* appends path without "." and "a/.." components; looks at the text only */
void source_path_clean(const char *path, struct strbuf *out);
/* appends the unit's path of a file; a relative one begins in the directory where the compiler ran */
void unit_source_path(struct debug_unit *unit, const char *path, struct strbuf *out);
/*
 * true if file, as a user wrote it, is that file of the unit or the end of its path; ".." is relative to the
 * current directory
 */
bool unit_file_matches(struct debug_unit *unit, const char *path, const char *file);
/* true if path is file, or ends with "/" and file */
bool source_file_matches(const char *path, const char *file);

#endif
