/* perf report: shows where samples were taken. Options, then open, count, show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/format.h"
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/base/phase.h"
#include "util/base/units.h"
#include "util/base/fs.h"
#include "util/cli/builtin.h"
#include "util/cli/color.h"
#include "util/cli/config.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/fields/field-family.h"
#include "util/fields/trace-keys.h"
#include "util/hist/callers.h"
#include "util/hist/folded.h"
#include "util/hist/hierarchy.h"
#include "util/hist/hist.h"
#include "util/hist/filter-columns.h"
#include "util/hist/latency.h"
#include "util/hist/missing-symbols.h"
#include "util/hist/count-mode.h"
#include "util/hist/report-view.h"
#include "util/hist/sort-order.h"
#include "util/session/print.h"
#include "util/session/session.h"
#include "util/stat/stat-file.h"
#include "builtin-options.h"
#include "builtin-session.h"

/* stacks of all rows as a picture instead of tables */
struct report_opts {
	struct stack_picture picture;
	struct session_opts session;
	struct sort_spec sort;
	struct chain_opts chain;
	struct mode_opts mode;
	struct report_view_opts view;
	struct text_opts text;
	struct sample_filter filter;
	struct latency_opts latency;
	struct caller_patterns callers;
	struct field_opts fields;
	unsigned int bare_chains;	/* -g without a mode */
	bool no_chain, chains_given, inverted, children, inlines, stdio, json, full_path;
	bool header, header_only, full_info, dump, stats, tasks, mmaps, threads;
	unsigned int max_stack;
};

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

static int parse_time_quantum(const struct option *opt, const char *arg, bool unset)
{
	u64 *quantum = opt->value;

	if (unset)
		*quantum = 0;
	else if (parse_duration(arg, 1000000, quantum) || !*quantum)
		return opt_error(opt, "'%s' is not a time (10ms, 500us, 1s)", arg);
	return 0;
}

/* whole stacks without a threshold, from the outermost caller on, below the keys of --sort */
static void choose_picture(struct report_opts *o, const struct session *s)
{
	if (!o->picture.format)
		return;
	o->chain.mode = CHAIN_MODE_FOLDED;
	o->chain.min_percent = 0;
	o->chain.caller = o->chain.caller_set = true;
	o->children = o->inverted = o->chains_given = false;
	o->view.percent_limit = 0;
	o->sort.show_total_period = true;
	o->sort.show_nr = o->sort.show_cpu_utilization = false;
	if (!o->no_chain && evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN))
		o->sort.default_sort = "comm";
	if (!o->mode.branch_stack_set)
		o->mode.branch_stack_set = true;	/* samples, not their branches */
}

static int choose_chains(struct report_opts *o, const struct session *s, struct hist_opts *ho,
			 struct err *err)
{
	bool has_chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN);

	if (o->chains_given && !o->no_chain && !has_chains && o->chain.mode != CHAIN_MODE_NONE) {
		err_set(err, -EINVAL, "-g: the profile has no call chains");
		err_hint(err, "record them with perf record -g, or --call-graph dwarf");
		return -EINVAL;
	}
	if (o->chains_given && !o->no_chain && ho->mode == COUNT_BRANCHES)
		log_warn("-g: rows of branches have no call graphs; --no-branch-stack shows the call graphs "
			 "of the samples");
	ho->chain = o->chain;
	ho->max_stack = o->max_stack;
	ho->chains = !o->no_chain && has_chains && ho->mode != COUNT_BRANCHES;
	ho->children = ho->chains && o->children && !o->view.hierarchy;
	ho->inlines = o->inlines;
	ho->full_path = o->full_path;
	ho->chain.caller = o->inverted || (o->chain.caller_set ? o->chain.caller : ho->children);
	o->text.graph = ho->chains ? (enum graph_mode)o->chain.mode : GRAPH_NONE;
	o->text.value = (enum graph_value)o->chain.value;
	o->text.graph_limit = o->chain.print_limit;
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

/* chooses what is counted, and the sort keys */
static int choose_what(struct report_opts *o, const struct session *s, struct hist_opts *ho,
		       struct sort_order *order, struct err *err)
{
	int ret = mode_choose(&o->mode, s, ho, &o->sort, err);

