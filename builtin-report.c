/* perf report: where the samples fell. Options, then open, count, show. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ui/text.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/cli/builtin.h"
#include "util/cli/pager.h"
#include "util/cli/parse-options.h"
#include "util/cli/progress.h"
#include "util/hist/hist.h"
#include "util/hist/report-view.h"
#include "util/hist/sort-order.h"
#include "util/session/session.h"

#define MAX_WIDTHS 32

struct report_opts {
	struct session_opts session;
	struct sort_spec sort;
	struct chain_opts chain;
	struct report_view_opts view;
	struct text_opts text;
	u32 widths[MAX_WIDTHS];
	bool no_chain, inverted, children, stdio, hide_unresolved;
	bool header, header_only, full_info, dump, stats, tasks, mmaps;
	unsigned int max_stack;
};

static const char *const usage[] = { "perf report [<options>]", NULL };

static int parse_chain(const struct option *opt, const char *arg, bool unset)
{
	struct report_opts *o = opt->value;
	struct err err = ERR_INIT;

	o->no_chain = unset;
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

static int parse_time_quantum(const struct option *opt, const char *arg, bool unset)
{
	if (unset)
		field_time_quantum = 0;
	else if (parse_duration(arg, 1000000, &field_time_quantum) || !field_time_quantum)
		return opt_error(opt, "'%s' is not a time (10ms, 500us, 1s)", arg);
	return 0;
}

static bool has_callchains(const struct session *s)
{
	vec_foreach(&s->data->evset->ev, ev)
		if ((*ev)->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
			return true;
	return false;
}

static void choose_chains(struct report_opts *o, const struct session *s, struct hist_opts *ho)
{
	ho->chain = o->chain;
	ho->max_stack = o->max_stack;
	ho->chains = !o->no_chain && has_callchains(s);
	ho->children = ho->chains && o->children;
	ho->chain.caller = o->inverted || (o->chain.caller_set ? o->chain.caller : ho->children);
	o->text.graph = ho->chains ? (enum graph_mode)o->chain.mode : GRAPH_NONE;
	o->text.value = (enum graph_value)o->chain.value;
	o->text.graph_limit = o->chain.print_limit;
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

static int show_table(struct report_opts *o, struct session *s, struct err *err)
{
	struct hist_opts ho = { .verbose = log_level };
	struct sort_order order;
	struct hist *h;
	struct view *v;
	int ret;

	choose_chains(o, s, &ho);
	o->sort.children = ho.children;
	ret = sort_order_parse(&order, &o->sort, err);
	if (ret)
		return ret;
	choose_keys(&order, &ho);
	ho.progress = progress_update;
	progress_begin("counting samples");
	h = hist_collect(s, &ho);
	progress_end();
	o->view.order = &order;
	o->view.verbose = log_level;
	o->view.no_widths = o->text.separator != 0;
	o->text.pool = s->pool;
	v = report_view(h, &o->view);
	ret = text_show(v, &o->text, stdout);
	view_free(v);
	hist_free(h);
	return ret == -EPIPE ? 0 : ret;
}

int cmd_report(int argc, const char **argv)
{
	struct report_opts o = {
		.sort = { .default_sort = "comm,dso,symbol" }, .chain = CHAIN_OPTS_INIT, .children = true,
		.max_stack = 127, .session = { .sym = SYM_OPTS_INIT },
	};
	struct session *s;
	struct err err = ERR_INIT;
	const struct option options[] = {
		OPT_STRING('i', "input", &o.session.data.path, "file", "input file name"),
		OPT_BOOL('f', "force", &o.session.data.force, "open a file that belongs to someone else"),
		OPT_STRING('s', "sort", &o.sort.sort, "key[,key2...]", "make rows by these keys"),
		OPT_STRING('F', "fields", &o.sort.fields, "key[,key2...]", "show these columns"),
		OPT_CALLBACK_OPTARG('g', "call-graph", &o, "mode[,min[,limit[,order[,key]]]]",
				    "show call graphs: graph flat fractal folded none, threshold in %, lines per row, "
				    "caller or callee, function or address, percent period or count", parse_chain, NULL),
		OPT_BOOL('G', "inverted", &o.inverted, "call graphs from the outermost caller"),
		OPT_BOOL(0, "children", &o.children, "add what callees used to their callers"),
		OPT_UINT(0, "max-stack", &o.max_stack, "n", "look at so many frames of a call chain"),
		OPT_BOOL('n', "show-nr-samples", &o.sort.show_nr, "show the number of samples"),
		OPT_BOOL(0, "show-total-period", &o.sort.show_total_period, "show the sum of the periods"),
		OPT_BOOL(0, "show-cpu-utilization", &o.sort.show_cpu_utilization, "show shares in kernel and user space"),
		OPT_CALLBACK('t', "field-separator", &o, "separator", "separate columns by this, do not pad",
			     parse_separator),
		OPT_CALLBACK('w', "column-widths", &o, "width[,width...]", "widths of the columns", parse_widths),
		OPT_CALLBACK(0, "percent-limit", &o, "percent", "leave out rows below this", parse_percent_limit),
		OPT_CALLBACK(0, "percentage", &o, "relative|absolute", "shares of what filters keep, or of everything",
			     parse_percentage),
		OPT_STRING(0, "symbol-filter", &o.view.symbol_filter, "text", "only symbols with this in their name"),
		OPT_CALLBACK(0, "time-quantum", &o, "time", "steps of the sort key time (default 100ms)",
			     parse_time_quantum),
		OPT_BOOL(0, "skip-empty", &o.view.hide_empty, "leave out events without samples"),
		OPT_BOOL(0, "stdio", &o.stdio, "plain text"),
		OPT_UINT('j', "jobs", &o.session.jobs, "n", "threads (default: one per CPU)"),
		OPT_STRING('k', "vmlinux", &o.session.sym.vmlinux, "file", "kernel image with symbols"),
		OPT_STRING(0, "kallsyms", &o.session.sym.kallsyms, "file", "kernel symbols in this file"),
		OPT_STRING(0, "symfs", &o.session.sym.symfs, "directory[,flat]", "look for programs and libraries below it"),
		OPT_BOOL('m', "modules", &o.session.sym.use_modules, "load module symbols (with -k)"),
		OPT_BOOL(0, "ignore-vmlinux", &o.session.sym.ignore_vmlinux, "do not look for a vmlinux"),
		OPT_BOOL(0, "demangle", &o.session.sym.demangle, "show C++, Rust, D and Java names as written"),
		OPT_BOOL(0, "demangle-kernel", &o.session.sym.demangle_kernel, "do the same for the kernel"),
		OPT_INCR('v', "verbose", &log_level, "say more: addresses, which symbol files were tried"),
		OPT_BOOL('q', "quiet", &o.text.quiet, "no header lines"),
		OPT_END(),
	};
	int ret;

	argc = parse_options(argc, argv, options, usage, 0);
	if (argc)
		return opt_usage_error(options, NULL, usage, "unexpected argument '%s'", argv[0]);
	ret = session_open(&s, &o.session, &err);
	if (!ret) {
		ret = show_table(&o, s, &err);
		warn_diag(&s->diag);
		session_close(s);
	}
	return ret ? die_err(&err) : 0;
}
