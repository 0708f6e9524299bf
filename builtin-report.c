/* perf report: where the samples fell. Options, then open, count, show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/base/fs.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/hist/hist.h"
#include "util/hist/hit-filter.h"
#include "util/hist/report-view.h"
#include "util/hist/sort-order.h"
#include "util/session/dump-all.h"
#include "util/session/print.h"
#include "util/session/session.h"
#include "util/stat/stat-file.h"

#define MAX_WIDTHS 32

struct report_opts {
	struct session_opts session;
	struct sort_spec sort;
	struct chain_opts chain;
	struct report_view_opts view;
	struct text_opts text;
	struct hit_filter filter;
	u32 widths[MAX_WIDTHS];
	unsigned int bare_chains;	/* -g without a mode of its own */
	bool no_chain, chains_given, inverted, children, inlines, stdio, full_path;
	bool header, header_only, full_info, dump, stats, tasks, mmaps;
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
		return opt_error(opt, "%s", err.msg);
	return 0;
}

static int parse_separator(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	if (unset || !arg)
		return 0;
	if (!strcmp(arg, "\\t"))
		arg = "\t";
	if (strlen(arg) != 1 || *arg == '.')
		return opt_error(opt, "takes one character that is not a dot");
	o->text.separator = *arg;
	return 0;
}

static int parse_widths(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	char *end;

	for (o->text.nr_widths = 0; arg && *arg; arg = *end ? end + 1 : end) {
		if (o->text.nr_widths == MAX_WIDTHS)
			return opt_error(opt, "takes at most %d widths", MAX_WIDTHS);
		o->widths[o->text.nr_widths++] = strtoul(arg, &end, 10);
		if (end == arg || (*end && *end != ','))
			return opt_error(opt, "'%s' is not a list of widths (8,20,40)", arg);
	}
	o->text.widths = o->widths;
	return 0;
}

static int parse_percent_limit(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	char *end;

	o->view.percent_limit = unset ? 0 : strtod(arg, &end);
	if (!unset && (end == arg || *end || o->view.percent_limit < 0))
		return opt_error(opt, "'%s' is not a share in percent", arg);
	if (!unset)
		o->chain.min_percent = o->view.percent_limit;
	return 0;
}

static int parse_percentage(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;

	if (!strcmp(arg, "relative"))
		o->view.relative = true;
	else if (!strcmp(arg, "absolute"))
		o->view.relative = false;
	else
		return opt_error(opt, "takes 'relative' or 'absolute', not '%s'", arg);
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
	if (unset)
		field_time_quantum = 0;
	else if (parse_duration(arg, 1000000, &field_time_quantum) || !field_time_quantum)
		return opt_error(opt, "'%s' is not a time (10ms, 500us, 1s)", arg);
	return 0;
}

static int choose_chains(struct report_opts *o, const struct session *s, struct hist_opts *ho, struct err *err)
{
	bool has_chains = evset_samples(s->data->evset, PERF_SAMPLE_CALLCHAIN);

	if (o->chains_given && !o->no_chain && !has_chains && o->chain.mode != CHAIN_MODE_NONE) {
		err_set(err, -EINVAL, "-g: the profile has no call chains");
		err_hint(err, "record them with perf record -g, or --call-graph dwarf");
		return -EINVAL;
	}
	ho->chain = o->chain;
	ho->max_stack = o->max_stack;
	ho->chains = !o->no_chain && has_chains;
	ho->children = ho->chains && o->children;
	ho->inlines = o->inlines;
	ho->full_path = o->full_path;
	ho->chain.caller = o->inverted || (o->chain.caller_set ? o->chain.caller : ho->children);
	o->text.graph = ho->chains ? (enum graph_mode)o->chain.mode : GRAPH_NONE;
	o->text.value = (enum graph_value)o->chain.value;
	o->text.graph_limit = o->chain.print_limit;
	return 0;
}

