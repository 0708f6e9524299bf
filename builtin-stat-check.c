/* perf stat: options that do not go together, and those that have no effect where they are. */
#include "util/base/log.h"
#include "builtin-stat.h"

#include <string.h>
#include <unistd.h>

struct conflict {
	bool wrong;
	const char *why;
};

static const char *first_wrong(const struct conflict *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (rows[i].wrong)
			return rows[i].why;
	return NULL;
}

/* what stands in numbers and around quoted names cannot separate them. NULL (no -x) fits */
static bool separator_fits(const char *s)
{
	return !s || (*s && !strpbrk(s, "0123456789.\"\n"));
}

const char *stat_output_conflict(const struct stat_args *a, bool summed_up)
{
	const struct conflict rows[] = {
		{ !separator_fits(a->look.separator),
		  "-x needs a separator that cannot occur in a number, such as -x, or -x'\\t'" },
		{ a->json_doc && a->metric_only_given && a->o.show.metric_only,
		  "--json=doc prints counts together with metrics: leave out --metric-only" },
		{ a->look.separator && a->json,
		  "-x and -j are two formats: choose one" },
		{ a->look.separator && a->big_num_given && a->look.big_num,
		  "-B prints thousands separators, which the columns of -x cannot have" },
		{ a->no_aggr && summed_up,
		  "-A and --per-socket, --per-core, ... are different ways to aggregate: choose one" },
		{ a->td_level_given && !a->o.metrics.td_level,
		  "--td-level: the first level is 1" },
		{ a->look.titles && !a->look.separator,
		  "--header names the columns of -x: give a separator, -x," },
	};

	return first_wrong(rows, ARRAY_SIZE(rows));
}

const char *stat_conflict(const struct stat_args *a, bool command)
{
	const struct target_opts *t = &a->o.counting.observe.target;
	bool tasks = t->pids || t->tids || t->user, whole_cpus = t->all_cpus || t->cpus;
	bool elsewhere = a->output || a->log_fd_given || a->look.separator || a->json ||
			 !isatty(STDERR_FILENO);
	bool by_cpu = a->no_aggr || (a->o.show.mode != AGGR_GLOBAL && a->o.show.mode != AGGR_THREAD);
	bool own_events = a->o.counting.observe.set->ev.nr || a->metric_list.len || a->o.metrics.topdown ||
			  a->o.metrics.transaction || a->o.metrics.smi_cost || a->o.null_run || a->o.detail;
	const struct conflict rows[] = {
		{ a->iostat && own_events,
		  "--iostat counts events of its own: leave out -e, -M, -d and the like" },
		{ a->iostat && (tasks || t->cpus || a->o.cgroups.nr || a->o.for_each_cgroup),
		  "--iostat counts on the whole machine: leave out -p, -t, -u, -C and control groups" },
		{ a->iostat && (a->no_aggr || a->o.show.mode != AGGR_GLOBAL),
		  "--iostat aggregates by port: leave out -A and --per-socket, --per-core, ..." },
		{ a->iostat && (a->record || a->json_doc),
		  "--iostat cannot write a file of counts or a JSON document: use -j or -x" },
		{ a->wall && (own_events || a->iostat || a->o.cgroups.nr || a->o.for_each_cgroup ||
			      t->cpus || t->user),
		  "--wall counts no events, and follows a command, -p, -t or -a: "
		  "leave out -e, -M, -d, -C, -G, -u" },
		{ a->wall && (a->record || a->json || a->json_doc || a->look.separator || a->o.repeat != 1),
		  "--wall prints tables of one run: leave out record, -j, -x and -r" },
		{ a->wall && (a->delay_ms || a->o.counting.observe.control),
		  "--wall counts from the start to the end: leave out -D and --control" },
		{ a->wall && (a->o.counting.pre || a->o.counting.post || a->o.counting.sync ||
			      a->o.counting.all_kernel || a->o.counting.all_user || a->o.show.summary),
		  "--wall has nothing to do with --pre, --post, --sync, --all-kernel, --all-user "
		  "and --summary" },
		{ a->output && a->log_fd_given,
		  "-o and --log-fd both say where to write: choose one" },
		{ a->log_fd_given && a->log_fd < 0,
		  "--log-fd needs the number of an open descriptor" },
		{ a->record && a->o.repeat != 1,
		  "a file of counts holds one run: leave out -r" },
		{ a->record && a->append,
		  "--append is for text: record writes its file anew" },
		{ a->o.repeat < 0,
		  "-r needs a number of runs, or 0 for no end" },
		{ a->o.repeat != 1 && !command,
		  "-r repeats a command: there is none" },
		{ a->interval_given && !a->o.counting.observe.interval_ms,
		  "-I needs an interval of at least 1 ms" },
		{ a->o.counting.observe.interval_count && !a->o.counting.observe.interval_ms,
		  "--interval-count needs intervals (-I)" },
		{ a->look.clear && !a->o.counting.observe.interval_ms,
		  "--interval-clear needs intervals (-I)" },
		{ a->look.clear && elsewhere,
		  "--interval-clear clears the screen of a terminal: "
		  "leave it out when the counts go elsewhere" },
		{ a->o.counting.observe.interval_count && a->o.counting.observe.timeout_ms,
		  "--interval-count and --timeout both say when to end: choose one" },
		{ a->o.show.mode == AGGR_THREAD && !tasks && !t->all_cpus && command && !a->wall,
		  "--per-thread needs threads that exist: -p, -t, -u or -a" },
		{ by_cpu && !whole_cpus && (command || tasks),
		  "-A and --per-socket, --per-core, ... show whole CPUs: add -a or -C" },
		{ a->o.counting.all_kernel && a->o.counting.all_user,
		  "--all-kernel and --all-user leave nothing to count: choose one" },
		{ a->o.null_run && (a->o.counting.observe.set->ev.nr || a->metric_list.len),
		  "--null counts nothing: leave out -e and -M" },
		{ a->look.runs && a->o.repeat == 1,
		  "--table shows repeated runs: use it with -r" },
		{ a->look.runs && (a->look.separator || a->json ||
				   (a->o.counting.observe.interval_ms && !a->o.show.summary)),
		  "--table needs the text output: leave out -x and -j, and add --summary to -I" },
	};
	const char *why = first_wrong(rows, ARRAY_SIZE(rows));

	return why ? why : stat_output_conflict(a, a->o.show.mode != AGGR_GLOBAL);
}

