/*
 * perf trace: system calls and events, as lines and summaries. Options, files and the end; what runs now is
 * observed in builtin-trace-live.c. The work is in util/trace, util/syscall and util/tracing.
 */
#include "builtin-trace.h"
#include "builtin-status.h"
#include "ui/format.h"
#include "ui/timeline.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/progress.h"
#include "util/pmu/parse-events.h"
#include "util/probe/once.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const usage[] = {
	"perf trace [<options>] [<command>]",
	"perf trace [<options>] -i <file>",
	"perf trace record [<options of perf record>] [<command>]",
	NULL
};

/* ---- options ---- */

/* "12" or "0.5" milliseconds, as nanoseconds */
static int parse_ms(const char *s, u64 *ret)
{
	char *end;
	double ms = strtod(s, &end);

	if (end == s || *end || !(ms >= 0 && ms < 1e12))
		return -EINVAL;
	*ret = ms * 1e6;
	return 0;
}

static int cb_delay(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct observe_opts *w = opt->value;
	struct delay_range range = { 0 };

	if (parse_ms(arg, &range.on_ns) < 0)
		return opt_error(opt, "'%s' is not a time in milliseconds", arg);
	w->delay.nr = 0;
	vec_push(&w->delay, range);
	return 0;
}

static int cb_duration(const struct option *opt, const char *arg, bool unset UNUSED)
{
	if (parse_ms(arg, opt->value) < 0)
		return opt_error(opt, "'%s' is not a time in milliseconds", arg);
	return 0;
}

static int add_events(struct trace_cmd *c, const char *list, struct err *err)
{
	struct strbuf notes = STRBUF_INIT;
	const struct parse_events_opts o = { .option = "-e", .tables = &c->events.tables, .notes = &notes };
	/* the events of a file are found when it is open */
	int ret = trace_select_add(&c->select, list, c->session.data.path ? NULL : c->events.set, &o, err);

	c->events.last_event = c->select.first_event;
	log_warn_lines(strbuf_str(&notes));
	strbuf_release(&notes);
	return ret;
}

static int cb_event(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct err err = ERR_INIT;

	return add_events(opt->value, arg, &err) < 0 ? opt_err(opt, &err) : 0;
}

static int cb_filter(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct trace_cmd *c = opt->value;
	struct err err = ERR_INIT;

	if (c->session.data.path)
		return opt_error(opt, "events of a file cannot be filtered by their fields");
	return parse_filter(c->events.set, c->events.last_event, arg, &err) < 0 ? opt_err(opt, &err) : 0;
}

static int cb_filter_pids(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct trace_cmd *c = opt->value;
	char *list = xstrdup(arg), *rest = list;
	int ret = 0;

	for (char *word; !ret && (word = strsep(&rest, ","));) {
		u64 pid;

		if (parse_u64(word, &pid) < 0 || pid > INT32_MAX)
			ret = opt_error(opt, "'%s' is not the number of a task", word);
		else
			vec_push(&c->left_out, (s32)pid);
	}
	free(list);
	return ret;
}

static bool is_fault_word(const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, "maj") || !strcmp(word, "min");
}

static int cb_faults(const struct option *opt, const char *arg, bool unset)
{
	struct trace_cmd *c = opt->value;

	c->faults = unset ? NULL : arg ? arg : "maj";
	c->faults_given = !unset && !arg;
	if (c->faults && !is_fault_word(c->faults))
		return opt_error(opt, "'%s' is not all, maj or min", arg);
	return 0;
}

static int cb_callgraph(const struct option *opt, const char *arg, bool unset UNUSED)
{
	struct trace_cmd *c = opt->value;
	struct err err = ERR_INIT;

	if (parse_callgraph(arg, &c->attr.callgraph, &err) < 0)
		return opt_err(opt, &err);
	c->trace.chains = c->attr.callgraph.mode != CALLGRAPH_NONE;
	return 0;
}

static int cb_mode(const struct option *opt, const char *arg, bool unset UNUSED)
{
	static const char *const words[] = { "thread", "total", "cgroup" };

	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(arg, words[i])) {
			*(enum trace_summary_mode *)opt->value = i;
			return 0;
		}
	return opt_error(opt, "'%s' is not thread, total or cgroup", arg);
}

