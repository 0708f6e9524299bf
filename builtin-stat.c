/* perf stat: options, wiring, exit status. */
#include "util/base/alloc.h"
#include "util/base/log.h"
#include "util/cli/build-features.h"
#include "util/cli/builtin.h"
#include "util/cli/config.h"
#include "util/cli/parse-options.h"
#include "util/pmu/parse-events.h"
#include "util/pmu/parse-pfm.h"
#include "util/probe/once.h"
#include "util/stat/iostat.h"
#include "util/stat/stat-file.h"
#include "builtin-stat.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const usage[] = {
	"perf stat [<options>] [<command>]",
	"perf stat [<options>] -- <command> [<options>]",
	"perf stat [<options>] record [<options>] <command>",
	"perf stat report [<options>]",
	NULL
};

static int cb_events(const struct option *opt, const char *arg, bool unset)
{
	struct stat_args *a = opt->value;
	const struct parse_events_opts o = { .option = "-e", .counting = true, .tables = &a->tables };
	struct err err = ERR_INIT;

	a->last_event = a->o.counting.observe.set->ev.nr;
	if (parse_events(a->o.counting.observe.set, arg, &o, &err) < 0)
		return opt_err(opt, &err);
	return 0;
}

static int cb_pfm_events(const struct option *opt, const char *arg, bool unset)
{
	struct stat_args *a = opt->value;
	struct err err = ERR_INIT;

	a->last_event = a->o.counting.observe.set->ev.nr;
	return parse_pfm_events(a->o.counting.observe.set, arg, &err) < 0 ? opt_err(opt, &err) : 0;
}

static int cb_filter(const struct option *opt, const char *arg, bool unset)
{
	struct stat_args *a = opt->value;
	struct evset *set = a->o.counting.observe.set;
	struct err err = ERR_INIT;

	if (parse_filter(set, a->last_event, arg, &err) < 0)
		return opt_err(opt, &err);
	for (u32 i = a->last_event; i < set->ev.nr; i++)
		if (evset_at(set, i)->bpf_filter)
			return opt_error(opt, "'%s' is counted without samples: only tracepoints can be "
					 "filtered", evset_at(set, i)->name);
	return 0;
}

/*
 * "a,b": each earlier event without a group gets the next name, the remaining events the last one; an empty
 * name means no group
 */
static int cb_cgroup(const struct option *opt, const char *arg, bool unset)
{
	struct stat_args *a = opt->value;
	size_t nr = a->o.counting.observe.set->ev.nr;

	/* -M names events that are not known yet: they take the last group */
	if (!nr && a->metric_list.len)
		nr = 1;
	if (a->o.cgroups.nr >= nr)
		return opt_error(opt, "-G needs events before it: -e EVENTS -G %s", arg);
	event_cgroups_add(&a->o.cgroups, arg, nr);
	return 0;
}

int stat_cb_json(const struct option *opt, const char *arg, bool unset)
{
	struct stat_args *a = opt->value;

	a->json = true;
	a->json_doc = arg && !strcmp(arg, "doc");
	if (arg && !a->json_doc && strcmp(arg, "lines"))
		return opt_error(opt, "'%s' is neither 'lines' nor 'doc'", arg);
	return 0;
}

int stat_cb_metrics(const struct option *opt, const char *arg, bool unset)
{
	struct strbuf *list = opt->value;

	if (!*arg)
		return opt_error(opt, "a metric is expected: 'perf list metric metricgroup' lists them");
	strbuf_addf(list, "%s%s", list->len ? "," : "", arg);
	return 0;
}

int stat_cb_aggr(const struct option *opt, const char *arg, bool unset)
{
	static const struct {
		const char *name;
		enum aggr_mode mode;
	} modes[] = {
		{ "per-socket", AGGR_SOCKET }, { "aggr-socket", AGGR_SOCKET }, { "per-die", AGGR_DIE },
		{ "per-cluster", AGGR_CLUSTER }, { "per-core", AGGR_CORE }, { "per-node", AGGR_NODE },
		{ "per-thread", AGGR_THREAD },
	};
	struct stat_show_opts *s = opt->value;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if (!strcmp(modes[i].name, opt->long_name))
			s->mode = modes[i].mode;
	if (!strcmp(opt->long_name, "aggr-socket"))
		log_warn("--aggr-socket is called --per-socket now");
	return 0;
}

int stat_cb_cache(const struct option *opt, const char *arg, bool unset)
{
	struct stat_opts *o = opt->value;

	o->show.mode = unset ? AGGR_GLOBAL : AGGR_CACHE;
	o->cache_level = 0;
	if (!arg)
		return 0;
	if ((arg[0] != 'L' && arg[0] != 'l') || arg[1] < '1' || arg[1] > '9' || arg[2])
		return opt_error(opt, "'%s' is not a level of caches: L1, L2, L3, ...", arg);
	o->cache_level = arg[1] - '0';
	return 0;
}

