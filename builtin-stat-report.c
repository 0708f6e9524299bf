/* perf stat report: what perf stat record has counted, summed up and shown as perf stat does. */
#include "util/base/log.h"
#include "util/cli/builtin.h"
#include "util/cli/parse-options.h"
#include "util/pmu/parse-events.h"
#include "util/stat/stat-file.h"
#include "builtin-stat.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static const char *const usage[] = { "perf stat report [<options>]", NULL };

#define MODE_OF_FILE ((enum aggr_mode)-1)

/* whether the file knows what the mode tells apart */
static bool has_places(const struct stat_file *f, enum aggr_mode mode)
{
	for (u32 i = 0; i < f->counts.nr_cpus; i++) {
		const struct cpu_location *p = &f->place[i];
		const s32 id[] = { [AGGR_GLOBAL] = 0, [AGGR_NONE] = p->cpu, [AGGR_SOCKET] = p->socket,
				   [AGGR_DIE] = p->die, [AGGR_CLUSTER] = p->cluster, [AGGR_CACHE] = p->cache,
				   [AGGR_CORE] = p->core, [AGGR_NODE] = p->node, [AGGR_THREAD] = 0 };

		if (id[mode] >= 0)
			return true;
	}
	return false;
}

/* counts of single CPUs can be added up; counts of tasks on any CPU cannot be split by CPU */
static int check_mode(const struct stat_file *f, enum aggr_mode mode, struct err *err)
{
	bool cpus = f->counts.cpu[0] >= 0 || f->counts.nr_cpus > 1, threads = f->counts.tid[0] >= 0;

	if (mode == AGGR_GLOBAL)
		return 0;
	if (mode == AGGR_THREAD && !threads)
		return err_set(err, -EINVAL,
			       "%s holds counts of whole CPUs, not of threads: leave out --per-thread",
			       f->data->path);
	if (mode != AGGR_THREAD && !cpus)
		return err_set(err, -EINVAL, "%s holds counts of tasks, not of CPUs: only --per-thread can "
			       "separate them ('perf stat record -a' counts each CPU)", f->data->path);
	if (!has_places(f, mode))
		return err_set(err, -EINVAL, "%s has no CPU topology: "
			       "its counts can be shown only per CPU (-A) or as totals", f->data->path);
	return 0;
}

/* the mode that was asked for here, or else when it was recorded, as far as the file knows what that needs */
static int settle_mode(struct stat_args *a, const struct stat_file *f, struct err *err)
{
	struct stat_show_opts *s = &a->o.show;

	if (a->no_aggr) {
		s->mode = AGGR_NONE;
		s->no_merge = true;
	}
	if (s->mode != MODE_OF_FILE)
		return check_mode(f, s->mode, err);
	s->mode = f->config.mode;
	if (!check_mode(f, s->mode, err))
		return 0;
	if (s->mode != AGGR_NONE)
		log_warn_err(err);
	s->mode = AGGR_GLOBAL;
	return 0;
}

static void settle(struct stat_args *a, const struct stat_file *f)
{
	struct stat_show_opts *s = &a->o.show;

	s->intervals = f->config.interval_ms > 0;
	s->no_scale = a->scale_given ? !a->scale : f->config.no_scale;
	s->title = f->title;
	s->place = f->place;
	s->comm = f->comm;
	s->cgroup = f->cgroup;
	if (f->cgroups_unknown) {
		log_warn("%s does not say which control groups its events were limited to: "
			 "no metrics are derived from them", f->data->path);
		s->no_derive = true;
	}
	stat_choose_output(a);
	stat_output_hints(a, s->intervals);
}

static int show_rounds(struct stat_show *show, const struct stat_show_opts *s, struct stat_file *f,
		       struct err *err)
{
	struct stat_times times = { 0 };
	struct stat_round round;
	bool any = false;
	int ret = 0;

