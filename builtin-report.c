/* perf report: shows where samples were taken. Options, then open, count, show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/format.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/option-words.h"
#include "util/base/phase.h"
#include "util/base/units.h"
#include "util/base/fs.h"
#include "util/cli/builtin.h"
#include "util/cli/color.h"
#include "util/cli/config.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/contents/contents.h"
#include "util/data/header-print.h"
#include "util/fields/trace-keys.h"
#include "util/hist/filter-columns.h"
#include "util/hist/missing-symbols.h"
#include "util/session/session.h"
#include "util/stat/stat-file.h"
#include "builtin-options.h"
#include "builtin-report.h"
#include "builtin-session.h"

static const char *const usage[] = { "perf report [<options>]", NULL };

static int parse_chain(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	struct err err = ERR_INIT;

	o->no_chain = unset;
	o->chains_given = true;
	o->bare_chains += !unset && !arg;
	if (!unset && arg && chain_opts_parse(&o->chain, arg, &err))
		return opt_err(opt, &err);
	return 0;
}

static int parse_percent_limit(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	struct option limit = *opt;

	limit.value = &o->view.percent_limit;
	if (opt_percent(&limit, arg, unset))
		return -1;
	if (!unset)
		o->chain.min_percent = o->view.percent_limit;
	return 0;
}

static int parse_group(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	o->view.group = unset ? GROUP_NONE : GROUP_ALL;
	return 0;
}

static int parse_pretty(const struct option *opt, const char *arg, bool unset UNUSED)
{
	bool *list = opt->value;

	if (strcmp(arg, "raw") && strcmp(arg, "normal"))
		return opt_error(opt, "takes normal or raw, not '%s'", arg);
	*list = !strcmp(arg, "raw");
	return 0;
}

static int parse_time_quantum(const struct option *opt, const char *arg, bool unset)
{
	u64 *quantum = opt->value;

	if (unset)
		*quantum = 0;
	else if (parse_duration(arg, 1000000, quantum) || !*quantum)
		return opt_error(opt, "'%s' is not a time (10ms, 500us, 1s)", arg);
	return 0;
}

/* call-graph.* of the configuration set what -g sets */
static int read_config(struct report_opts *o, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; chain_config_key[i] && !ret; i++)
		if (config_get(chain_config_key[i]))
			ret = chain_opts_config(&o->chain, i, config_get(chain_config_key[i]), err) < 0 ?
			      err_prefix(err, "%s", config_origin(chain_config_key[i])) : 0;
	return ret;
}

/* printed after the tables */
static void show_threads(const struct session *s, bool list)
{
	if (contents_print_threads(s, list, write_stdout, NULL) == -ENOENT)
		log_warn(REPORT_NO_COUNTS);
}

static int show_view(struct report_opts *o, const struct view *v, struct err *err)
{
	if (o->picture.format)
		return format_view_file(o->picture.format, v, &o->text, o->picture.path, err);
	return format_view(o->json ? "json" : o->text.separator ? "separated" : "text", v, &o->text, err);
}

/* what the user should know of the profile */
static void warn_user(const struct report_answer *a)
{
	sample_filter_warn_empty(&a->o.filter, a->h);
	if (a->s->nr_samples)
		sort_order_warn_unrecorded(&a->order, a->s->data->evset);
	symbol_filter_warn_empty(a->o.view.symbol_filter, a->h);
	note_missing_symbols(a->h);
	note_shared_code(a->h);
	fp_note(a->s, &a->h->fp);
	if (a->o.session.itrace.given)
		note_no_trace(a->s);
}

/* texts that are printed around tables, and files, are for another place than the terminal interface */
static bool wants_browser(const struct report_opts *o)
{
	return !(o->json || o->text.separator || o->picture.format || o->threads || o->header) &&
	       (o->tui.tui || !data_from_pipe(&o->session.data)) &&
	       tui_wanted(&o->tui, config_get_bool("tui.report", true));
}

