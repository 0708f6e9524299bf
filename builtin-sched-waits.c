/* perf sched waits, replay: what options mean, and output; the work is in util/sched. */
#include "builtin-sched.h"
#include "builtin-session.h"
#include "ui/format.h"
#include "util/sched/replay.h"

#include <errno.h>
#include <stdio.h>

int sched_opt_waits_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct sched_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return sched_waits_sort_parse(&c->waits.sort, arg, &err) ? opt_err(opt, &err) : 0;
}

static int analyze_waits(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	struct sched_waits w = { 0 };
	int ret;

	sched_waits_init(&w, s, &c->waits);
	ret = sched_run(&w.sched, s, &sched_waits_ops, &w, &c->filter, err);
	if (!ret)
		ret = sched_cmd_show(c, s, sched_waits_view(&w, sched_cmd_form(c)), err);
	sched_waits_release(&w);
	sched_release(&w.sched);
	return ret;
}

int sched_waits(struct sched_cmd *c, const struct option *options)
{
	if (c->waits.max_stack > TRACING_MAX_STACK - 2)
		return opt_usage_error(options, NULL, sched_usage, "--max-stack is at most %u",
				       TRACING_MAX_STACK - 2);
	return c->timeline ? sched_timeline(c, options) :
			     session_run(&c->session, c->dump, analyze_waits, c);
}

/* ---- replay ---- */

/* one repetition; means are over about as many as were asked for */
static void add_result(struct sched_cmd *c, u32 i, const struct replay_result *r,
		       const struct replay_result *mean,
		       struct strbuf *out)
{
	const struct stream_format *f = c->json ? format_find_stream("json") : NULL;

	if (f) {
		f->begin(out);
		stream_text(f, out, "type", "repetition");
		stream_number(f, out, "number", i);
		stream_number(f, out, "elapsed-us", r->elapsed * 1000);
		stream_number(f, out, "cpu-us", r->cpu * 1000);
		f->end(out);
	} else if (c->separator) {
		strbuf_addf(out, "%u%c%.3f%c%.3f\n", i, c->separator, r->elapsed, c->separator, r->cpu);
	} else {
		strbuf_addf(out, "#%-3u: %.3f, ravg: %.2f, cpu: %.2f / %.2f\n", i, r->elapsed, mean->elapsed,
			    r->cpu, mean->cpu);
	}
}

static int repeat(struct sched_cmd *c, struct sched_replay *r, struct err *err)
{
	struct replay_result mean = { 0 };
	struct strbuf out = STRBUF_INIT;
	double weight = c->replay_repeat ? c->replay_repeat : 10;
	int ret = 0;

	for (u32 i = 1; !ret && (!c->replay_repeat || i <= c->replay_repeat); i++) {
		struct replay_result one = sched_replay_once(r);

		mean.elapsed = i == 1 ? one.elapsed : (mean.elapsed * (weight - 1) + one.elapsed) / weight;
		mean.cpu = i == 1 ? one.cpu : (mean.cpu * (weight - 1) + one.cpu) / weight;
		strbuf_reset(&out);
		add_result(c, i, &one, &mean, &out);
		ret = write_stdout(NULL, out.buf, out.len);
		if (!ret && fflush(stdout))
			ret = -errno;
	}
	strbuf_release(&out);
	return ret && ret != -EPIPE ? err_sys(err, -ret, "cannot write") : 0;
}

static int analyze_replay(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	struct sched_replay r = { 0 };
	int ret = sched_run(&r.sched, s, &sched_replay_ops, &r, &c->filter, err);

	if (!ret)
		ret = sched_replay_check(&r, err);
	if (!ret)
		ret = sched_cmd_show(c, s, sched_replay_view(&r, sched_cmd_form(c)), err);
	fflush(stdout);
	if (!ret)
		ret = repeat(c, &r, err);
	sched_replay_release(&r);
	sched_release(&r.sched);
	return ret;
}

int sched_replay(struct sched_cmd *c, const struct option *options UNUSED)
{
	return session_run(&c->session, c->dump, analyze_replay, c);
}
