/* Run: settle what is counted, repeat, show. */
#include "stat-run.h"
#include "cgroups.h"
#include "default-events.h"
#include "iostat.h"
#include "pmu-filter.h"
#include "cpu-location.h"
#include "../base/log.h"
#include "../count/freeze-smi.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct stat_runs {
	const struct stat_opts *o;
	const struct stat_listener *listener;
	struct stat_show_opts show_opts;	/* of the options, with what is known of this run */
	struct stat_show *show;
	struct stat_metrics *plan;
	struct stat_cgroups cgroups;
	struct smi_freeze smi;
	struct observer ob;
	const char *const *cgroup;	/* by event; or NULL */
	struct arena arena;
	struct strbuf title;
	struct counting_result *res;
	struct err *err;
	bool opened_once;
	u32 nr_runs;		/* that came to their end */
};

/* --per-cache=L4 where there is no such cache */
static int check_cache(const struct stat_opts *o, const struct cpu_location *place, u32 nr, struct err *err)
{
	for (u32 i = 0; i < nr; i++)
		if (place[i].cache >= 0)
			return 0;
	if (!o->cache_level)
		return err_set(err, -ENOENT,
			       "--per-cache: the kernel does not say which caches these CPUs have");
	return err_set(err, -ENOENT, "--per-cache: none of these CPUs has a cache of level %u",
		       o->cache_level);
}

static int on_opened(void *ctx, struct counting *g, struct err *err)
{
	struct stat_runs *r = ctx;
	const struct counts *c = &g->counts;

	if (!r->opened_once) {
		enum aggr_mode mode = r->o->show.mode;
		bool threads = mode == AGGR_THREAD,
				cpus = c->nr_cpus && c->cpu[0] >= 0 && mode != AGGR_GLOBAL && !threads;
		/* the topology costs a dozen files a CPU: only where it is asked for */
		const struct cpu_location *place = cpus ? places_of_cpus(&r->arena, c->cpu, c->nr_cpus,
									 r->o->cache_level) : NULL;

		if (place && mode == AGGR_CACHE && check_cache(r->o, place, c->nr_cpus, err))
			return err->code;
		stat_show_locations(r->show, place,
				    threads ? comms_of_threads(&r->arena, c->tid, c->nr_threads) : NULL);
		for (char *line = g->notes->len ? g->notes->buf : NULL, *end; line && *line; line = end + 1) {
			end = strchrnul(line, '\n');
			if (!*end)
				break;
			*end = '\0';
			stat_show_note(r->show, line);
		}
	}
	r->opened_once = true;
	return r->listener && r->listener->opened ? r->listener->opened(r->listener->ctx, g, r->cgroup,
									err) : 0;
}

/* -v: sums of each event as read; -vv: each counter */
static void log_counts(const struct counting *g)
{
	const struct counts *c = &g->counts;

	for (u32 e = 0; e < c->nr_events; e++) {
		const char *name = evset_at(g->set, e)->name;
		struct count sum = { 0 };

		for (size_t i = counts_at(c, e, 0, 0); i < counts_at(c, e + 1, 0, 0); i++) {
			const struct count *v = &c->v[i];

			if (c->state[i] != COUNT_READ)
				continue;
			log_vv("%s: %d: %llu %llu %llu", name, c->cpu[i / c->nr_threads % c->nr_cpus],
			       (unsigned long long)v->val, (unsigned long long)v->ena,
			       (unsigned long long)v->run);
			sum.val += v->val;
			sum.ena += v->ena;
			sum.run += v->run;
		}
		log_v("%s: %llu %llu %llu", name, (unsigned long long)sum.val, (unsigned long long)sum.ena,
		      (unsigned long long)sum.run);
	}
}

static int on_tick(void *ctx, const struct counting *g, const struct counting_tick *t, struct err *err)
{
	struct stat_runs *r = ctx;
	int ret = r->listener && r->listener->tick ? r->listener->tick(r->listener->ctx, g, t, err) : 0;

	if (log_level >= 1)
		log_counts(g);
	if (!ret && r->show_opts.intervals)
		ret = stat_show_interval(r->show, &g->counts, t->begun_ns, t->time_ns, err);
	if (!ret && t->last && r->res->cut_short && r->nr_runs) {
		stat_show_note(r->show, "the last run was interrupted: it is not part of these numbers");
	} else if (!ret && t->last) {
		const struct stat_times times = {
			r->res->elapsed_ns, r->res->user_ns, r->res->sys_ns, r->res->has_times,
		};

		stat_show_run_end(r->show, &g->counts, &times);
		r->nr_runs++;
	}
	return ret;
}

static void make_title(struct strbuf *t, const struct observe_opts *o, const struct target *target)
{
	if (target->kind == TARGET_SYSTEM && o->target.cpus && !o->target.all_cpus)
		strbuf_addf(t, "'CPU(s) %s'", o->target.cpus);
	else if (target->kind == TARGET_SYSTEM || target->all_threads)
		strbuf_addstr(t, "'system wide'");
	else if (o->target.pids)
		strbuf_addf(t, "process id '%s'", o->target.pids);
	else if (o->target.tids)
		strbuf_addf(t, "thread id '%s'", o->target.tids);
	else if (o->target.user)
		strbuf_addf(t, "user '%s'", o->target.user);
	else
		for (const char *const *a = o->argv; *a; a++)
			strbuf_addf(t, "%s%s%s", a == o->argv ? "'" : " ", *a, a[1] ? "" : "'");
}