/* given: the options from which the answer was made */
static int show_plain(struct report_answer *a, const struct report_opts *given, struct err *err)
{
	struct report_opts *o = &a->o;
	struct phase_clock t = phase_start();
	struct report_code code;
	int ret;

	if (o->json)
		report_json_add(o, a->s, a->v);
	/* as --header has it: a recording does not say when it was made, its file does */
	if (given->picture.time && a->s->data->mtime > 0)
		view_fact_number(&a->v->fact, "file-written-s", a->s->data->mtime);
	report_code_add(&code, a, given);
	ret = show_view(o, a->v, err);
	report_code_release(&code);
	phase_end("text", &t);
	if (!ret && o->threads && !o->json)
		show_threads(a->s, o->list_threads);
	return ret;
}

static int show_table(struct report_opts *o, struct session *s, struct err *err)
{
	struct report_answer a;
	int ret;

	progress_begin();	/* for a pipe: until now its recorder may have written to the terminal */
	ret = report_compute(&a, o, s, err);
	if (!ret && wants_browser(o)) {
		ret = report_browse(&a, o, err);
		if (ret && !o->tui.tui) {	/* nobody asked for it */
			tui_note_missing(err, "report");
			ret = show_plain(&a, o, err);
		}
	} else if (!ret) {
		ret = show_plain(&a, o, err);
	}
	if (a.h)
		diag_merge(&s->diag, &a.h->diag);
	if (!ret)
		warn_user(&a);
	report_answer_release(&a);
	return ret == -EPIPE ? 0 : ret;
}

/* texts that replace the table or are printed before it; 1: nothing else is to be shown */
static int show_texts(struct report_opts *o, struct session *s)
{
	struct strbuf sb = STRBUF_INIT;
	bool only = o->header_only || o->stats || o->tasks || o->mmaps || o->dump;

	if (only || o->header)
		progress_end();
	o->view.header_shown = o->header && !o->json;
	if (o->dump && o->json) {
		session_dump_json(s, "report", o->unsorted);
		return 1;
	}
	if (o->dump && !o->header && !o->header_only)
		printf("%s", "# To display the perf.data header info, "
		       "please use --header/--header-only options.\n#\n");
	if (o->dump)
		session_dump_text(s, o->unsorted);
	if ((o->header || o->header_only) && !o->json)
		features_print(s->data, &sb, o->full_info);
	if (o->header_only)
		goto out;
	if (o->tasks || o->mmaps)
		contents_print_tasks(s->machine, o->mmaps, &sb);
	if (o->stats || o->dump)
		contents_print_stats(s, !o->dump, &sb);
out:
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	return only;
}

/* the records as they are in the file */
static bool shows_records(const struct report_opts *o)
{
	return o->header_only || o->stats || o->tasks || o->mmaps || o->dump;
}

#define DEFAULT_DEPTH 127u	/* kernel.perf_event_max_stack */

/* what was recorded: an event can have deeper call chains than others */
static u32 recorded_depth(const struct session *s)
{
	u32 depth = DEFAULT_DEPTH;

	vec_foreach(&s->data->evset->ev, ev)
		depth = MAX(depth, (u32)(*ev)->attr.sample_max_stack);
	return depth;
}

/* called before the file is known: whether the table will probably contain functions */
static bool wants_kernel_names(const struct report_opts *o)
{
	return !shows_records(o) &&
	       (!o->sort.sort || strstr(o->sort.sort, "sym"));
}

/* single samples and their times can be asked for, or are shown */
static bool needs_times(const struct report_opts *o)
{
	return wants_browser(o) || o->picture.time || o->filter.time_spec || o->filter.parallelism_list ||
	       o->filter.switching.on || o->filter.switching.off ||
	       !wall_keys_timeless(o->sort.sort) || !wall_keys_timeless(o->sort.fields);
}

/* rows depend on the address and the task of samples alone, and nothing asks for single ones */
static bool counts_sums(const struct report_opts *o)
{
	static const char *const words[] = {
		"comm", "dso", "latency", "overhead", "overhead_children", "period", "pid", "sample", "sym",
		"symbol", "tid",
	};
	const struct sample_filter *f = &o->filter;

	return !needs_times(o) && !shows_records(o) && !o->picture.format && !o->mode.mem && !f->cpu_list &&
	       !f->socket_set && words_all_of(o->sort.sort, words, ARRAY_SIZE(words)) &&
	       words_all_of(o->sort.fields, words, ARRAY_SIZE(words));
}