	if (!ret)
		ret = choose_chains(o, s, ho, err);
	o->sort.children = ho->children;
	o->sort.hierarchy = o->view.hierarchy;
	if (ho->mode == COUNT_SAMPLES && trace_keys_only(s))
		o->sort.default_sort = "trace";
	latency_prepare(&o->latency, s, &o->sort);
	if (!ret)
		ret = sort_order_parse(order, &o->sort, err);
	if (!ret && o->view.hierarchy)
		ret = hierarchy_check(order, err);
	if (!ret)
		ret = sample_filter_parse(&o->filter, s, err);
	if (!ret)
		ret = latency_choose(&o->latency, s, &o->filter, order, ho, err);
	if (ret)
		return ret;
	if (o->callers.parent)
		sort_order_show_key(order, &field_parent);
	else if (o->callers.exclude_other)
		sort_order_add_key(order, &field_parent);
	o->callers.by_parent = sort_order_has_key(order, &field_parent);
	sort_order_keys(order, ho);
	ho->callers = &o->callers;
	return caller_patterns_compile(&o->callers, s, err);
}

/* printed after the tables */
static void show_threads(const struct session *s)
{
	if (session_print_threads(s, write_stdout, NULL) == -ENOENT)
		log_warn("no counts of threads in this file: record with -s");
}

static int show_view(struct report_opts *o, const struct view *v, struct err *err)
{
	if (o->picture.format)
		return format_view_file(o->picture.format, v, &o->text, o->picture.path, err);
	return format_view(o->json ? "json" : o->text.separator ? "separated" : "text", v, &o->text, err);
}

static int show_table(struct report_opts *o, struct session *s, struct err *err)
{
	struct hist_opts ho = { .verbose = log_level, .fields = o->fields };
	struct sort_order order;
	struct phase_clock t;
	struct hist *h;
	struct view *v;
	int ret;

	choose_picture(o, s);
	ret = choose_what(o, s, &ho, &order, err);
	if (ret)
		return ret;
	hist_use_filter(&ho, &o->filter);
	ho.mark_ends = o->picture.format;
	progress_begin();	/* for a pipe: until now its recorder may have written to the terminal */
	h = hist_collect(s, &ho);
	t = phase_start();
	latency_forget(h, &order);
	sample_filter_hide_columns(&o->filter, &order, o->view.hierarchy);
	o->view.order = &order;
	o->view.weights = ho.mode == COUNT_WEIGHT;
	if (o->view.weights)
		o->view.sort_words = o->sort.sort || o->sort.fields ? o->sort.sort : o->sort.default_sort;
	o->view.filter = &o->filter;
	o->view.no_widths = o->text.separator || o->picture.format;
	o->text.pool = s->pool;
	v = report_view(h, &o->view);
	phase_end("view", &t);
	ret = show_view(o, v, err);
	phase_end("text", &t);
	if (!ret && o->threads)
		show_threads(s);
	diag_merge(&s->diag, &h->diag);
	if (!ret) {
		sample_filter_warn_empty(&o->filter, h);
		symbol_filter_warn_empty(o->view.symbol_filter, h);
		note_missing_symbols(h);
		fp_note(s, &h->fp);
	}
	view_free(v);
	hist_free(h);
	phase_end("free", &t);
	return ret == -EPIPE ? 0 : ret;
}

/* texts that replace the table or are printed before it; 1: nothing else is to be shown */
static int show_texts(struct report_opts *o, struct session *s)
{
	struct strbuf sb = STRBUF_INIT;
	bool only = o->header_only || o->stats || o->tasks || o->mmaps || o->dump;

	if (only || o->header)
		progress_end();
	if (o->dump && o->json) {
		session_dump_json(s, "report");
		return 1;
	}
	if (o->dump && !o->header && !o->header_only)
		printf("%s", "# To display the perf.data header info, "
		       "please use --header/--header-only options.\n#\n");
	if (o->dump)
		session_dump_text(s);
	if (o->header || o->header_only)
		features_print(s->data, &sb, o->full_info);
	if (o->header_only)
		goto out;
	if (o->tasks || o->mmaps)
		session_print_tasks(s, o->mmaps, &sb);
	if (o->stats || o->dump)
		session_print_stats(s, !o->dump, &sb);
out:
	o->view.header_shown = o->header;
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	return only;
}

