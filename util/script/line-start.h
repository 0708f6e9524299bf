/* Line-start: what all lines begin with: the task, the CPU and the time. */
#ifndef PERF_SCRIPT_LINE_START_H
#define PERF_SCRIPT_LINE_START_H

#include "line-worker.h"

/* what was written since the last part is of this event; sample: and counts as one */
static inline void line_end_part(struct line_worker *w, u32 event, bool sample, const struct strbuf *out)
{
	if (w->parts && out->len > (w->parts->nr ? w->parts->v[w->parts->nr - 1].end : 0))
		vec_push(w->parts, (struct line_part){ event, sample, out->len });
}

/*
 * the part before the event name that samples and side-band lines share; named_tid: whose comm is
 * shown, at->thread
 */
void line_start(struct line_worker *w, const struct event_view *v, const struct sample *sm, s32 named_tid,
		const struct rec *rec, const struct sample_ctx *at, struct strbuf *out);
/* letters of the misc bits, and blanks; which bits mean what depends on the record's type */
char *line_misc(char *p, u16 misc, u32 rec_type);
/* the time that a line shows: with --reltime and --deltatime this changes what the next line shows */
u64 line_time_shown(struct line_worker *w, u64 t);
/* the name of the task as lines show it: padded, once per name; the one of tid where it is not known */
const struct comm_text *line_comm(struct line_worker *w, const struct sample_ctx *at, s32 tid);

#endif