/* --html FILE, --flamegraph FILE, separated by a blank: no function has such a name */
static bool take_picture_name(struct stack_picture *p, const char *word)
{
	const char *ending = strrchr(word, '.');
	bool page = p->format && !strcmp(p->format, "report-page");
	bool graph = p->format && !page && strcmp(p->format, "folded");
	bool svg = ending && !strcmp(ending, ".svg");

	if (!ending || !(page || graph) || (strcmp(ending, ".html") && !(svg && graph)))
		return false;
	p->path = word;
	if (graph)
		p->format = svg ? "svg" : "flamegraph";
	return true;
}

int cmd_report(int argc, const char **argv)
{
	struct report_opts o = {
		.sort = { .default_sort = "comm,dso,symbol" }, .chain = CHAIN_OPTS_INIT, .children = true,
		.inlines = true, .html_code = 20, .session = { .sym = SYM_OPTS_INIT },
		.code = { .source = true },
	};
	struct session *s;
	struct err err = ERR_INIT;
	const struct option options[] = {
#include "builtin-report.def"
		OPT_END(),
	};
	int ret;

	if (read_config(&o, &err))
		return die_err(&err);
	argc = parse_options(argc, argv, options, usage, 0);
	/*
	 * "-g graph", separated by a blank, as users have always typed it; any other single word is the
	 * symbol to show
	 */
	for (; argc && o.bare_chains; o.bare_chains--) {
		if (chain_opts_parse(&o.chain, argv[0], &err))
			return opt_usage_error(options, NULL, usage, "%s", err.msg);
		argc--, argv++;
	}
	if (argc && take_picture_name(&o.picture, argv[0]))
		argc--, argv++;
	if (argc == 1 && !o.view.symbol_filter)
		o.view.symbol_filter = argv[0];
	else if (argc)
		return opt_usage_error(options, NULL, usage,
				       "unexpected argument '%s': only one part of function names "
				       "can be given, and files are named by -i", argv[argc - 1]);
	if (o.json && o.dump && (o.header || o.threads || report_json_only(&o)))
		return opt_usage_error(options, NULL, usage,
				       "-D --json excludes --header, --stats, --tasks, --mmaps and -T");
	if (o.picture.format && (o.json || o.text.separator || o.sort.fields || o.view.hierarchy ||
				 o.mode.mem))
		return opt_usage_error(options, NULL, usage,
				       "--flamegraph, --html and --folded exclude --json, -t, -F, -H "
				       "and --mem-mode");
	if (!data_from_pipe(&o.session.data))
		progress_begin();
	alloc_keep_freed();
	o.session.itrace.decodes = true;
	itrace_configure(&o.session.itrace);
	o.session.itrace.off |= o.dump;		/* which shows its packets */
	o.session.kernel_names = wants_kernel_names(&o);
	o.wall.lanes = o.picture.time;
	o.session.itrace.sums = counts_sums(&o);
	o.wall.sums = !needs_times(&o) && !o.wall.lanes;
	ret = wall_session_open(&s, &o.session, &o.wall, !shows_records(&o), &err);
	if (!ret) {
		if (!o.max_stack)
			o.max_stack = recorded_depth(s);
		o.sort.trace = trace_keys_new(s->data->evset, &s->data->feat.tracing_data);
		if (o.json && !o.dump && report_json_only(&o))
			ret = report_json_show(&o, s, &err);
		else if (!show_texts(&o, s))
			ret = stat_file_is(s->data) ?
			      err_set(&err, -EINVAL,
				      "%s holds counts, not samples: 'perf stat report' shows them",
				      s->data->path) :
			      show_table(&o, s, &err);
		warn_diag(&s->diag);
		trace_keys_free(o.sort.trace);
		session_close(s);
	}
	wall_opts_release(&o.wall);
	progress_end();
	return ret ? die_err(&err) : 0;
}