static void choose_keys(const struct sort_order *order, struct hist_opts *ho)
{
	for (u32 i = 0; i < order->nr_keys && ho->nr_keys < HIST_MAX_KEYS; i++) {
		const struct field *f = order->key[i];

		ho->key[ho->nr_keys++] = f;
		ho->frames |= f->kind == FIELD_FRAME;
		ho->symbols |= (f->needs & NEEDS_SYM) != 0;
	}
	for (u32 i = 0; i < order->nr_columns; i++)
		ho->weights |= (order->column[i]->needs & NEEDS_WEIGHTS) != 0;
}

#define MAX_NOTES 10

/* why samples have no names, once per file that they fell in, and what to do */
static void note_missing_symbols(const struct session *s, const struct hist *h)
{
	const struct dsos *dsos = world_dsos(s->world);
	u32 nr = 0;

	for (u32 d = 0; h->opts.symbols && d < dsos->dso.nr; d++) {
		const char *reason = h->dso_hit[d] ? symbols_reason(s->symbols, d) : NULL;

		if (reason && nr++ < MAX_NOTES)
			log_note("%s", reason);
	}
	if (nr > MAX_NOTES)
		log_note("%u more files without symbols", nr - MAX_NOTES);
}

/* call-graph.* of the configuration are what -g would say */
static int read_config(struct report_opts *o, struct err *err)
{
	int ret = 0;

	for (u32 i = 0; chain_config_key[i] && !ret; i++)
		if (config_get(chain_config_key[i]))
			ret = chain_opts_config(&o->chain, i, config_get(chain_config_key[i]), err);
	return ret;
}

static int show_table(struct report_opts *o, struct session *s, struct err *err)
{
	struct hist_opts ho = { .verbose = log_level, .keep = hit_filter_keep, .keep_ctx = &o->filter };
	struct sort_order order;
	struct hist *h;
	struct view *v;
	int ret;

	ret = choose_chains(o, s, &ho, err);
	o->sort.children = ho.children;
	if (!ret)
		ret = sort_order_parse(&order, &o->sort, err);
	if (!ret)
		ret = hit_filter_parse(&o->filter, s, err);
	if (ret)
		return ret;
	choose_keys(&order, &ho);
	if (hit_filter_wants_frames(&o->filter)) {
		ho.frames = true;
		ho.symbols |= hit_filter_wants_symbols(&o->filter);
		ho.keep_frame = hit_filter_keep_frame;
	}
	ho.progress = progress_update;
	progress_begin("counting samples");
	h = hist_collect(s, &ho);
	progress_end();
	hit_filter_hide_columns(&o->filter, &order);
	o->view.order = &order;
	o->view.filter = &o->filter;
	o->view.verbose = log_level;
	o->view.no_widths = o->text.separator != 0;
	o->text.pool = s->pool;
	v = report_view(h, &o->view);
	pager_start("report");
	ret = text_show(v, &o->text, stdout);
	diag_merge(&s->diag, &h->diag);
	if (!ret)
		note_missing_symbols(s, h);
	view_free(v);
	hist_free(h);
	return ret == -EPIPE ? 0 : ret;
}

static int write_stdout(void *ctx, const char *text, size_t len)
{
	return fwrite(text, 1, len, stdout) == len ? 0 : -EPIPE;
}

/* what is asked for instead of the table, or in front of it; 1: that was all */
static int show_texts(struct report_opts *o, struct session *s)
{
	struct strbuf sb = STRBUF_INIT;
	bool only = o->header_only || o->stats || o->tasks || o->mmaps || o->dump;

	if (o->dump && !o->header && !o->header_only)
		printf("%s", "# To display the perf.data header info, please use --header/--header-only options.\n#\n");
	if (o->dump)
		session_dump(s, DUMP_REPORT, write_stdout, NULL);
	if (o->header || o->header_only)
		features_print(s->data, &sb, o->full_info);
	if (o->header_only)
		goto out;
	if (o->tasks || o->mmaps)
		session_print_tasks(s, o->mmaps, &sb);
	if (o->stats || o->dump)
		session_print_stats(s, &sb);
out:
	o->view.header_shown = o->header;
	fwrite(strbuf_str(&sb), 1, sb.len, stdout);
	strbuf_release(&sb);
	return only;
}