	while (!ret && stat_file_next(f, &round) > 0) {
		any = true;
		times = (struct stat_times){ round.time_ns, round.user_ns, round.sys_ns, round.has_times };
		if (s->intervals)
			ret = stat_show_interval(show, &f->counts, round.time_ns, round.time_ns, err);
		else if (round.last)
			break;
	}
	if (!ret && !any)
		ret = err_set(err, -EINVAL,
			      "%s ends before its first round of counts: the recorder was killed",
			      f->data->path);
	if (ret)
		return ret;
	stat_show_run_end(show, &f->counts, &times);
	if (!s->intervals || s->summary)
		ret = stat_show_table(show, err);
	return ret ? ret : stat_show_finish(show, err);
}

/* how many events there are before they are repeated for the next control group */
static u32 events_of_a_group(const struct stat_file *f)
{
	u32 nr = f->set->ev.nr, n = 1;

	while (f->cgroup && n < nr && f->cgroup[n] && f->cgroup[0] && !strcmp(f->cgroup[n], f->cgroup[0]))
		n++;
	for (u32 i = n; f->cgroup && i < nr; i++)
		if (nr % n || strcmp(evset_at(f->set, i)->name, evset_at(f->set, i - n)->name))
			return nr;
	return f->cgroup ? n : nr;
}

/* metrics by name are made of what the file has */
static int bind_metrics(struct stat_args *a, const struct stat_file *f, const struct target *target,
			struct stat_metrics **ret, struct err *err)
{
	const struct parse_events_opts parse = { .option = "-M", .tables = &a->tables };
	struct stat_metrics_opts *m = &a->o.metrics;
	int res = stat_settle_metrics(a, &parse, err);

	m->target = target;
	if (!res && f->cgroups_unknown && (m->list || m->topdown))
		res = err_set(err, -EINVAL, "%s does not say which control groups its events were limited "
			      "to: no metrics can be computed from them", f->data->path);
	if (!res)
		res = stat_metrics_bind(ret, f->set, events_of_a_group(f), m, err);
	m->parse = NULL;
	return res;
}

static int report(struct stat_args *a, const struct data_opts *data, struct err *err)
{
	struct target target = { .kind = TARGET_TASKS };
	struct stat_metrics *plan = NULL;
	struct stat_file f;
	struct stat_show *show;
	int ret = stat_file_open(&f, data, err);

	if (ret)
		return ret;
	if (a->o.cache_level && a->o.cache_level != f.config.cache_level)
		stat_locations_of_features(f.place, &f.counts, &f.data->feat, a->o.cache_level);
	if (f.counts.cpu[0] >= 0)
		target.kind = TARGET_SYSTEM;
	ret = settle_mode(a, &f, err);
	if (!ret)
		ret = bind_metrics(a, &f, &target, &plan, err);
	if (!ret)
		ret = stat_open_output(a, err);
	settle(a, &f);
	a->o.show.plan = plan;
	if (!ret) {
		show = stat_show_new(&a->o.show, f.set);
		ret = show_rounds(show, &a->o.show, &f, err);
		stat_show_free(show);
		lines_printer_release(&a->printer);
		stat_close_output(a);
	}
	stat_metrics_free(plan);
	warn_diag(&f.diag);
	stat_file_close(&f);
	return ret;
}

