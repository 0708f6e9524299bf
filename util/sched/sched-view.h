/* Sched view: what the views of all subcommands of perf sched have in common. */
#ifndef PERF_SCHED_VIEW_H
#define PERF_SCHED_VIEW_H

#include "sched.h"
#include "../view/view.h"

/* an empty view with the facts of the file */
struct view *sched_view_new(struct sched *s);
/* the lines that tell of holes in the recording, as far as there are any */
void sched_add_holes(struct view_summary *b, const struct sched *s);
/* "0.123", with 3 decimals: ns as milliseconds; digits that do not fit are cut off */
void sched_add_ms(struct strbuf *out, u64 ns, int width);
/* "1117.530951": ns as seconds with 6 decimals */
void sched_add_sec(struct strbuf *out, u64 ns, int width);
/* a text of the arena */
char *sched_text(struct arena *a, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* the task's name, printable; ":TID" where it has none */
void sched_add_name(struct strbuf *out, const struct sched_task *t);

#endif
