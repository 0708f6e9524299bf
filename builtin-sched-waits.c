/* perf sched waits: what options mean, and output; the work is in util/sched. */
#include "builtin-sched.h"

int sched_opt_waits_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct sched_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return sched_waits_sort_parse(&c->waits.sort, arg, &err) ? opt_err(opt, &err) : 0;
}

static int run_waits(struct sched_cmd *c, struct session *s, struct err *err)
{
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
	if (c->waits.max_stack > SCHED_MAX_STACK - 2)
		return opt_usage_error(options, NULL, sched_usage, "--max-stack is at most %u",
				       SCHED_MAX_STACK - 2);
	return sched_cmd_run(c, run_waits);
}