struct hint {
	bool so;
	const char *text;
};

/* where lines for machines go to standard error, nothing else may */
static void say(const struct stat_args *a, const struct hint *rows, size_t nr)
{
	if ((a->look.separator || a->json) && !a->output && !a->log_fd_given)
		return;
	for (size_t i = 0; i < nr; i++)
		if (rows[i].so)
			log_warn("%s", rows[i].text);
}

void stat_output_hints(const struct stat_args *a, bool intervals)
{
	const struct hint rows[] = {
		{ a->td_level_given && !a->o.metrics.topdown,
		  "--td-level chooses among the metrics of --topdown: without that it has no effect" },
		{ a->o.show.summary && !intervals && !a->look.separator,
		  "--summary has no effect without intervals (-I)" },
		{ a->no_csv_summary_given && !a->o.show.summary,
		  "--no-csv-summary has no effect without --summary" },
		{ a->append && !a->output,
		  "--append has no effect without a file (-o)" },
	};

	say(a, rows, ARRAY_SIZE(rows));
}

static bool any_percore(const struct evset *set)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->term_flags & EVENT_TERM_PERCORE)
			return true;
	return false;
}

void stat_hints(const struct stat_args *a)
{
	const struct stat_opts *o = &a->o;
	const struct stat_metrics_opts *m = &o->metrics;
	bool metrics = a->metric_list.len || m->topdown || m->transaction;
	const struct hint rows[] = {
		{ (m->no_group || m->no_merge || m->no_threshold) && !metrics,
		  "--metric-no-group, --metric-no-merge and --metric-no-threshold have no effect without "
		  "metrics by name (-M)" },
		{ o->detail && (metrics || o->null_run),
		  "-d extends the default events: with -M, --topdown, -T or --null it has no effect" },
		{ a->hybrid_merge && (o->show.no_merge || a->no_aggr),
		  "--hybrid-merge has no effect with --no-merge and -A" },
		{ o->show.percore_show_thread && (!a->no_aggr || !any_percore(o->counting.observe.set)),
		  "--percore-show-thread has no effect without -A and an event with the term percore" },
		{ a->old_scale,
		  "-c is called --scale now, and is the default" },
		{ a->group,
		  "-g is not needed any more: braces make a group, -e '{a,b}'" },
	};

	if (a->o.counting.observe.interval_ms && a->o.counting.observe.interval_ms < 10)
		log_warn("intervals below 10 ms have a high overhead: they slow down the measured program");
	say(a, rows, ARRAY_SIZE(rows));
	stat_output_hints(a, a->o.counting.observe.interval_ms);
}
