/* Print: the texts of report --stats, --threads, --tasks and --mmaps, byte for byte as upstream shows them. Appended to out. */
#ifndef PERF_SESSION_PRINT_H
#define PERF_SESSION_PRINT_H

#include "session.h"
#include "../base/strbuf.h"

/* how many records of each type there are, and how many of each event; lost: and how many of it were lost, which a dump does not say */
void session_print_stats(const struct session *s, bool lost, struct strbuf *out);
/*
 * What each thread counted of each event (record -s), a line a thread: write gets them in order, and ends it with a negative return.
 * Returns that, or -ENOENT where the file does not say it.
 */
typedef int (*print_write)(void *ctx, const char *text, size_t len);
int session_print_threads(const struct session *s, print_write write, void *ctx);
/* the tree of threads as it was in the end; with_maps: and what each has mapped */
void session_print_tasks(const struct session *s, bool with_maps, struct strbuf *out);

#endif
