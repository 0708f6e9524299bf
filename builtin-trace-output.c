/* perf trace: where lines, summaries and pictures go, and what is said at the end. */
#include "builtin-trace.h"
#include "ui/format.h"
#include "ui/timeline.h"
#include "util/base/log.h"
#include "util/data/writer.h"

#include <errno.h>
#include <stdlib.h>

void trace_write(struct trace *t)
{
	struct trace_cmd *c = t->flush_ctx;
	size_t len = t->out.len;

	if (len && !c->gone)
		c->gone = fwrite(t->out.buf, 1, len, c->out) != len || fflush(c->out);
	t->stop |= c->gone;
	strbuf_reset(&t->out);
}

/* an older output is kept under another name, as perf record keeps one */
int trace_open_output(struct trace_cmd *c, struct err *err)
{
	c->out = stderr;
	if (!c->output)
		return 0;
	if (writer_keep_old(c->output, err))
		return err->code;
	c->out = fopen(c->output, "we");
	return c->out ? 0 : err_sys(err, errno, "cannot write '%s'", c->output);
}

static int write_timeline(struct trace_cmd *c, struct err *err)
{
	const struct timeline_format *f = timeline_format_of(c->timeline, err);
	struct timeline *picture = f ? trace_timeline_finish(&c->t, err) : NULL;

	if (!picture)
		return err->code;
	return timeline_write(picture, f, &(struct timeline_opts){ 0 }, c->timeline, err);
}

int trace_finish(struct trace_cmd *c, const struct session *s, struct err *err)
{
	u64 lost = tracing_nr_lost(s);
	struct trace *t = &c->t;
	int ret = 0;

	trace_end(t);
	trace_write(t);
	if (c->trace.summary && c->json) {
		struct view *v = trace_summary_view(t);

		ret = format_find("json")->show(v, &(struct text_opts){ .pool = s->pool }, c->out);
		view_free(v);
	} else if (c->trace.summary) {
		trace_add_summary(t, &t->out);
		trace_write(t);
	}
	if (c->timeline && !ret)
		ret = write_timeline(c, err);
	if (lost) {
		log_warn("%llu events were lost: lines and numbers are missing above",
			 (unsigned long long)lost);
		log_note("larger ring buffers lose less: -m 16M");
	}
	if (c->tool_stats)
		log_note("%llu events, %llu calls, %llu lines, %llu events without partner, %llu links read "
			 "in /proc", (unsigned long long)t->nr_events, (unsigned long long)t->nr_pairs,
			 (unsigned long long)t->nr_lines, (unsigned long long)t->nr_unpaired,
			 (unsigned long long)t->nr_fd_reads);
	return c->gone || ret == -EPIPE ? 0 : ret;
}