/* the rows are in builtin-stat.def */
static void fill_options(struct stat_args *a, struct option *opts)
{
	struct stat_opts *o = &a->o;
	struct counting_opts *k = &o->counting;
	struct observe_opts *w = &k->observe;
	struct target_opts *t = &w->target;
	struct stat_show_opts *s = &o->show;
	struct lines_opts *y = &a->look;
	struct stat_metrics_opts *m = &o->metrics;
	const struct option rows[] = {
#include "builtin-stat.def"
		OPT_END()
	};

	_Static_assert(ARRAY_SIZE(rows) <= STAT_OPTIONS_MAX, "STAT_OPTIONS_MAX is too small");
	memcpy(opts, rows, sizeof(rows));
}

int stat_open_output(struct stat_args *a, struct err *err)
{
	char when[64];
	time_t now = time(NULL);
	struct tm tm;
	int fd = STDERR_FILENO;

	if (a->log_fd_given) {
		fd = a->log_fd;
		if (fcntl(fd, F_GETFD) < 0)
			return err_sys(err, errno, "--log-fd %d", fd);
	} else if (a->output && !a->record) {
		/* what a shell has redirected keeps its place in the file */
		fd = !strcmp(a->output, "/dev/stdout") ? STDOUT_FILENO :
		     !strcmp(a->output, "/dev/stderr") ? STDERR_FILENO :
		     open(a->output, O_WRONLY | O_CREAT | O_CLOEXEC | (a->append ? O_APPEND : O_TRUNC), 0666);
		if (fd < 0)
			return err_sys(err, errno, "cannot write to %s", a->output);
		strftime(when, sizeof(when), "%a %b %e %H:%M:%S %Y", localtime_r(&now, &tm));
		if (!a->json)	/* a parser would stumble */
			dprintf(fd, "# started on %s\n\n", when);
	}
	a->fd = fd;
	return 0;
}

void stat_close_output(const struct stat_args *a)
{
	if (a->output && !a->log_fd_given && a->fd > STDERR_FILENO)
		close(a->fd);
}

/* the format, and "\t" as people type it */
void stat_choose_output(struct stat_args *a)
{
	const char *format = a->json_doc ? "json" : a->json ? "json-lines" : a->look.separator ? "separated" :
			     "text";

	if (a->look.separator && !strcmp(a->look.separator, "\\t"))
		a->look.separator = "\t";
	a->look.color = isatty(a->fd);
	/* the document has counts and metrics side by side */
	a->o.show.metric_only &= !a->json_doc;
	lines_printer_init(&a->printer, lines_format_find(format), &a->look, a->fd);
	a->o.show.sink = &a->printer.sink;
}

/* tables are read only for metrics that were asked for by name */
int stat_settle_metrics(struct stat_args *a, const struct parse_events_opts *parse, struct err *err)
{
	struct stat_metrics_opts *m = &a->o.metrics;

	if ((m->topdown || m->smi_cost) && !a->metric_only_given)
		a->o.show.metric_only = true;
	m->parse = parse;
	if (!a->metric_list.len && !m->topdown && !m->transaction && !a->tables.dir)
		return 0;
	m->list = a->metric_list.len ? a->metric_list.buf : NULL;
	m->table = table_source_get(&a->tables, err);
	return m->table ? 0 : err->code;
}

/* --iostat: which ports, or their names on standard output: then true in *ret_done */
static int settle_ports(struct stat_args *a, struct iostat *io, bool *ret_done, struct err *err)
{
	struct stat_show_opts *s = &a->o.show;
	bool list = !strcmp(a->iostat, "list");
	struct strbuf text = STRBUF_INIT;
	int ret = iostat_init(io, *a->iostat && !list ? a->iostat : NULL, err);

	if (ret)
		return ret;
	*ret_done = list;
	if (list)
		iostat_list(io, &text);
	fputs(strbuf_str(&text), stdout);
	strbuf_release(&text);
	a->o.iostat = io;
	a->o.counting.observe.target.all_cpus = true;
	s->iostat = io;
	s->mode = AGGR_DIE;
	s->no_merge = s->no_derive = s->metric_only = true;
	return 0;
}

