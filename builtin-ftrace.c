/*
 * perf ftrace: functions of the kernel as its tracers see them. Options and wiring; the work is in
 * util/ftrace and util/kernel.
 */
#include "builtin-status.h"
#include "ui/format.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/ftrace/event-run.h"
#include "util/ftrace/functions.h"
#include "util/ftrace/profile.h"
#include "util/ftrace/trace-run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ftrace_cmd {
	struct observe_opts observe;
	struct ftrace_opts opts;
	struct ftrace_histogram_opts histogram;
	struct view_sort sort;
	const char *events;		/* latency -e */
	bool list;			/* trace -F */
	const char *glob;		/* in the same word */
	bool json;
	char separator;
};

/* what lines become */
struct answer {
	struct strbuf text;		/* trace: lines to be written */
	int write_errno;		/* why they cannot be written; 0 */
	struct ftrace_histogram histogram;
	struct ftrace_profile profile;
	u64 nr_lost;
};

static const char *const usage[] = {
	"perf ftrace [trace] [<options>] [<command>]",
	"perf ftrace [trace] -F [<glob>...]",
	"perf ftrace latency {-T <func>|-e <event1>,<event2>} [<options>] [<command>]",
	"perf ftrace profile [<options>] [<command>]",
	NULL
};

/* ---- options ---- */

static int parse_name(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct ftrace_names *names = opt->value;

	if (!*arg || strpbrk(arg, " \t\n"))
		return opt_error(opt, "'%s' is not a name of a function, or a glob", arg);
	vec_push(names, arg);
	return 0;
}

static int parse_size_of_buffer(const struct option *opt, const char *arg, bool unset UNUSED)
{
	u64 *bytes = opt->value;

	if (!*arg || !strchr("BKMGbkmg", arg[strlen(arg) - 1]) || parse_size(arg, bytes) || !*bytes)
		return opt_error(opt, "'%s' is not a size with a unit, such as 8M", arg);
	return 0;
}

static int parse_graph_opts(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct err err = ERR_INIT;

	return ftrace_graph_opts_parse(opt->value, arg, &err) ? opt_err(opt, &err) : 0;
}

static int parse_func_opts(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct err err = ERR_INIT;

	return ftrace_func_opts_parse(opt->value, arg, &err) ? opt_err(opt, &err) : 0;
}

static int parse_list(const struct option *opt, const char *arg, bool unset)
{
	struct ftrace_cmd *cmd = opt->value;

	cmd->list = !unset;
	cmd->glob = unset ? NULL : arg;
	return 0;
}

static int parse_delay(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct observe_opts *o = opt->value;
	u64 ms;

	if (parse_u64(arg, &ms) || ms > INT32_MAX)
		return opt_error(opt, "'%s' is not a number of milliseconds", arg);
	o->delay.nr = 0;
	if (ms)
		vec_push(&o->delay, (struct delay_range){ .on_ns = ms * 1000000 });
	return 0;
}

static int parse_sort(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct err err = ERR_INIT;

	return ftrace_profile_sort_parse(opt->value, arg, &err) ? opt_err(opt, &err) : 0;
}

/* what options fill */
static struct ftrace_cmd c = { .observe.interval_ms = 100 };

static struct option trace_options[] = {
#include "builtin-ftrace.def"
#include "builtin-ftrace-funcs.def"
#include "builtin-ftrace-trace.def"
	OPT_END(),
};

static struct option latency_options[] = {
#include "builtin-ftrace.def"
#include "builtin-ftrace-latency.def"
#include "builtin-ftrace-answer.def"
	OPT_END(),
};

static struct option profile_options[] = {
#include "builtin-ftrace.def"
#include "builtin-ftrace-funcs.def"
#include "builtin-ftrace-profile.def"
#include "builtin-ftrace-answer.def"
	OPT_END(),
};