static int cb_comm(const struct option *opt, const char *arg UNUSED, bool unset)
{
	((struct trace_cmd *)opt->value)->trace.hide_comm = unset;
	return 0;
}

static int cb_syscalls(const struct option *opt, const char *arg UNUSED, bool unset)
{
	struct trace_cmd *c = opt->value;

	c->no_syscalls = unset;
	c->syscalls_given = !unset;
	return 0;
}

static int apply_config(struct trace_cmd *c, struct err *err)
{
	const char *alignment = config_get("trace.args_alignment");
	const char *printer = config_get("trace.tracepoint_beautifiers");
	const char *events = config_get("trace.add_events");
	struct trace_opts *o = &c->trace;
	u64 v;

	o->hide_time = !config_get_bool("trace.show_timestamp", true);
	o->hide_duration = !config_get_bool("trace.show_duration", true);
	o->text.hide_names = !config_get_bool("trace.show_arg_names", true);
	/* without names an argument that is left out would change the meaning of the others */
	o->text.show_zeros = o->text.hide_names || config_get_bool("trace.show_zeros", false);
	o->text.show_prefix = config_get_bool("trace.show_prefix", false);
	c->attr.no_inherit |= config_get_bool("trace.no_inherit", false);
	o->library_text |= printer && !strcmp(printer, "libtraceevent");
	if (alignment && (parse_u64(alignment, &v) < 0 || v > 1000))
		return err_set(err, -EINVAL, "%strace.args_alignment: '%s' is not a number of columns",
			       config_origin("trace.args_alignment"), alignment);
	o->alignment = alignment ? v : TRACE_ALIGNMENT;
	return events ? add_events(c, events, err) : 0;
}

/* what is traced of a live system is kept of a file */
static int file_filters(struct trace_cmd *c, struct err *err)
{
	const struct target_opts *t = &c->observe.target;

	c->tracing.filter.pid_list = t->pids;
	c->tracing.filter.tid_list = t->tids;
	c->tracing.filter.cpu_list = t->cpus;
	if (t->user || c->cgroups || c->left_out.nr || observe_delayed(&c->observe))
		return err_set(err, -EINVAL, "-u, -G, -D and --filter-pids do not apply to a file");
	if (c->force_btf)
		return err_set(err, -EINVAL, "--force-btf does not apply to a file, which lacks what "
			       "arguments point to");
	return 0;
}

/* options that mean others, and those that exclude each other */
static int settle(struct trace_cmd *c, struct err *err)
{
	struct trace_opts *o = &c->trace;
	struct callgraph_opts *cg = &c->attr.callgraph;
	int ret = apply_config(c, err);

	if (ret)
		return ret;
	c->only_summary |= ((o->errnos || o->histogram) && !c->with_summary);
	c->with_summary |= o->sched && !c->only_summary;
	o->summary = c->only_summary || c->with_summary;
	o->timeline = c->timeline != NULL;
	o->lines = !c->only_summary && !c->timeline;
	o->format = c->json ? format_find_stream("json") : NULL;
	o->selected = c->select.any;
	o->set = c->select.set;
	o->unknown = c->select.unknown;
	o->no_syscalls = c->no_syscalls || (c->select.only_events && !c->syscalls_given);
	if (o->no_syscalls && c->select.only_events)
		c->tracing.nr_rows = TRACE_NR_EVENT_ROWS;
	o->live = !c->session.data.path;
	if (o->tod) {
		o->hide_time = false;
		c->attr.use_clockid = true;
		c->attr.clockid = CLOCK_MONOTONIC;
	}
	if (!o->live && file_filters(c, err))
		return err->code;
	if ((c->max_stack_given || o->min_stack) && cg->mode == CALLGRAPH_NONE)
		cg->mode = CALLGRAPH_DWARF;
	o->chains |= cg->mode != CALLGRAPH_NONE;
	if (c->timeline && !timeline_format_of(c->timeline, err))
		return err->code;
	if (c->timeline && o->no_syscalls)
		return err_set(err, -EINVAL,
			       "--timeline shows system calls: -e and --no-syscalls leave none");
	if (o->live && o->no_syscalls && !c->events.set->ev.nr && !c->faults)
		return err_set(err, -EINVAL, "--no-syscalls without -e and -F leaves nothing to trace");
	return 0;
}

/* ---- a file ---- */