static int resolve_target(struct stat_runs *r, struct err *err)
{
	const struct observe_opts *o = &r->o->counting.observe;
	int ret = observer_resolve(&r->ob, o, err);

	if (ret)
		return ret;
	/* a BPF program keeps samples, not counts; record filters by user with one */
	if (o->target.user && !o->target.pids && !o->target.tids)
		log_warn("-u: only processes that the user has now, and what they start, are counted: "
			 "counters cannot be limited to a user");
	make_title(&r->title, o, &r->ob.target);
	r->show_opts = r->o->show;
	r->show_opts.title = r->title.buf;
	r->show_opts.target = &r->ob.target;
	r->show_opts.intervals = o->interval_ms;
	return 0;
}

/* -G named the groups of the events of -e only */
static const char *const *fit_cgroups(struct stat_runs *r)
{
	const struct stat_opts *o = r->o;
	u32 nr = o->counting.observe.set->ev.nr, have = o->cgroups.nr;
	const char **v;

	if (!have || have >= nr)
		return o->cgroups.v;
	v = arena_zalloc(&r->arena, nr * sizeof(*v));
	for (u32 i = 0; i < nr; i++)
		v[i] = i < have ? o->cgroups.v[i] : o->cgroups.v[have - 1];
	return v;
}

static int settle_cgroups(struct stat_runs *r, struct err *err)
{
	int ret = 0;

	r->cgroup = fit_cgroups(r);
	if (r->o->for_each_cgroup && r->cgroup)
		return err_set(err, -EINVAL,
			       "-G and --for-each-cgroup both choose control groups: use one of them");
	if (r->o->for_each_cgroup) {
		ret = stat_cgroups_expand(&r->cgroups, r->o->counting.observe.set, r->o->for_each_cgroup,
					  err);
		r->cgroup = r->cgroups.v;
	}
	r->ob.cgroup = r->show_opts.cgroup = r->cgroup;
	return ret;
}

static int settle_events(struct stat_runs *r, struct err *err)
{
	const struct stat_opts *o = r->o;
	struct evset *set = o->counting.observe.set;
	bool system = r->ob.target.kind == TARGET_SYSTEM, asked = set->ev.nr;
	struct stat_metrics_opts metrics = o->metrics;
	int ret = 0;

	if (o->null_run)
		return 0;
	if (o->pmu)
		ret = stat_pmu_filter(set, o->pmu, err);
	if (ret)
		return ret;
	if (o->iostat)
		return iostat_events(o->iostat, set, err);
	metrics.target = &r->ob.target;
	ret = stat_metrics_plan(&r->plan, set, &metrics, err);
	r->show_opts.plan = r->plan;
	if (!ret && o->metrics.smi_cost)
		ret = smi_freeze_begin(&r->smi, err);
	if (!ret && !r->plan)
		ret = asked ? stat_detail_events(set, o->detail, err) :
			      stat_default_events(set, o->detail, system, err);
	if (!ret && o->pmu && !r->plan)	/* default events as well */
		ret = stat_pmu_filter(set, o->pmu, err);
	return ret ? ret : settle_cgroups(r, err);
}

static int run_once(struct stat_runs *r, struct err *err)
{
	const struct counting_ops ops = { .opened = on_opened, .tick = on_tick, .ctx = r };

	return counting_run(&r->o->counting, &r->ob, &ops, r->res, err);
}

/* counts are shown, whatever failed afterwards */
static int show_end(struct stat_runs *r, bool table, int failed, struct err *err)
{
	struct err later = ERR_INIT, *e = failed ? &later : err;
	int ret = table ? stat_show_table(r->show, e) : stat_show_notes(r->show, e);

	if (!ret)
		ret = stat_show_finish(r->show, e);
	return failed ? failed : ret;
}

static int run_all(struct stat_runs *r, struct err *err)
{
	const struct stat_opts *o = r->o;
	bool table = !o->counting.observe.interval_ms || o->show.summary;
	int ret = resolve_target(r, err);
	u32 shown = 0;

	if (!ret)
		ret = settle_events(r, err);
	if (ret)
		return ret;
	r->show = stat_show_new(&r->show_opts, o->counting.observe.set);
	for (int i = 0; !ret && (!o->repeat || i < o->repeat) && !r->res->signal; i++) {
		if (o->repeat > 1)
			log_v("[ perf stat: executing run #%d ... ]", i + 1);
		ret = run_once(r, err);
		if (!ret && !o->repeat && table && r->nr_runs > shown)
			ret = stat_show_table(r->show, err);
		shown = r->nr_runs;
	}
	return ret && !r->nr_runs ? ret : show_end(r, table, ret, err);
}

int stat_run(const struct stat_opts *o, const struct stat_listener *listener, struct counting_result *res,
	     struct err *err)
{
	struct stat_runs r = { .o = o, .listener = listener, .res = res, .err = err };
	int ret;

	*res = (struct counting_result){ 0 };
	ret = run_all(&r, err);
	smi_freeze_end(&r.smi);
	stat_show_free(r.show);
	stat_metrics_free(r.plan);
	vec_release(&r.cgroups);
	observer_release(&r.ob);
	strbuf_release(&r.title);
	arena_release(&r.arena);
	return ret;
}