static bool wants_samples(const struct report_opts *o)
{
	const struct sample_filter *f = &o->filter;

	return o->sort.sort || o->sort.fields || o->header_only || o->stats || o->tasks || o->mmaps ||
	       o->dump || o->threads || o->view.hierarchy || o->mode.mem || o->mode.branch_stack ||
	       f->comm_list || f->dso_list || f->symbol_list || f->pid_list || f->tid_list || f->cpu_list ||
	       f->time_spec;
}

/* a file of folded stacks: call graphs without samples */
static int show_folded(struct report_opts *o)
{
	const char *path = o->session.data.path;	/* not NULL */
	struct diag diag = { 0 };
	struct err err = ERR_INIT;
	struct view *v;
	int ret;

	if (wants_samples(o)) {
		err_set(&err, -EINVAL, "%s holds folded stacks, which have no tasks, times and addresses",
			path);
		return die_err(&err);
	}
	v = folded_view(path, o->picture.format ? 0 : o->chain.min_percent, &diag, &err);
	if (!v)
		return die_err(&err);
	o->text.graph = o->no_chain ? GRAPH_NONE : (enum graph_mode)o->chain.mode;
	o->text.value = (enum graph_value)o->chain.value;
	o->text.graph_limit = o->chain.print_limit;
	ret = show_view(o, v, &err);
	warn_diag(&diag);
	view_free(v);
	return ret && ret != -EPIPE ? die_err(&err) : 0;
}

/* called before the file is known: whether the table will probably contain functions */
static bool wants_kernel_names(const struct report_opts *o)
{
	return !(o->header_only || o->stats || o->tasks || o->mmaps || o->dump) &&
	       (!o->sort.sort || strstr(o->sort.sort, "sym"));
}

int cmd_report(int argc, const char **argv)
{
	struct report_opts o = {
		.sort = { .default_sort = "comm,dso,symbol" }, .chain = CHAIN_OPTS_INIT, .children = true,
		.inlines = true, .max_stack = 127, .session = { .sym = SYM_OPTS_INIT },
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
	 * -g graph, separated by a blank, as users have always typed it; else a single word is a symbol to
	 * look for
	 */
	for (; argc && o.bare_chains; o.bare_chains--) {
		if (chain_opts_parse(&o.chain, argv[0], &err))
			return opt_usage_error(options, NULL, usage, "%s", err.msg);
		argc--, argv++;
	}
	if (argc == 1 && !o.view.symbol_filter)
		o.view.symbol_filter = argv[0];
	else if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	if (o.json && (o.header || o.header_only || o.stats || o.tasks || o.mmaps || o.threads ||
		       o.text.separator))
		return opt_usage_error(options, NULL, usage,
				       "--json excludes --header, --stats, --tasks, --mmaps, -T and -t");
	if (o.picture.format && (o.json || o.text.separator || o.sort.fields || o.view.hierarchy ||
				 o.mode.mem))
		return opt_usage_error(options, NULL, usage,
				       "--flamegraph and --folded exclude --json, -t, -F, -H and --mem-mode");
	if (o.session.data.path && folded_is(o.session.data.path))
		return show_folded(&o);
	if (!data_from_pipe(&o.session.data))
		progress_begin();
	alloc_keep_freed();
	o.session.kernel_names = wants_kernel_names(&o);
	ret = session_open(&s, &o.session, &err);
	if (!ret) {
		o.sort.trace = trace_keys_new(s);
		if (!show_texts(&o, s))
			ret = stat_file_is(s->data) ?
			      err_set(&err, -EINVAL,
				      "%s holds counts, not samples: 'perf stat report' shows them",
				      s->data->path) :
			      show_table(&o, s, &err);
		warn_diag(&s->diag);
		sample_filter_release(&o.filter);
		latency_release(&o.latency);
		trace_keys_free(o.sort.trace);
		caller_patterns_release(&o.callers);
		session_close(s);
	}
	progress_end();
	return ret ? die_err(&err) : 0;
}
