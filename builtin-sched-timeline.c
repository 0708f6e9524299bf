/* perf sched timehist, map, waits --timeline: the picture; the work is in util/sched, the formats in ui/. */
#include "builtin-sched.h"
#include "builtin-session.h"
#include "ui/timeline.h"
#include "util/cli/progress.h"
#include "util/sched/timeline.h"

static int analyze_timeline(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	const struct timeline_format *f = timeline_format_of(c->timeline, err);
	struct timeline_opts opts = { 0 };
	struct sched_timeline t = { 0 };
	int ret;

	if (!f)
		return err->code;
	sched_timeline_init(&t, s, c->timehist.max_stack);
	ret = sched_run(&t.sched, s, &sched_timeline_ops, &t, &c->filter, err);
	if (!ret)
		ret = sched_timeline_finish(&t, err);
	progress_end();
	if (!ret)
		ret = timeline_write(&t.picture, f, &opts, c->timeline, err);
	sched_timeline_release(&t);
	sched_release(&t.sched);
	return ret;
}

int sched_timeline(struct sched_cmd *c, const struct option *options)
{
	if (c->json || c->separator)
		return opt_usage_error(options, NULL, sched_usage,
				       "--timeline and %s exclude each other", c->json ? "--json" : "-x");
	return session_run(&c->session, c->dump, analyze_timeline, c);
}