static struct option all_options[] = {	/* for -h, completion and the manual */
#include "builtin-ftrace.def"
	OPT_GROUP("Options of trace and profile:"),
#include "builtin-ftrace-funcs.def"
	OPT_GROUP("Options of trace:"),
#include "builtin-ftrace-trace.def"
	OPT_GROUP("Options of latency:"),
#include "builtin-ftrace-latency.def"
	OPT_GROUP("Options of profile:"),
#include "builtin-ftrace-profile.def"
	OPT_GROUP("Options of latency and profile:"),
#include "builtin-ftrace-answer.def"
	OPT_END(),
};

/* ---- trace ---- */

static void trace_head(void *ctx, const char *text, size_t len)
{
	struct answer *a = ctx;

	for (const char *end; (end = memchr(text, '\n', len)); len -= end + 1 - text, text = end + 1)
		trace_line_add_safe(&a->text, text, end - text);
}

static void trace_line(void *ctx, const char *line, size_t len)
{
	struct answer *a = ctx;

	trace_line_add_safe(&a->text, line, len);
}

static bool trace_flush(void *ctx)
{
	struct answer *a = ctx;

	if (!a->write_errno && (fwrite(strbuf_str(&a->text), 1, a->text.len, stdout) != a->text.len ||
				fflush(stdout)))
		a->write_errno = errno;
	strbuf_reset(&a->text);
	return !a->write_errno;
}

static int list_functions(int argc, const char **argv, struct err *err)
{
	const char **globs = xcalloc(argc + 1, sizeof(*globs));
	struct strbuf out = STRBUF_INIT;
	bool one = c.glob != NULL;
	int ret;

	globs[0] = c.glob;
	for (int i = 0; i < argc; i++)
		globs[i + one] = argv[i];
	ret = ftrace_functions_list(globs, argc + one, &out, err);
	free(globs);

	if (!ret) {
		pager_start("ftrace");
		fwrite(strbuf_str(&out), 1, out.len, stdout);
	}
	strbuf_release(&out);
	return ret;
}

static int run(struct answer *a, struct ftrace_run *r, struct workload_result *command, struct err *err)
{
	int ret;

	r->opts = &c.opts;
	r->observe = &c.observe;
	r->ctx = a;
	ret = ftrace_run(r, err);
	*command = r->command;
	return ret;
}

static int do_trace(struct answer *a, struct workload_result *command, struct err *err)
{
	struct ftrace_run r = { .head = trace_head, .line = trace_line, .flush = trace_flush };
	int ret;

	/* now, so that the command's output goes there, too */
	pager_start("ftrace");
	ret = run(a, &r, command, err);
	clearerr(stdout);
	if (!ret && a->write_errno && a->write_errno != EPIPE)
		ret = err_sys(err, a->write_errno, "cannot write to standard output");
	return ret;
}

/* ---- latency, profile ---- */

static u32 form(void)
{
	return format_form(c.json, c.separator);
}

static int show(struct view *v, struct err *err)
{
	return format_answer(v, c.json, &(struct text_opts){ .separator = c.separator }, err);
}

static void latency_line(void *ctx, const char *line, size_t len)
{
	struct answer *a = ctx;
	struct graph_line g;

	graph_line_parse(line, len, &g);
	a->nr_lost += g.lost;
	if (g.timed && (g.kind == GRAPH_LEAF || g.kind == GRAPH_RETURN))
		ftrace_histogram_add(&a->histogram, g.duration);
}

static int measure_events(struct answer *a, struct workload_result *command, struct err *err)
{
	struct ftrace_event_run r = { .names = c.events, .observe = &c.observe, .histogram = &a->histogram };
	int ret = ftrace_event_run(&r, err);

	*command = r.command;
	a->nr_lost = r.nr_lost;
	return ret;
}

static int do_latency(struct answer *a, struct workload_result *command, struct err *err)
{
	struct ftrace_run r = { .line = latency_line };
	int ret = ftrace_histogram_init(&a->histogram, &c.histogram, err);

	if (!ret)
		ret = c.events ? measure_events(a, command, err) : run(a, &r, command, err);
	if (!ret)
		ret = show(ftrace_histogram_view(&a->histogram, a->nr_lost, form()), err);
	ftrace_histogram_release(&a->histogram);
	return ret;
}

