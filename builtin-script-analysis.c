/*
 * perf script NAME: analyses by name, in three ways:
 *
 *	perf script record NAME ...	perf record with the events that the analysis reads
 *	perf script report NAME ...	the analysis of a file; so is perf script -i FILE NAME ...
 *	perf script NAME ...		the analysis of what runs now, until its command ends or Ctrl-C
 */
#include "builtin-script.h"
#include "builtin-session.h"
#include "builtin-status.h"
#include "util/analyses/analysis.h"
#include "util/base/fs.h"
#include "util/base/log.h"
#include "util/base/nearest.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/tracing/observe.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct analysis_cmd {
	const struct script_by_name *o;
	const struct analysis *analysis;
	struct analysis_args args;
	struct tracing_opts tracing;
	struct analysis_run *run;
	char *record;			/* the command that records: "perf script record NAME" */
	/* of a file, with an interval: the time of the last table, and rows that look at the time */
	u64 last_table;
	struct tracing_row *row;
	int failed;
};

static int say_elsewhere(const char *name, const char *instead)
{
	struct err err = ERR_INIT;

	err_set(&err, -ENOENT, "'%s' is not an analysis of this perf", name);
	err_hint(&err, "%s", instead);
	return die_err(&err);
}

static int say_unknown(const struct script_by_name *o, const char *name)
{
	struct strbuf near = STRBUF_INIT;
	struct err err = ERR_INIT;
	const struct analysis *a;
	struct nearest n;

	nearest_init(&n, name, strlen(name));
	for (size_t i = 0; (a = analysis_at(i)); i++)
		nearest_offer(&n, a->name);
	script_offer_names(&n);
	nearest_describe(&n, &near);
	err_set(&err, -ENOENT, "no analysis or script has the name '%s'%s", name, strbuf_str(&near));
	err_hint(&err, "'perf script -l' lists the names; -s runs the file of a script");
	if (o->session->data.force)
		err_hint(&err, "fields are chosen with -F %s; -f opens files of other users", name);
	if (!access(name, F_OK))
		err_hint(&err, "-i %s reads the file of that name", name);
	strbuf_release(&near);
	die_err(&err);
	return 129;
}

/* ---- showing ---- */

static int show(struct analysis_cmd *n, struct err *err)
{
	return script_show_analysis(n->o, n->analysis, n->run, err);
}

static int show_next(struct analysis_cmd *n, struct err *err)
{
	return script_show_next(n->o, n->analysis, n->run, err);
}

static void say_better(const struct analysis_cmd *n, int ret)
{
	if (!ret && n->analysis->better)
		log_note("Hint: %s", n->analysis->better);
}

/* ---- of a file ---- */

/* a row with an interval: a table for each span of the recording */
static void handle_timed(void *ctx, const struct tracing_sample *ts)
{
	struct analysis_cmd *n = ctx;
	const struct tracing_row *row = &n->analysis->ops->row[ts->row - n->row];
	u64 interval = n->args.interval * 1000000000ull;
	struct err err = ERR_INIT;

	if (!n->last_table)
		n->last_table = ts->when.time;
	if (!n->failed && ts->when.time > n->last_table && ts->when.time - n->last_table >= interval) {
		n->last_table += (ts->when.time - n->last_table) / interval * interval;
		n->failed = show_next(n, &err);
	}
	row->handle(n->run, ts);
}

static void use_timed_rows(struct analysis_cmd *n)
{
	const struct analysis_ops *ops = n->analysis->ops;

	n->row = xcalloc(ops->nr_rows + 1, sizeof(*n->row));
	for (u32 i = 0; i < ops->nr_rows; i++) {
		n->row[i] = ops->row[i];
		n->row[i].handle = handle_timed;
	}
	n->tracing.row = n->row;
	n->tracing.ctx = n;
}

static int analyze(void *cmd, struct session *s, struct err *err)
{
	struct analysis_cmd *n = cmd;
	int ret;

	n->run = analysis_begin(n->analysis, s, &n->args);
	n->tracing.ctx = n->run;
	if (n->args.interval)
		use_timed_rows(n);
	ret = n->analysis->ops->begin ? n->analysis->ops->begin(n->run, err) : 0;
	if (!ret && n->analysis->ops->read)
		ret = n->analysis->ops->read(n->run, s, err);
	else if (!ret)
		ret = tracing_run(s, &n->tracing, err);
	if (!ret && n->args.interval)
		ret = n->failed ?: show_next(n, err);
	else if (!ret)
		ret = show(n, err);
	analysis_end(n->analysis, n->run);
	free(n->row);
	return ret;
}

