/* Run: operations of the observer. */
#include "trace-run.h"

#include <errno.h>
#include "../base/log.h"

#define PASS_BYTES (1u << 18)		/* of text, before signals and timers have their turn */
#define PIPE_ID OBSERVE_OWN

struct trace_run {
	struct ftrace_run *r;
	struct trace_instance trace;
	struct trace_lines lines;
	struct strbuf text;
};

static int start(void *ctx, struct observer *o, struct err *err)
{
	struct trace_run *run = ctx;
	struct ftrace_run *r = run->r;
	const char *tracer = ftrace_tracer(r->opts, err);
	int ret = tracer ? trace_instance_open(&run->trace, tracer, err) : err->code;

	if (!ret)
		ret = ftrace_setup(&run->trace, r->opts, &o->target, err);
	if (!ret)
		ret = loop_add_fd(&o->loop, run->trace.pipe, PIPE_ID, err);
	if (!ret && r->head) {
		trace_instance_head(&run->trace, &run->text);
		r->head(r->ctx, strbuf_str(&run->text), run->text.len);
		strbuf_reset(&run->text);
	}
	return ret;
}

/* with -D it is called again when the delay is over */
static int begin(void *ctx, struct observer *o, struct err *err)
{
	struct trace_run *run = ctx;

	if (observe_delayed(run->r->observe) && !o->enabled)
		return 0;
	return trace_instance_switch(&run->trace, true, err);
}

/* reads at most limit bytes; *ret_more: there may be more. 0, or a negative errno with err */
static int take_text(struct trace_run *run, u64 limit, bool *ret_more, struct err *err)
{
	struct ftrace_run *r = run->r;
	u64 total = 0;
	int n;

	do {
		strbuf_reset(&run->text);
		n = trace_instance_read(&run->trace, &run->text);
		if (n > 0)
			trace_lines_feed(&run->lines, run->text.buf, n, r->line, r->ctx);
		total += MAX(n, 0);
	} while (n > 0 && total < limit);
	*ret_more = n > 0;
	return n < 0 ? err_sys(err, -n, "the trace of the kernel cannot be read") : 0;
}

static int drain(void *ctx, struct observer *o, struct err *err)
{
	struct trace_run *run = ctx;
	bool more;
	int ret = take_text(run, PASS_BYTES, &more, err);

	if (!ret && run->r->flush && !run->r->flush(run->r->ctx))
		observer_stop(o);
	return ret;
}

static int on_event(void *ctx, struct observer *o, const struct loop_event *e, struct err *err)
{
	return e->kind == LOOP_FD && e->id == PIPE_ID ? drain(ctx, o, err) : 0;
}

/* what the command does while it ends still counts; a signal ends the reading of what is left */
static int end(void *ctx, struct observer *o, int failed, struct err *err)
{
	struct trace_run *run = ctx;
	struct ftrace_run *r = run->r;
	struct err why = ERR_INIT;
	bool more = true;
	int ret;

	observer_end_command(o);
	ret = trace_instance_switch(&run->trace, false, &why);
	while (!ret && more && !loop_take_signal(&o->loop)) {
		ret = take_text(run, PASS_BYTES, &more, &why);
		if (r->flush && !r->flush(r->ctx))
			break;
	}
	trace_lines_end(&run->lines, r->line, r->ctx);
	if (r->flush)
		r->flush(r->ctx);
	return ret && !failed ? err_copy(err, &why) : 0;
}

int ftrace_run(struct ftrace_run *r, struct err *err)
{
	static const struct observer_ops ops = {
		.start = start, .begin = begin, .event = on_event, .tick = drain, .end = end,
	};
	struct trace_run run = { .r = r, .trace = TRACE_INSTANCE_INIT };
	struct observer o;
	struct err why = ERR_INIT;
	int ret = observer_resolve(&o, r->observe, err);

	if (!ret)
		ret = observer_run(&o, &ops, &run, err);
	if (trace_instance_close(&run.trace, &why) && !ret)
		ret = err_copy(err, &why);
	else if (why.code)
		log_warn_err(&why);
	r->command = observer_result(&o);
	trace_lines_release(&run.lines);
	strbuf_release(&run.text);
	observer_release(&o);
	return ret;
}
