/*
 * Folded: files of folded stacks, a line each: frames from the outermost caller on with semicolons between
 * them, a blank, and a number; as --folded and the scripts of FlameGraph write them. Empty lines and lines
 * that begin with # are skipped. Read into the same view as a profile's call graphs: a row for each outermost
 * frame, which usually is a command.
 */
#ifndef PERF_HIST_FOLDED_H
#define PERF_HIST_FOLDED_H

#include "../base/diag.h"
#include "../base/err.h"
#include "../view/view.h"

/* whether the first line of a regular file is such a stack */
bool folded_is(const char *path);
/*
 * The stacks of a file, without frames that have less than min_percent of all; NULL with err: it cannot be
 * read, or has no stacks. Lines that are not stacks are counted in diag
 */
struct view *folded_view(const char *path, double min_percent, struct diag *diag, struct err *err);
/* the same from bytes that end with NUL, which are changed; the view keeps none of them */
struct view *folded_view_of(char *text, size_t len, double min_percent, struct diag *diag, struct err *err);

#endif