/* events that -e does not name are not shown */
static void file_event(void *ctx, const struct tracing_sample *ts)
{
	struct trace *t = ctx;
	struct trace_cmd *c = t->flush_ctx;

	if (trace_select_event(&c->select, ts->sample->event->name))
		trace_other_event(ctx, ts);
}

static int trace_file(struct trace_cmd *c, struct err *err)
{
	struct session *s;
	int ret;

	if (!data_from_pipe(&c->session.data))
		progress_begin();
	ret = session_open(&s, &c->session, err);
	if (ret)
		return ret;
	ret = trace_init(&c->t, &c->trace, s, err);
	c->t.flush = trace_write;
	c->t.flush_ctx = c;
	c->writer = c->output ? s->pool : NULL;
	c->tracing.ctx = &c->t;
	c->tracing.stop = &c->t.stop;
	c->tracing.other = file_event;
	progress_end();
	if (!ret)
		ret = tracing_run(s, &c->tracing, err);
	if (!ret)
		ret = trace_finish(c, s, err);
	trace_release(&c->t);
	warn_diag(&s->diag);
	session_close(s);
	return ret;
}

/* ---- the command ---- */

static int trace_record(int argc, const char **argv)
{
	static const char *const fixed[] = {
		"record", "-R", "-m", "1024", "-c", "1", "-e",
		"raw_syscalls:sys_enter,raw_syscalls:sys_exit", "--exclude-perf"
	};
	const char **args = xcalloc(ARRAY_SIZE(fixed) + argc + 1, sizeof(*args));
	int ret;

	memcpy(args, fixed, sizeof(fixed));
	memcpy(args + ARRAY_SIZE(fixed), argv + 1, (argc - 1) * sizeof(*args));
	ret = cmd_record(ARRAY_SIZE(fixed) + argc - 1, args);
	free(args);
	return ret;
}

static void release(struct trace_cmd *c)
{
	if (c->out && c->out != stderr)
		fclose(c->out);
	trace_call_lines_release(&c->writing);
	strbuf_release(&c->text);
	vec_release(&c->left_out);
	vec_release(&c->observe.delay);
	trace_select_release(&c->select);
	table_source_release(&c->events.tables);
	evset_free(c->events.set);
}

int cmd_trace(int argc, const char **argv)
{
	static const char *const words[] = { "record", NULL };
	struct trace_cmd cmd = {
		.bpf = true,
		.session.sym = SYM_OPTS_INIT, .map_timeout_ms = 500,
		.observe = { .interval_ms = 100 },
		.attr = { .timestamp = true, .timestamp_given = true, .identifier = true,
			  .no_bpf_event = true, .sample[ABI_SAMPLE_NR_CPU] = true },
		.tracing = { .row = trace_rows, .nr_rows = trace_nr_rows, .record = "perf trace record" },
	}, *c = &cmd;
	struct observe_opts *w = &cmd.observe;
	struct sample_attr_opts *at = &cmd.attr;
	struct trace_opts *o = &cmd.trace;
	struct err err = ERR_INIT;
	struct probe_once once = PROBE_ONCE_INIT;
	struct workload_result command = { 0 };
	const struct option options[] = {
#include "builtin-trace.def"
		OPT_END()
	};
	int ret;

	w->set = cmd.events.set = evset_new();
	if (probe_once_args(&once, argc, argv, options_end(argc, argv, options), &err))
		return die_err(&err);
	argc = parse_options_sub(argc, argv, options, words, usage, PARSE_STOP_AT_NON_OPTION);
	/* "-F all CMD": the word after a bare -F, if no program has that name */
	while (argc && c->faults_given && is_fault_word(argv[0]) && !workload_exists(argv[0])) {
		c->faults_given = false;
		c->faults = argv[0];
		argc = parse_options(argc, argv, options, usage, PARSE_STOP_AT_NON_OPTION);
	}
	if (argc && !strcmp(argv[0], "record"))
		return trace_record(argc, argv);
	w->argv = argc ? argv : NULL;
	signal(SIGPIPE, SIG_IGN);
	ret = settle(c, &err);
	if (!ret)
		ret = trace_open_output(c, &err);
	if (!ret)
		ret = o->live ? trace_live(c, &command, &err) : trace_file(c, &err);
	release(c);
	probe_once_end(&once);
	progress_end();
	return command_status(ret, &err, &command);
}