/* known to users, not built yet: each says so */
#define REPORT_NOT_BUILT \
	OPT_MISSING('b', "branch-stack", NULL, "rows by branch stacks are not built yet: 'perf script -F brstack' prints them"), \
	OPT_MISSING(0, "branch-history", NULL, "branch stacks in call graphs are not built yet"), \
	OPT_MISSING(0, "total-cycles", NULL, "cycles by basic block are not built yet"), \
	OPT_MISSING(0, "mem-mode", NULL, "the memory-access report is not built yet: use -s with weight and phys_daddr"), \
	OPT_MISSING('H', "hierarchy", NULL, "the hierarchy is not built yet: use -s with one key after the other"), \
	OPT_MISSING('p', "parent", "regex", "rows by a caller that matches a pattern are not built yet"), \
	OPT_MISSING('x', "exclude-other", NULL, "it belongs to --parent, which is not built yet"), \
	OPT_MISSING(0, "ignore-callees", "regex", "cutting call chains at a pattern is not built yet"), \
	OPT_MISSING(0, "itrace", "options", "decoding of hardware traces is not built yet"), \
	OPT_MISSING(0, "latency", NULL, "the latency profile is not built yet"), \
	OPT_MISSING(0, "parallelism", "list", "the latency profile is not built yet"), \
	OPT_MISSING(0, "samples", "n", "context samples belong to the terminal interface, which is not built yet"), \
	OPT_MISSING(0, "tui", NULL, "the terminal interface is not built yet: output is always plain text"), \
	OPT_MISSING(0, "stitch-lbr", NULL, "stitching of LBR stacks is not built yet"), \
	OPT_MISSING(0, "switch-on", "event", "switching at events is not built yet: use --time"), \
	OPT_MISSING(0, "switch-off", "event", "switching at events is not built yet: use --time"), \
	OPT_MISSING(0, "show-on-off-events", NULL, "switching at events is not built yet"), \
	OPT_MISSING(0, "show-ref-call-graph", NULL, "reference call graphs are not built yet"), \
	OPT_MISSING(0, "group-sort-idx", "n", "columns by group member are not built yet"), \
	OPT_MISSING('T', "threads", NULL, "counts per thread are not built yet: use -s pid"), \
	OPT_MISSING(0, "raw-trace", NULL, "rows by tracepoint fields are not built yet"), \
	OPT_MISSING(0, "disable-order", NULL, "records are always put in order of time"), \
	OPT_MISSING(0, "percent-type", "type", "it belongs to annotation, which is not built yet"), \
	OPT_MISSING(0, "source", NULL, "it belongs to annotation, which is not built yet"), \
	OPT_MISSING(0, "asm-raw", NULL, "it belongs to annotation, which is not built yet"), \
	OPT_MISSING('M', "disassembler-style", "style", "it belongs to annotation, which is not built yet"), \
	OPT_MISSING(0, "prefix", "path", "it belongs to annotation, which is not built yet"), \
	OPT_MISSING(0, "prefix-strip", "n", "it belongs to annotation, which is not built yet"), \
	OPT_MISSING(0, "objdump", "path", "no helper programs are run: there is nothing to choose"), \
	OPT_MISSING(0, "addr2line", "path", "no helper programs are run: there is nothing to choose"), \
	OPT_MISSING(0, "addr2line-style", "list", "no helper programs are run: there is nothing to choose"), \
	OPT_MISSING(0, "unwind-style", "list", "there is one unwinder: there is nothing to choose"), \
	OPT_MISSING(0, "pretty", "key", "cells of read counters are not built yet"), \
	OPT_MISSING(0, "stdio-color", "mode", "colours are not built yet")

