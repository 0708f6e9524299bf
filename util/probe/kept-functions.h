/*
 * Kept-functions: the list of the functions of a large program that perf probe -F makes, kept between runs in
 * the user's cache folder: names are demangled and sorted only once. Text of a line each, as it is shown,
 * before any filter. Each list belongs to one state of its file (build-id, size, time, inode), and that of a
 * file's earlier state is replaced.
 */
#ifndef PERF_PROBE_KEPT_FUNCTIONS_H
#define PERF_PROBE_KEPT_FUNCTIONS_H

#include "../base/strbuf.h"

struct probe_image;

/* appends the list of the file; false: there is none, and nothing was appended */
bool kept_functions_find(const struct probe_image *img, struct strbuf *out);
/* keeps a list, if it is a long one; errors mean that nothing is kept */
void kept_functions_keep(const struct probe_image *img, const struct strbuf *text);

#endif
