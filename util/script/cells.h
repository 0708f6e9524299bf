/* Cells: lines as cells, where o->format is set. */
#ifndef PERF_SCRIPT_CELLS_H
#define PERF_SCRIPT_CELLS_H

#include "line-worker.h"

struct view_derived;

/* which cells the lines of an event have */
void script_plan_cells(struct event_view *v);
/* a line begins: its type, and the cells that all kinds of records have */
void cells_start(struct line_worker *w, const char *type, const struct event_view *v, const struct sample *sm,
		 s32 named_tid, const struct rec *rec, const struct sample_ctx *at, struct strbuf *out);
/* a sample, without its end, which line_srccode and others may still come before */
void cells_sample(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  struct strbuf *out);
void cells_deferred(struct line_worker *w, const struct rec *rec, const struct line_sample *ls, u64 cookie,
		    struct strbuf *out);
void cells_metric(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  const struct view_derived *m, struct strbuf *out);
/* the first line where lines are cells: what the file says of itself */
void script_header_cells(const struct session *s, const struct stream_format *f, struct strbuf *out);

#endif