static int report(void *cmd)
{
	struct analysis_cmd *n = cmd;
	int ret;

	n->o->session->scan_late = !n->analysis->ops->read;
	n->o->session->kernel_names = n->analysis->ops->kernel_names;
	ret = session_run(n->o->session, false, analyze, n);
	say_better(n, ret);
	return ret;
}

/* ---- of what runs now ---- */

static int ready(void *ctx, struct session *s, struct err *err)
{
	struct analysis_cmd *n = ctx;

	n->run = analysis_begin(n->analysis, s, &n->args);
	n->tracing.ctx = n->run;
	return n->analysis->ops->begin ? n->analysis->ops->begin(n->run, err) : 0;
}

static int refresh(void *ctx, struct session *s UNUSED, struct err *err)
{
	return show_next(ctx, err);
}

static int end(void *ctx, struct session *s UNUSED, struct err *err)
{
	struct analysis_cmd *n = ctx;

	return n->args.interval ? show_next(n, err) : show(n, err);
}

/* samples of other events than tracepoints: perf record takes them */
static int run_piped(struct analysis_cmd *n, const char **command)
{
	const char *args[16] = { "record", "-o", "-" };
	const char *const *options = n->analysis->ops->record;
	int nr = 3, argc = 0;

	if (n->o->all_cpus || !*command)
		args[nr++] = "-a";
	while (*options && nr + 2 < (int)ARRAY_SIZE(args))
		args[nr++] = *options++;
	args[nr] = "--";
	while (command[argc])
		argc++;
	n->o->session->data.path = "-";
	return script_record_and(args, argc, command, report, n);
}

static int run_live(struct analysis_cmd *n, const char **command)
{
	static const struct tracing_observe_ops once = { .ready = ready, .end = end };
	static const struct tracing_observe_ops often = { .ready = ready, .refresh = refresh, .end = end };
	struct tracing_observe t;
	struct err err = ERR_INIT;
	int ret;

	tracing_observe_init(&t, &n->tracing);
	t.ops = n->args.interval ? &often : &once;
	t.ctx = n;
	t.refresh_ms = n->args.interval * 1000;
	t.sym = n->o->session->sym;
	t.kernel = n->analysis->ops->kernel_names;
	t.observe.ring_pages = 1024;
	t.observe.argv = *command ? command : NULL;
	t.observe.target.all_cpus = n->o->all_cpus || n->analysis->ops->whole_system || !*command;
	t.observe.stdout_is_data = true;
	ret = tracing_observe(&t, &err);
	analysis_end(n->analysis, n->run);
	tracing_observe_release(&t);
	say_better(n, ret);
	return command_status(ret == -EPIPE ? 0 : ret, &err, &t.command);
}

/* ---- arguments ---- */

static int record(struct analysis_cmd *n, int argc, const char **argv)
{
	static const char *const tracepoints[] = { "-R", "-c", "1", "-m", "1024", NULL };
	const struct analysis_ops *ops = n->analysis->ops;
	const char *const *options = ops->record ?: tracepoints;
	const char *fixed[16] = { "record" };
	struct err err = ERR_INIT;
	const char **args;
	int nr = 1, ret;

	if (argc > 1 && *argv[1] != '-' &&
	    script_check_command(n->analysis->name, n->analysis->args, argv[1], &err))
		return die_err(&err);
	if (ops->read) {
		fixed[0] = "stat";
		fixed[nr++] = "record";
	}
	if (n->o->all_cpus || ops->whole_system)
		fixed[nr++] = "-a";
	while (*options && nr + 1 < (int)ARRAY_SIZE(fixed))
		fixed[nr++] = *options++;
	args = tracing_record_args_of(fixed, ops->row, ops->nr_rows, argc, argv, &nr);
	ret = (ops->read ? cmd_stat : cmd_record)(nr, args);
	free(args);
	return ret;
}

/* how many words are arguments, where a command can follow without "--" */
static int nr_arguments(const struct analysis_cmd *n, int argc)
{
	u32 takes = n->analysis->ops->takes;

	return takes & ANALYSIS_TAKES_INTERVAL ? argc : MIN(takes & ANALYSIS_NEEDS_COMM ? 1 : 0, argc);
}

static int find_dashes(int argc, const char **argv)
{
	int i = 0;

	while (i < argc && strcmp(argv[i], "--"))
		i++;
	return i;
}

#define usage_error(n, ...) opt_usage_error((n)->o->options, NULL, (n)->o->usage, __VA_ARGS__)

