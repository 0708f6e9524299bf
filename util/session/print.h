/*
 * Print: the texts of report --stats, --threads, --tasks and --mmaps, byte for byte as upstream shows them.
 * Appended to out. values.h has the same as values.
 */
#ifndef PERF_SESSION_PRINT_H
#define PERF_SESSION_PRINT_H

#include "session.h"
#include "../base/strbuf.h"

/*
 * the number of records of each type, and of each event; lost: also the number of lost ones, which a dump
 * does not show
 */
void session_print_stats(const struct session *s, bool lost, struct strbuf *out);
/*
 * The counts of each event in each thread (record -s), one line per thread, or with list one per thread and
 * event: write gets them in order, and a negative return ends it. Returns that, or -ENOENT if the file has no
 * such counts.
 */
typedef int (*print_write)(void *ctx, const char *text, size_t len);
int session_print_threads(const struct session *s, bool list, print_write write, void *ctx);
/* the tree of threads at the end; with_maps: also what each has mapped */
void session_print_tasks(const struct session *s, bool with_maps, struct strbuf *out);

#endif
