/* perf trace: where lines, summaries and pictures go, and what is said at the end. */
#include "builtin-trace.h"
#include "ui/format.h"
#include "ui/timeline.h"
#include "util/base/log.h"
#include "util/data/keep-old.h"

#include <errno.h>
#include <stdlib.h>

static void write_lines(void *arg)
{
	struct trace_cmd *c = arg;
	struct strbuf *text = &c->text;

	trace_call_lines_take(&c->trace, &c->writing, text);
	if (text->len && !c->write_error &&
	    (fwrite(text->buf, 1, text->len, c->out) != text->len || fflush(c->out)))
		c->write_error = errno;
	strbuf_reset(text);
}

static void wait_for_lines(struct trace *t)
{
	struct trace_cmd *c = t->flush_ctx;

	if (c->writer)
		pool_wait(c->writer, &c->write_job);
	t->stop |= c->write_error != 0;
}

void trace_write(struct trace *t)
{
	struct trace_cmd *c = t->flush_ctx;

	wait_for_lines(t);
	trace_hand_over(t, &c->writing);
	c->write_job = (struct pool_job){ .run = write_lines, .ctx = c };
	if (c->writer)
		pool_beside(c->writer, &c->write_job);
	else
		write_lines(c);
	t->stop |= !c->writer && c->write_error;
}

/* so that what comes next comes after the lines */
static void write_all(struct trace *t)
{
	trace_write(t);
	wait_for_lines(t);
}

void trace_write_live(struct trace *t)
{
	if (!trace_forgets(t)) {
		trace_write(t);
		return;
	}
	write_all(t);
	trace_forget_ended(t);
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
	write_all(t);
	if (c->trace.summary && c->json) {
		struct view *v = trace_summary_view(t);

		ret = format_find("json")->show(v, &(struct text_opts){ .pool = s->pool }, c->out);
		view_free(v);
	} else if (c->trace.summary) {
		trace_add_summary(t, &t->lines.out);
		write_all(t);
	}
	if (c->timeline && !ret)
		ret = write_timeline(c, err);
	if (lost) {
		log_warn("%llu event%s lost: lines and numbers are missing above", (unsigned long long)lost,
			 lost == 1 ? " was" : "s were");
		log_note("larger ring buffers lose less: -m 16M");
	}
	if (c->tool_stats)
		log_note("%llu events, %llu calls, %llu lines, %llu events without partner, %llu links read "
			 "in /proc", (unsigned long long)t->nr_events, (unsigned long long)t->nr_pairs,
			 (unsigned long long)t->nr_lines, (unsigned long long)t->nr_unpaired,
			 (unsigned long long)t->nr_fd_reads);
	if (c->write_error && c->write_error != EPIPE)
		return err_sys(err, c->write_error, "cannot write %s", c->output ? c->output : "the output");
	return c->write_error || ret == -EPIPE ? 0 : ret;
}
