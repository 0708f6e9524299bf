/* List: what perf probe -l and -F print: the probes that exist, and the functions of a target. */
#ifndef PERF_PROBE_LIST_H
#define PERF_PROBE_LIST_H

#include <stdio.h>
#include "../base/err.h"
#include "../base/strbuf.h"

struct probe_image;
struct glob_filter;
struct probe_event;
struct probe_events;

/* true if pattern, "EVENT" or "GROUP:EVENT" with globs (NULL: everything), matches the event */
bool probe_event_matches(const struct probe_event *e, const char *pattern);
/*
 * "  probe_a:foo          (on foo+4 in /bin/a with x)", a line each. vmlinux: file with debug information of
 * the kernel, or NULL; symfs: prefix of files that are read
 */
void probe_list_events(const struct probe_events *l, const char *pattern, const char *vmlinux,
		       const char *symfs, struct strbuf *out);
/*
 * Writes the functions of a file, demangled, sorted, without repetition; a line each. 0; 1 if the filter
 * leaves none; -ENOENT with err if the file has none
 */
int probe_list_functions(struct probe_image *img, const struct glob_filter *filter, bool raw, FILE *to,
			 struct err *err);

#endif