int cmd_stat_report(int argc, const char **argv)
{
	struct stat_args args = STAT_ARGS_INIT, *a = &args;
	struct stat_opts *o = &a->o;
	struct stat_show_opts *s = &o->show;
	struct lines_opts *y = &a->look;
	struct data_opts data = { .live = true };
	const struct option opts[] = {
		OPT_BOOL('A', "no-aggr", &a->no_aggr, "print one line per CPU and per PMU of an event"),
		{ .type = OPT_BOOL_T, .short_name = 'B', .long_name = "big-num", .value = &y->big_num,
		  .config = "stat.big-num",
		  .help = "print thousands separators in large numbers (the default)",
		  .set = &a->big_num_given },
		OPT_BOOL('f', "force", &data.force, "read the file even if it belongs to another user"),
		OPT_STRING('i', "input", &data.path, "file", "read this file of counts (default: perf.data)"),
		OPT_CALLBACK_FLAG('j', "json-output", a, "print JSON, one object per line", stat_cb_json),
		OPT_CALLBACK('M', "metrics", &a->metric_list, "metric/metric group list",
			     "print these metrics, computed from the counts in the file", stat_cb_metrics),
		OPT_STRING('o', "output", &a->output, "file", "write to this file instead of standard error"),
		OPT_INCR('v', "verbose", &log_level, "print more messages"),
		OPT_STRING('x', "field-separator", &y->separator, "separator",
			   "print columns separated by this string (CSV)"),
		OPT_BOOL(0, "append", &a->append, "append to the output file"),
		OPT_STRING(0, "event-table", &a->tables.dir, "dir",
			   "read vendor metric tables from this directory"),
		OPT_BOOL(0, "header", &y->titles, "print a first line with the column names (with -x)"),
		OPT_BOOL(0, "hide-zero-events", &s->hide_zero, "hide events with a count of zero"),
		{ .type = OPT_CALLBACK_T, .long_name = "json", .value = a, .arg_help = "lines|doc",
		  .callback = stat_cb_json, .flags = OPT_OPTARG | OPT_NONEG, .defval = "lines",
		  .help = "print JSON: one object per line, or one document" },
		{ .type = OPT_BOOL_T, .long_name = "metric-only", .value = &s->metric_only,
		  .set = &a->metric_only_given,
		  .help = "print only metrics, not counts (default with --topdown)" },
		{ .type = OPT_BOOL_T, .long_name = "no-csv-summary", .value = &y->plain_summary,
		  .config = "stat.no-csv-summary", .set = &a->no_csv_summary_given,
		  .help = "do not start summary lines with the word summary (with -x --summary)" },
		OPT_BOOL(0, "no-merge", &s->no_merge,
			 "print events with the same name on several PMUs separately"),
		OPT_CALLBACK_OPTARG(0, "per-cache", o, "L1..L9",
				    "aggregate counts per cache (last level, or this one)", stat_cb_cache,
				    NULL),
		OPT_CALLBACK_FLAG(0, "per-cluster", s, "aggregate counts per cluster of CPUs", stat_cb_aggr),
		OPT_CALLBACK_FLAG(0, "per-core", s, "aggregate counts per core", stat_cb_aggr),
		OPT_CALLBACK_FLAG(0, "per-die", s, "aggregate counts per die", stat_cb_aggr),
		OPT_CALLBACK_FLAG(0, "per-node", s, "aggregate counts per NUMA node", stat_cb_aggr),
		OPT_CALLBACK_FLAG(0, "per-socket", s, "aggregate counts per socket", stat_cb_aggr),
		OPT_CALLBACK_FLAG(0, "per-thread", s, "print one line per thread", stat_cb_aggr),
		{ .type = OPT_BOOL_T, .long_name = "scale", .value = &a->scale, .set = &a->scale_given,
		  .help = "scale counts of multiplexed events to the whole time (as recorded)" },
		OPT_BOOL(0, "summary", &s->summary, "print the totals at the end, for files with intervals"),
		{ .type = OPT_UINT_T, .long_name = "td-level", .value = &o->metrics.td_level, .arg_help = "n",
		  .set = &a->td_level_given, .help = "level of the top-down metrics (default: 1)" },
		OPT_BOOL(0, "topdown", &o->metrics.topdown,
			 "print top-down metrics, computed from the counts in the file"),
		OPT_END()
	};
	struct err err = ERR_INIT;
	const char *why;
	int ret;

	s->mode = MODE_OF_FILE;
	argc = parse_options(argc, argv, opts, usage, 0);
	if (argc)
		return opt_usage_error(opts, NULL, usage,
				       "'%s': stat report takes no arguments; the file is named with -i",
				       argv[0]);
	why = stat_output_conflict(a, s->mode != MODE_OF_FILE);
	if (why)
		return opt_usage_error(opts, NULL, usage, "%s", why);
	ret = report(a, &data, &err);
	strbuf_release(&a->metric_list);
	table_source_release(&a->tables);
	return ret ? die_err(&err) : 0;
}