static void profile_line(void *ctx, const char *line, size_t len)
{
	struct answer *a = ctx;
	struct graph_line g;

	graph_line_parse(line, len, &g);
	a->nr_lost += g.lost;
	ftrace_profile_add(&a->profile, &g);
}

static int do_profile(struct answer *a, struct workload_result *command, struct err *err)
{
	struct ftrace_run r = { .line = profile_line };
	int ret = run(a, &r, command, err);

	if (!ret)
		ret = show(ftrace_profile_view(&a->profile, &c.sort, a->nr_lost, form()),
			   err);
	ftrace_profile_release(&a->profile);
	return ret;
}

/* ---- which one ---- */

static const char *const words[] = { "trace", "latency", "profile", NULL };

static const struct {
	const char *word;
	struct option *options;
	int (*run)(struct answer *a, struct workload_result *command, struct err *err);
} rows[] = {
	{ "trace", trace_options, do_trace },
	{ "latency", latency_options, do_latency },
	{ "profile", profile_options, do_profile },
};

/* what does not fit together; 0 or the exit status */
static int check_options(u32 row)
{
	const u32 only_text = 1u << GRAPH_VERBOSE | 1u << GRAPH_ARGS | 1u << GRAPH_RETVAL |
			      1u << GRAPH_RETVAL_HEX | 1u << GRAPH_RETADDR;
	const struct option *options = rows[row].options;

	if (rows[row].run == do_latency && !c.events && !c.opts.only.nr)
		return opt_usage_error(options, NULL, usage,
				       "say what to measure: -T with a function, or -e with two events");
	if (rows[row].run == do_latency && !c.events &&
	    (c.opts.only.nr > 1 || has_glob(c.opts.only.v[0])))
		return opt_usage_error(options, NULL, usage,
				       "latency measures one function: name one with -T");
	if (rows[row].run == do_profile && c.opts.graph_opts & only_text)
		return opt_usage_error(options, NULL, usage, "of these --graph-opts profile can only use "
				       "nosleep-time, noirqs, thresh and depth");
	return 0;
}

static int find_word(const char *word)
{
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].word, word))
			return i;
	return -1;
}

/* -t is more than a default, which -T and -G would override */
static void note_tracer(struct option *o)
{
	for (; o->type != OPT_END; o++)
		if (o->short_name == 't')
			o->set = &c.opts.tracer_given;
}

/* help and lists are about all subcommands, if none is named */
static bool asks_for_help(int argc, const char **argv)
{
	return argc > 1 && (!strcmp(argv[1], "-h") || !strncmp(argv[1], "--help", 6) ||
			    !strncmp(argv[1], "--list-", 7) || !strcmp(argv[1], "--man-options"));
}

int cmd_ftrace(int argc, const char **argv)
{
	struct err err = ERR_INIT;
	struct answer a = { 0 };
	struct workload_result command = { 0 };
	int row, ret;

	note_tracer(trace_options);
	argc = parse_options_sub(argc, argv, asks_for_help(argc, argv) ? all_options : trace_options, words,
				 usage, PARSE_STOP_AT_NON_OPTION);
	row = argc ? find_word(argv[0]) : -1;
	if (row >= 0)
		argc = parse_options(argc, argv, rows[row].options, usage, PARSE_STOP_AT_NON_OPTION);
	row = MAX(row, 0);
	ret = check_options(row);
	if (ret)
		return ret;
	c.opts.parsed = rows[row].run != do_trace;
	c.observe.argv = argc ? argv : NULL;
	c.observe.target.has_workload = argc;
	/* an output that nobody reads ends the run, not the process: settings are put back */
	signal(SIGPIPE, SIG_IGN);
	c.observe.set = evset_new();
	ret = c.list ? list_functions(argc, argv, &err) : rows[row].run(&a, &command, &err);
	evset_free(c.observe.set);
	strbuf_release(&a.text);
	return command_status(ret, &err, &command);
}
