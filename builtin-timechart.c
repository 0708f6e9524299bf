/*
 * perf timechart: what CPUs and tasks did over time, as a picture. Options and wiring; the work is in
 * util/timechart, the picture in ui/.
 */
#include "builtin-session.h"
#include "ui/timeline.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/timechart/timechart.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_OUTPUT "output.html"
#define DEFAULT_TASKS 15u

struct timechart_cmd {
	struct session_opts session;
	struct tracing_opts tracing;
	struct timechart_opts chart;
	struct timechart_record_opts record;
	struct timeline_opts picture;
	const struct timeline_format *format;
	const char *output;
	bool json;
};

static const char *const usage[] = {
	"perf timechart [<options>]",
	"perf timechart record [<options>] [<options of perf record>] [<command>]",
	NULL
};

/* --highlight: a time in ns, or with a unit; else a name */
static int parse_highlight(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct timechart_opts *o = opt->value;

	o->marked_comm = NULL;
	if (parse_duration(arg, 1, &o->marked_ns)) {
		o->marked_ns = 0;
		o->marked_comm = arg;
	}
	return 0;
}

static int parse_ns(const struct option *opt, const char *arg, bool unset UNUSED)
{
	if (parse_duration(arg, 1, opt->value))
		return opt_error(opt, "'%s' is not a time (500, 10us, 1ms)", arg);
	return 0;
}

static int record(int argc, const char **argv)
{
	struct timechart_record_opts o = { 0 };
	const struct option options[] = {
		OPT_BOOL('P', "power-only", &o.power_only, "record only events of power management"),
		OPT_BOOL('T', "tasks-only", &o.tasks_only, "record only events of the scheduler"),
		OPT_BOOL('I', "io-only", &o.io_only, "record only system calls that do I/O"),
		OPT_EXCLUDES("power-only", "T,I"),
		OPT_EXCLUDES("tasks-only", "I"),
		OPT_BOOL('g', "callchain", &o.callchain, "record call chains: why tasks sleep"),
		OPT_STRING('o', "output", &o.output, "file", "write this file (default: perf.data)"),
		OPT_END(),
	};
	const char **args;
	int nr, ret;

	/* argv[0] becomes the name of the command again: the parser skips it */
	argc = parse_options(argc, argv, options, usage,
			     PARSE_STOP_AT_NON_OPTION | PARSE_KEEP_UNKNOWN | PARSE_KEEP_DASHDASH);
	args = xcalloc(argc + 2, sizeof(*args));
	args[0] = "record";
	memcpy(args + 1, argv, argc * sizeof(*args));
	argv = args;
	args = timechart_record_args(&o, argc + 1, argv, &nr);
	ret = cmd_record(nr, args);
	free(args);
	free(argv);
	return ret;
}

static int draw(struct timechart_cmd *c, struct timechart *tc, struct err *err)
{
	int ret = timechart_finish(tc, err);
	u64 tenths = (tc->last - tc->first + 50000000) / 100000000;

	progress_end();
	if (!ret)
		ret = timeline_write(&tc->timeline, c->format, &c->picture, c->json ? "-" : c->output, err);
	if (!ret && !c->json && strcmp(c->output, "-"))
		log_note("Written %lu.%lu seconds of trace to %s.", tenths / 10, tenths % 10, c->output);
	return ret;
}

static int chart(void *cmd, struct session *s, struct err *err)
{
	struct timechart_cmd *c = cmd;
	struct timechart tc;
	int ret;

	timechart_init(&tc, s, &c->chart);
	c->tracing.ctx = &tc;
	ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = draw(c, &tc, err);
	timechart_release(&tc);
	return ret;
}

int cmd_timechart(int argc, const char **argv)
{
	static const char *const words[] = { "record", NULL };
	struct timechart_cmd c = {
		.session.sym = SYM_OPTS_INIT, .output = DEFAULT_OUTPUT,
		.chart = { .nr_tasks = DEFAULT_TASKS, .io_min_ns = 1000000, .io_merge_ns = 1000 },
		.tracing = { .row = timechart_rows, .nr_rows = timechart_nr_rows,
			     .record = "perf timechart record" },
	};
	struct err err = ERR_INIT;
	const struct option options[] = {
#include "builtin-timechart.def"
		OPT_END(),
	};

	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	if (argc && !strcmp(argv[0], "record"))
		return record(argc, argv);
	if (argc)
		return opt_usage_error(options, NULL, usage, "'%s' is not record", argv[0]);
	if (c.picture.width && (c.picture.width < 100 || c.picture.width > 1000000))
		return opt_usage_error(options, NULL, usage, "-w: a picture has 100 to 1000000 pixels");
	c.format = c.json ? timeline_format_find("json") : timeline_format_of(c.output, &err);
	return c.format ? session_run(&c.session, false, chart, &c) : die_err(&err);
}
