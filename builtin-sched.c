/*
 * perf sched: what threads and CPUs did over time. Options and wiring; the work is in util/sched and
 * util/tracing.
 */
#include "builtin-sched.h"
#include "builtin-options.h"
#include "builtin-session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "ui/format.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/progress.h"
#include "util/kernel/tracefs.h"

const char *const sched_stats_usage[] = {
	"perf sched stats {record|report|diff} [<options>] [<command>|<files>]",
	NULL
};
const char *const sched_usage[] = {
	"perf sched record [<options of perf record>] [<command>]",
	"perf sched [<options>] latency [<options>]",
	"perf sched [<options>] timehist [<options>]",
	"perf sched [<options>] map [<options>]",
	"perf sched [<options>] waits [<options>]",
	"perf sched [<options>] replay [<options>]",
	"perf sched [<options>] stats [<options>] {record|report|diff} [<options>] [<command>|<files>]",
	"perf sched [<options>] script [<options of perf script>]",
	NULL
};

u32 sched_cmd_form(const struct sched_cmd *c)
{
	return format_form(c->json, c->separator);
}

int sched_cmd_show(struct sched_cmd *c, struct session *s, struct view *v, struct err *err)
{
	struct text_opts text = { .separator = c->separator, .pool = s->pool };

	return format_answer(v, c->json, &text, err);
}

void sched_cmd_begin_rows(void)
{
	progress_end();
	pager_start("sched");
	fflush(stdout);
}

/* ---- record, script ---- */

/* old kernels do not tell of the beginning of a wakeup: its end is what they have */
static u32 nr_recorded(void)
{
	u64 id;

	return SCHED_NR_RECORDED + (tracefs_event_id("sched", "sched_waking", &id, NULL) != 0);
}

static int sched_record(int argc, const char **argv)
{
	const char **args, **more = xcalloc(argc + 3, sizeof(*more));
	int nr, ret;

	more[1] = "-m";
	more[2] = "1024";
	memcpy(more + 3, argv + 1, (argc - 1) * sizeof(*more));
	args = tracing_record_args(sched_rows, nr_recorded(), argc + 2, more, &nr);
	ret = cmd_record(nr, args);
	free(args);
	free(more);
	return ret;
}

/* the file that was named before the word is script's, too */
static int sched_script(const struct sched_cmd *c, int argc, const char **argv)
{
	const char **args = xcalloc(argc + 4, sizeof(*args));
	int nr = 0, ret;

	args[nr++] = "script";
	if (c->session.data.path) {
		args[nr++] = "-i";
		args[nr++] = c->session.data.path;
	}
	if (c->session.data.force)
		args[nr++] = "-f";
	memcpy(args + nr, argv + 1, (argc - 1) * sizeof(*args));
	ret = cmd_script(nr + argc - 1, args);
	free(args);
	return ret;
}

/* ---- latency ---- */

int sched_opt_latency_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct sched_cmd *c = opt->value;
	struct err err = ERR_INIT;

	return sched_latency_sort_parse(&c->latency.sort, arg, &err) ? opt_err(opt, &err) : 0;
}

static int analyze_latency(void *cmd, struct session *s, struct err *err)
{
	struct sched_cmd *c = cmd;
	struct sched_latency l = { .keep_delays = c->latency.hist != SCHED_HIST_NONE };
	int ret = sched_run(&l.sched, s, &sched_latency_ops, &l, &c->filter, err);

	if (!ret)
		ret = sched_cmd_show(c, s, sched_latency_view(&l, &c->latency, sched_cmd_form(c)), err);
	sched_latency_release(&l);
	sched_release(&l.sched);
	return ret;
}

/* ---- the subcommands ---- */

int sched_latency(struct sched_cmd *c, const struct option *options)
{
	if (c->latency_mode && strcmp(c->latency_mode, "log") && strcmp(c->latency_mode, "linear"))
		return opt_usage_error(options, NULL, sched_usage, "--hist-mode is log or linear, not '%s'",
				       c->latency_mode);
	if (c->latency_hist || c->latency_mode)
		c->latency.hist = c->latency_mode && !strcmp(c->latency_mode, "linear") ?
				  SCHED_HIST_LINEAR : SCHED_HIST_LOG;
	c->session.scan_late = true;
	return session_run(&c->session, c->dump, analyze_latency, c);
}