int cmd_report(int argc, const char **argv)
{
	struct report_opts o = {
		.sort = { .default_sort = "comm,dso,symbol" }, .chain = CHAIN_OPTS_INIT, .children = true, .inlines = true,
		.max_stack = 127, .session = { .sym = SYM_OPTS_INIT },
	};
	struct session *s;
	struct err err = ERR_INIT;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.session.data.path, "file", "input file name"),
		OPT_BOOL('f', "force", &o.session.data.force, "open a file that belongs to someone else"),
		OPT_STRING_CONFIG('s', "sort", &o.sort.sort, "key[,key2...]", "report.sort_order", "make rows by these keys"),
		OPT_STRING('F', "fields", &o.sort.fields, "key[,key2...]", "show these columns"),
		OPT_CALLBACK_OPTARG('g', "call-graph", &o, "mode[,min[,limit[,order[,key]]]]",
				    "show call graphs: graph flat fractal folded none, threshold in %, lines per row, "
				    "caller or callee, function or address, percent period or count", parse_chain, NULL),
		OPT_BOOL('G', "inverted", &o.inverted, "call graphs from the outermost caller"),
		OPT_BOOL_CONFIG(0, "children", &o.children, "report.children", "add what callees used to their callers"),
		OPT_UINT(0, "max-stack", &o.max_stack, "n", "look at so many frames of a call chain"),
		OPT_BOOL('n', "show-nr-samples", &o.sort.show_nr, "show the number of samples"),
		OPT_BOOL(0, "show-total-period", &o.sort.show_total_period, "show the sum of the periods"),
		OPT_BOOL(0, "showcpuutilization", &o.sort.show_cpu_utilization, "old spelling of --show-cpu-utilization"),
		OPT_BOOL(0, "show-cpu-utilization", &o.sort.show_cpu_utilization, "show shares in kernel and user space"),
		OPT_CALLBACK('t', "field-separator", &o, "separator", "separate columns by this, do not pad",
			     parse_separator),
		OPT_CALLBACK('w', "column-widths", &o, "width[,width...]", "widths of the columns", parse_widths),
		OPT_CALLBACK_CONFIG(0, "percent-limit", &o, "percent", "report.percent-limit", "leave out rows below this",
				    parse_percent_limit),
		OPT_CALLBACK_CONFIG(0, "percentage", &o, "relative|absolute", "hist.percentage",
				    "shares of what filters keep, or of everything", parse_percentage),
		OPT_STRING('c', "comms", &o.filter.comm_list, "comm[,comm...]", "only threads of these names"),
		OPT_STRING('d', "dsos", &o.filter.dso_list, "dso[,dso...]", "only these programs and libraries"),
		OPT_STRING('S', "symbols", &o.filter.symbol_list, "symbol[,symbol...]", "only these functions"),
		OPT_STRING(0, "pid", &o.filter.pid_list, "pid[,pid...]", "only these processes"),
		OPT_STRING(0, "tid", &o.filter.tid_list, "tid[,tid...]", "only these threads"),
		OPT_STRING('C', "cpu", &o.filter.cpu_list, "cpu[,cpu...]", "only these CPUs: 0,2-3"),
		{ .type = OPT_UINT_T, .long_name = "socket-filter", .value = &o.filter.socket, .arg_help = "n",
		  .help = "only this processor socket", .set = &o.filter.socket_set },
		OPT_STRING(0, "time", &o.filter.time_spec, "start,stop", "only this span of time: seconds, or 10%-20%"),
		OPT_BOOL('U', "hide-unresolved", &o.filter.hide_unresolved, "only samples whose function is known"),
		OPT_STRING(0, "symbol-filter", &o.view.symbol_filter, "text", "only symbols with this in their name"),
		OPT_CALLBACK(0, "time-quantum", &o, "time", "steps of the sort key time (default 100ms)",
			     parse_time_quantum),
		OPT_CALLBACK_FLAG(0, "group", &o, "one table for all events, side by side; --no-group: one for each", parse_group),
		OPT_BOOL_CONFIG(0, "skip-empty", &o.view.hide_empty, "report.skip-empty", "leave out events without samples"),
		OPT_BOOL(0, "stdio", &o.stdio, "plain text"),
		OPT_BOOL(0, "header", &o.header, "show what was recorded, where and how, before the table"),
		OPT_BOOL(0, "header-only", &o.header_only, "show only that"),
		OPT_BOOL('I', "show-info", &o.full_info, "with topology and caches"),
		OPT_BOOL('D', "dump-raw-trace", &o.dump, "show every record of the file"),
		OPT_BOOL(0, "stats", &o.stats, "show how many records of each type there are"),
		OPT_BOOL(0, "tasks", &o.tasks, "show the tree of threads"),
		OPT_BOOL(0, "mmaps", &o.mmaps, "show the tree of threads with what they have mapped"),
		{ .type = OPT_U64_T, .long_name = "chunk-size", .value = &o.session.chunk_size, .arg_help = "bytes",
		  .help = "size of the pieces that threads count, for tests", .flags = OPT_HIDDEN },
		OPT_UINT('j', "jobs", &o.session.jobs, "n", "threads (default: one per CPU)"),
		OPT_STRING('k', "vmlinux", &o.session.sym.vmlinux, "file", "kernel image with symbols"),
		OPT_STRING(0, "kallsyms", &o.session.sym.kallsyms, "file", "kernel symbols in this file"),
		OPT_STRING(0, "symfs", &o.session.sym.symfs, "directory[,flat]", "look for programs and libraries below it"),
		OPT_BOOL('m', "modules", &o.session.sym.use_modules, "load module symbols (with -k)"),
		OPT_BOOL(0, "ignore-vmlinux", &o.session.sym.ignore_vmlinux, "do not look for a vmlinux"),
		OPT_BOOL(0, "full-source-path", &o.full_path, "show source files with their directories"),
		OPT_BOOL(0, "ns", &field_time_ns, "show times in nanoseconds"),
		OPT_BOOL(0, "inline", &o.inlines, "show inlined functions in call graphs"),
		OPT_BOOL(0, "demangle", &o.session.sym.demangle, "show C++, Rust, D and Java names as written"),
		OPT_BOOL(0, "demangle-kernel", &o.session.sym.demangle_kernel, "do the same for the kernel"),
		OPT_INCR('v', "verbose", &log_level, "say more: addresses, which symbol files were tried"),
		OPT_BOOL('q', "quiet", &o.text.quiet, "no header lines"),
		REPORT_NOT_BUILT,
		OPT_END(),
	};
	int ret;

	if (read_config(&o, &err))
		return die_err(&err);
	argc = parse_options(argc, argv, options, usage, 0);
	/* -g graph with a blank between, as people have always typed it; else a lone word is a symbol to look for */
	for (; argc && o.bare_chains; o.bare_chains--) {
		if (chain_opts_parse(&o.chain, argv[0], &err))
			return opt_usage_error(options, NULL, usage, "%s", err.msg);
		argc--, argv++;
	}
	if (argc == 1 && !o.view.symbol_filter)
		o.view.symbol_filter = argv[0];
	else if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	ret = session_open(&s, &o.session, &err);
	if (!ret) {
		if (!show_texts(&o, s))
			ret = stat_file_is(s->data) ?
			      err_set(&err, -EINVAL, "%s holds counts, no samples: 'perf stat report' shows them", s->data->path) :
			      show_table(&o, s, &err);
		warn_diag(&s->diag);
		hit_filter_release(&o.filter);
		session_close(s);
	}
	return ret ? die_err(&err) : 0;
}
