/* perf sched timehist: options and output; the work is in util/sched. */
#include "builtin-sched.h"
#include "ui/format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"

static int write_stdout(void *ctx UNUSED, const char *text, size_t len)
{
	return fd_write_all(STDOUT_FILENO, text, len);
}

static bool has_chains(const struct session *s)
{
	for (u32 i = 0; i < s->data->evset->ev.nr; i++) {
		const struct event *ev = s->data->evset->ev.v[i];

		if (ev->attr.type == PERF_TYPE_TRACEPOINT && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	}
	return false;
}

static int run_timehist(struct sched_cmd *c, struct session *s, struct err *err)
{
	struct sched_timehist t = { 0 };
	int ret = 0;

	if (c->prio_list)
		ret = id_filter_parse_cpus(&c->timehist.prios, c->prio_list, err);
	if (ret)
		return ret;
	c->timehist.chains &= has_chains(s);
	if (!c->timehist.quiet) {
		progress_end();
		pager_start("sched");
		fflush(stdout);
	}
	sched_timehist_init(&t, s, &c->timehist);
	ret = sched_run(&t.sched, s, &sched_timehist_ops, &t, &c->filter, err);
	if (!ret) {
		ret = sched_timehist_end(&t);
		if (ret && ret != -EPIPE)
			err_sys(err, -ret, "cannot write");
	}
	if (!ret && c->timehist.summary)
		ret = sched_cmd_show(c, s, sched_timehist_view(&t, sched_cmd_form(c)), err);
	sched_timehist_release(&t);
	sched_release(&t.sched);
	id_filter_release(&c->timehist.prios);
	return ret == -EPIPE ? 0 : ret;
}

int sched_timehist(struct sched_cmd *c, const struct option *options)
{
	struct sched_timehist_opts *o = &c->timehist;

	if (o->summary && c->json && !o->quiet)
		return opt_usage_error(options, NULL, sched_usage,
				       "-S and --json exclude each other: use -s");
	if (o->max_stack > SCHED_MAX_STACK - 2)
		return opt_usage_error(options, NULL, sched_usage, "--max-stack is at most %u",
				       SCHED_MAX_STACK - 2);
	o->summary |= o->quiet;
	o->separator = c->separator;
	o->format = c->json ? format_find_stream("json") : NULL;
	o->write = write_stdout;
	return sched_cmd_run(c, run_timehist);
}