static const char *const words[] = { "record", "latency", "timehist", "map", "waits", "replay", "stats",
				    "script",
				    NULL };

static bool is_word(const char *arg)
{
	for (u32 i = 0; words[i]; i++)
		if (!strcmp(words[i], arg))
			return true;
	return !strcmp(arg, "lat");
}

/* what options fill */
static struct sched_cmd c = {
	.session.sym = SYM_OPTS_INIT, .timehist = { .chains = true, .max_stack = 5 },
	.waits = { .max_stack = 8, .lines = 40 }, .replay_repeat = 10,
};

static const struct option common_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
	OPT_END(),
};

static const struct option latency_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
#include "builtin-sched-latency.def"
	OPT_END(),
};

static const struct option timehist_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
#include "builtin-sched-timehist.def"
	OPT_END(),
};

static const struct option map_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
#include "builtin-sched-map.def"
	OPT_END(),
};

static const struct option waits_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
#include "builtin-sched-waits.def"
	OPT_END(),
};

static const struct option replay_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-events.def"
#include "builtin-sched-replay.def"
	OPT_END(),
};

static const struct option stats_options[] = {
#include "builtin-sched.def"
#include "builtin-sched-stats.def"
	OPT_END(),
};

static const struct option all_options[] = {	/* for -h, completion and the manual */
#include "builtin-sched.def"
#include "builtin-sched-events.def"
	OPT_GROUP("Options of latency:"),
#include "builtin-sched-latency.def"
	OPT_GROUP("Options of timehist:"),
#include "builtin-sched-timehist.def"
	OPT_GROUP("Options of map:"),
#include "builtin-sched-map.def"
	OPT_GROUP("Options of waits:"),
#include "builtin-sched-waits.def"
	OPT_GROUP("Options of replay:"),
#include "builtin-sched-replay.def"
	OPT_GROUP("Options of stats:"),
#include "builtin-sched-stats.def"
	OPT_END(),
};

static const struct { const char *word; const struct option *options;
	       int (*start)(struct sched_cmd *c, const struct option *options); } rows[] = {
	{ "latency", latency_options, sched_latency },
	{ "lat", latency_options, sched_latency },
	{ "timehist", timehist_options, sched_timehist },
	{ "map", map_options, sched_map },
	{ "waits", waits_options, sched_waits },
	{ "replay", replay_options, sched_replay },
};

int cmd_sched(int argc, const char **argv)
{
	bool any = false;
	u32 i = 0;

	for (int k = 1; k < argc; k++)
		any |= is_word(argv[k]);
	argc = parse_options_sub(argc, argv, any ? common_options : all_options, words, sched_usage,
				 PARSE_STOP_AT_NON_OPTION);
	if (argc && (!strcmp(argv[0], "record") || !strcmp(argv[0], "script"))) {
		if (c.json || c.separator || c.dump || c.filter.time_spec || c.filter.comm_list)
			return opt_usage_error(common_options, NULL, sched_usage,
					       "options of perf %s follow its name",
					       argv[0]);
		return strcmp(argv[0], "record") ? sched_script(&c, argc, argv) : sched_record(argc, argv);
	}
	if (argc && !strcmp(argv[0], "stats")) {
		argc = parse_options(argc, argv, stats_options, sched_stats_usage, PARSE_STOP_AT_NON_OPTION);
		return sched_stats(&c, stats_options, argc, argv);
	}
	while (argc && i < ARRAY_SIZE(rows) && strcmp(argv[0], rows[i].word))
		i++;
	if (!argc || i == ARRAY_SIZE(rows))
		return opt_no_subcommand(all_options, words, sched_usage, argc ? argv[0] : NULL);
	argc = parse_options(argc, argv, rows[i].options, sched_usage, 0);
	if (argc)
		return opt_usage_error(rows[i].options, NULL, sched_usage, "unexpected argument '%s'",
				       argv[0]);
	/* one before the word, the other after it: the rule of a table does not see both */
	if (c.json && c.separator)
		return opt_usage_error(rows[i].options, NULL, sched_usage,
				       "--json and -x exclude each other");
	return rows[i].start(&c, rows[i].options);
}