static int settle_filters(struct analysis_cmd *n, u32 form)
{
	if (script_check_options(n->o, n->analysis, form))
		return 129;
	n->tracing.filter = *n->o->filter;
	if ((n->args.comm && n->tracing.filter.comm_list) || (n->args.tid && n->tracing.filter.tid_list))
		return usage_error(n, "'%s' says the same as %s", n->args.comm ?: n->args.tid,
				   n->args.comm ? "--comms" : "--tid");
	if (n->args.comm)
		n->tracing.filter.comm_list = n->args.comm;
	if (n->args.tid)
		n->tracing.filter.tid_list = n->args.tid;
	if (*n->o->json && n->o->separator)
		return usage_error(n, "--json and -x exclude each other");
	if ((*n->o->json || n->o->separator) && analysis_files(n->analysis, &n->args))
		return usage_error(n, "%s has no effect where the result goes to files of its own layout",
				   *n->o->json ? "--json" : "-x");
	return 0;
}

/* argv[0] is the name; all words after it are arguments */
static int run_recorded(struct analysis_cmd *n, int argc, const char **argv)
{
	struct err err = ERR_INIT;
	int ret;

	argc = 1 + analysis_take_words(n->analysis, argc - 1, argv + 1, true, &n->args);
	argc = parse_options(argc, argv, n->o->options, n->o->usage, 0);
	if (analysis_parse(n->analysis, argc, argv, &n->args, &err))
		return usage_error(n, "%s", err.msg);
	ret = settle_filters(n, SCRIPT_REPORT);
	return ret ? ret : report(n);
}

/* argv[0] is the name; arguments and options, perhaps "--", and a command follow */
static int run_here(struct analysis_cmd *n, int argc, const char **argv)
{
	int words = find_dashes(argc, argv), nr, ret;
	const char **command = argv + MIN(words + 1, argc);
	bool dashes = words < argc;
	struct err err = ERR_INIT;

	/* options can follow the name, and its arguments */
	words = 1 + analysis_take_words(n->analysis, words - 1, argv + 1, dashes, &n->args);
	nr = parse_options(words, argv, n->o->options, n->o->usage, dashes ? 0 : PARSE_STOP_AT_NON_OPTION);
	if (n->o->session->data.path && dashes)
		return usage_error(n, "-i reads a file: no command is started beside it");
	if (n->o->session->data.path) {
		memmove(argv + 1, argv, (nr + 1) * sizeof(*argv));
		return run_recorded(n, nr + 1, argv);
	}
	if (!dashes) {
		command = argv + nr_arguments(n, nr);
		nr = command - argv;
	}
	if (n->analysis->ops->read)
		return usage_error(n, "%s reads files of counts: see 'perf script record %s' and 'perf "
				   "script report %s'", n->analysis->name, n->analysis->name,
				   n->analysis->name);
	if (analysis_parse(n->analysis, nr, argv, &n->args, &err))
		return usage_error(n, "%s", err.msg);
	ret = settle_filters(n, SCRIPT_LIVE);
	if (!n->args.interval)
		n->args.interval = n->analysis->ops->interval;
	if (!ret && script_check_command(n->analysis->name, n->analysis->args, *command, &err))
		return die_err(&err);
	return ret ?: (n->analysis->ops->record ? run_piped : run_live)(n, command);
}

int script_run_analysis(struct script_by_name *o, int argc, const char **argv)
{
	bool is_record = !strcmp(argv[0], "record"), is_report = !strcmp(argv[0], "report");
	struct analysis_cmd n = { .o = o };
	int ret;

	if (is_record || is_report) {
		if (argc < 2)
			return opt_usage_error(o->options, NULL, o->usage, "'%s' needs the name of an "
					       "analysis: 'perf script -l' lists them", argv[0]);
		argc--;
		argv++;
	}
	n.analysis = analysis_find(argv[0]);
	if (!n.analysis && analysis_elsewhere(argv[0]))
		return say_elsewhere(argv[0], analysis_elsewhere(argv[0]));
	if (!n.analysis)
		return say_unknown(o, argv[0]);
	if (is_record)
		return script_check_options(o, n.analysis, SCRIPT_RECORD) ?: record(&n, argc, argv);
	n.record = xasprintf("perf script record %s", n.analysis->name);
	n.tracing.record = n.record;
	n.tracing.row = n.analysis->ops->row;
	n.tracing.nr_rows = n.analysis->ops->nr_rows;
	n.tracing.other = n.analysis->ops->other;
	ret = is_report || o->session->data.path ? run_recorded(&n, argc, argv) : run_here(&n, argc, argv);
	free(n.record);
	return ret;
}