/* what follows from several options together */
static void settle(struct stat_args *a)
{
	struct stat_opts *o = &a->o;
	struct observe_opts *w = &o->counting.observe;
	struct target_opts *t = &w->target;
	bool tasks = t->pids || t->tids || t->user;

	if (a->no_aggr) {
		o->show.mode = AGGR_NONE;
		o->show.no_merge = true;
	}
	/* events after -G belong to no control group */
	while (o->cgroups.nr && o->cgroups.nr < w->set->ev.nr)
		vec_push(&o->cgroups, NULL);
	/* one descriptor follows a task over all CPUs; only whole CPUs need one each */
	t->all_threads = o->show.mode == AGGR_THREAD && !tasks && !a->wall;
	t->per_thread = tasks || (w->argv && !t->all_cpus && !t->cpus);
	w->start_disabled = a->delay_ms < 0;
	w->repeats = o->repeat != 1;
	if (a->delay_ms > 0)
		vec_push(&w->delay, (struct delay_range){ .on_ns = a->delay_ms * 1000000ull });
	o->show.no_scale = !a->scale;
	stat_choose_output(a);
	stat_hints(a);
}

static int exit_status(const struct counting_result *r, int ret, const struct err *err, bool command)
{
	if (ret < 0) {
		die_err(err);
		return !command ? 1 : r->exec_failed ? 255 : r->exit_status ? r->exit_status : 1;
	}
	if (r->signal && !(command && r->exit_status)) {
		/* say so to the shell */
		signal(r->signal, SIG_DFL);
		raise(r->signal);
	}
	return command ? r->exit_status : 0;
}

/*
 * "stat [options] record [options] command": record is in the place of the command; after "--" the same word
 * is a command. Returns the number of arguments from the command on.
 */
static int parse_all(struct stat_args *a, struct option *opts, int argc, const char **argv)
{
	static const char *const words[] = { "record", "report", NULL };
	const u32 flags = PARSE_STOP_AT_NON_OPTION | PARSE_KEEP_DASHDASH;
	int left = parse_options_sub(argc, argv, opts, words, usage, flags);

	if (left > 0 && !strcmp(argv[0], "record")) {
		a->record = true;
		left = parse_options(left, argv, opts, usage, flags);
	}
	if (left > 0 && !strcmp(argv[0], "--")) {
		memmove(argv, argv + 1, left * sizeof(*argv));
		left--;
	}
	return left;
}

static int run(struct stat_args *a, const struct stat_writer_origin *origin, struct counting_result *res,
	       struct err *err)
{
	const struct parse_events_opts parse = { .option = "-M", .tables = &a->tables };
	struct iostat ports = { 0 };
	bool done = false;
	int ret = a->iostat ? settle_ports(a, &ports, &done, err) : 0;

	if (!ret && !done)
		ret = stat_open_output(a, err);
	if (!ret && !done)
		ret = stat_settle_metrics(a, &parse, err);
	if (!ret && !done) {
		settle(a);
		ret = a->wall ? stat_wall_run(a, res, err) :
		      a->record ? stat_record_run(a, origin, res, err) :
		      stat_run(&a->o, NULL, res, err);
	}
	stat_close_output(a);
	lines_printer_release(&a->printer);
	iostat_release(&ports);
	return ret;
}

int cmd_stat(int argc, const char **argv)
{
	struct stat_args a = STAT_ARGS_INIT;
	struct option opts[STAT_OPTIONS_MAX];
	struct counting_result res = { 0 };
	struct stat_writer_origin origin = { .argc = argc, .version = build_version() };
	struct err err = ERR_INIT;
	struct probe_once once = PROBE_ONCE_INIT;
	const char *why;
	int left, words, ret;

	if (argc > 1 && !strcmp(argv[1], "report"))
		return cmd_stat_report(argc - 1, argv + 1);
	origin.argv = xmemdup(argv, argc * sizeof(*argv));
	a.o.counting.observe.set = evset_new();
	fill_options(&a, opts);
	words = argc > 1 && !strcmp(argv[1], "record");
	words += options_end(argc - words, argv + words, opts);
	if (probe_once_args(&once, argc, argv, words, &err))
		return die_err(&err);
	left = parse_all(&a, opts, argc, argv);
	if (left > 0)
		a.o.counting.observe.argv = argv;
	a.o.counting.observe.target.has_workload = left > 0;
	why = stat_conflict(&a, left > 0);
	if (why) {
		ret = opt_usage_error(opts, NULL, usage, "%s", why);
	} else {
		ret = run(&a, &origin, &res, &err);
		ret = exit_status(&res, ret, &err, left > 0);
	}
	probe_once_end(&once);
	event_cgroups_release(&a.o.cgroups);
	vec_release(&a.o.counting.observe.delay);
	strbuf_release(&a.metric_list);
	table_source_release(&a.tables);
	evset_free(a.o.counting.observe.set);
	free((void *)origin.argv);
	return ret;
}
