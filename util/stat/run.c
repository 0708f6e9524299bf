/* Run: settle what is counted, repeat, show. */
#include "run.h"
#include "cgroups.h"
#include "default-events.h"
#include "iostat.h"
#include "pmu-filter.h"
#include "places.h"
#include "../base/log.h"
#include "../sys/freeze-smi.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct stat_runs {
	struct stat_config *c;
	const struct stat_listener *listener;
	struct stat_show *show;
	struct stat_metrics *plan;
	struct stat_cgroups cgroups;
	struct smi_freeze smi;
	struct target target;
	struct arena arena;
	struct strbuf title;
	struct counting_result *res;
	struct err *err;
	bool opened_once;
	u32 nr_runs;		/* that came to their end */
};

/* --per-cache=L4 where there is no such cache */
static int check_cache(const struct stat_config *c, const struct cpu_place *place, u32 nr, struct err *err)
{
	for (u32 i = 0; i < nr; i++)
		if (place[i].cache >= 0)
			return 0;
	if (!c->cache_level)
		return err_set(err, -ENOENT, "--per-cache: the kernel does not say which caches these CPUs have");
	return err_set(err, -ENOENT, "--per-cache: none of these CPUs has a cache of level %u", c->cache_level);
}

static int on_opened(void *ctx, struct counting *g, struct err *err)
{
	struct stat_runs *r = ctx;
	const struct counts *c = &g->counts;

	if (!r->opened_once) {
		enum aggr_mode mode = r->c->show.mode;
		bool threads = mode == AGGR_THREAD, cpus = c->nr_cpus && c->cpu[0] >= 0 && mode != AGGR_GLOBAL && !threads;
		/* the topology costs a dozen files a CPU: only where it is asked for */
		const struct cpu_place *place = cpus ? places_of_cpus(&r->arena, c->cpu, c->nr_cpus, r->c->cache_level) : NULL;

		if (place && mode == AGGR_CACHE && check_cache(r->c, place, c->nr_cpus, err))
			return err->code;
		stat_show_places(r->show, place, threads ? comms_of_threads(&r->arena, c->tid, c->nr_threads) : NULL);
		for (char *line = g->notes.len ? g->notes.buf : NULL, *end; line && *line; line = end + 1) {
			end = strchrnul(line, '\n');
			if (!*end)
				break;
			*end = '\0';
			stat_show_note(r->show, line);
		}
	}
	r->opened_once = true;
	return r->listener && r->listener->opened ? r->listener->opened(r->listener->ctx, g, err) : 0;
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
			log_vv("%s: %d: %llu %llu %llu", name, c->cpu[i / c->nr_threads % c->nr_cpus], (unsigned long long)v->val,
			       (unsigned long long)v->ena, (unsigned long long)v->run);
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
	if (!ret && r->c->show.intervals)
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

static void make_title(struct stat_runs *r)
{
	const struct stat_config *c = r->c;
	struct strbuf *t = &r->title;

	if (r->target.kind == TARGET_SYSTEM && c->target.cpus && !c->target.all_cpus)
		strbuf_addf(t, "'CPU(s) %s'", c->target.cpus);
	else if (r->target.kind == TARGET_SYSTEM || r->target.all_threads)
		strbuf_addstr(t, "'system wide'");
	else if (c->target.pids)
		strbuf_addf(t, "process id '%s'", c->target.pids);
	else if (c->target.tids)
		strbuf_addf(t, "thread id '%s'", c->target.tids);
	else if (c->target.user)
		strbuf_addf(t, "user '%s'", c->target.user);
	else
		for (const char *const *a = c->counting.argv; *a; a++)
			strbuf_addf(t, "%s%s%s", a == c->counting.argv ? "'" : " ", *a, a[1] ? "" : "'");
	r->c->counting.target = &r->target;
	r->c->show.title = t->buf;
	r->c->show.target = &r->target;
}

/* one descriptor follows a task over all CPUs; only whole CPUs need one each */
static int resolve_target(struct stat_runs *r, struct err *err)
{
	struct target_opts o = r->c->target;
	struct strbuf notes = STRBUF_INIT;
	int ret;

	o.all_threads = r->c->show.mode == AGGR_THREAD && !o.pids && !o.tids && !o.user;
	o.per_thread = o.pids || o.tids || o.user || (o.has_workload && !o.all_cpus && !o.cpus);
	ret = target_resolve(&r->target, &o, &notes, err);
	if (notes.len)
		log_note("%.*s", (int)notes.len - 1, notes.buf);
	strbuf_release(&notes);
	if (!ret)
		make_title(r);
	return ret;
}

/* -G named the groups of the events of -e only */
static void fit_cgroups(struct stat_runs *r)
{
	struct stat_config *c = r->c;
	u32 nr = c->counting.set->ev.nr, have = c->nr_cgroup;
	const char **v;

	if (!c->counting.cgroup || have >= nr)
		return;
	v = arena_zalloc(&r->arena, nr * sizeof(*v));
	for (u32 i = 0; have && i < nr; i++)
		v[i] = c->counting.cgroup[MIN(i, have - 1)];
	c->counting.cgroup = c->show.cgroup = v;
}

static int settle_events(struct stat_runs *r, struct err *err)
{
	struct stat_config *c = r->c;
	struct evset *set = c->counting.set;
	bool system = r->target.kind == TARGET_SYSTEM, asked = set->ev.nr;
	int ret = 0;

	if (c->null_run)
		return 0;
	if (c->pmu)
		ret = stat_pmu_filter(set, c->pmu, err);
	if (ret)
		return ret;
	if (c->iostat)
		return iostat_events(c->iostat, set, err);
	c->metrics.target = &r->target;
	ret = stat_metrics_plan(&r->plan, set, &c->metrics, err);
	c->show.plan = r->plan;
	if (!ret && c->metrics.smi_cost)
		ret = smi_freeze_begin(&r->smi, err);
	if (!ret && !r->plan)
		ret = asked ? stat_detail_events(set, c->detail, err) : stat_default_events(set, c->detail, system, err);
	if (!ret && c->pmu && !r->plan)	/* default events as well */
		ret = stat_pmu_filter(set, c->pmu, err);
	fit_cgroups(r);
	if (ret || !c->for_each_cgroup)
		return ret;
	if (c->counting.cgroup)
		return err_set(err, -EINVAL, "-G and --for-each-cgroup both choose control groups: use one of them");
	ret = stat_cgroups_expand(&r->cgroups, set, c->for_each_cgroup, err);
	c->counting.cgroup = c->show.cgroup = r->cgroups.v;
	return ret;
}

static int run_once(struct stat_runs *r, struct err *err)
{
	const struct counting_ops ops = { .opened = on_opened, .tick = on_tick, .ctx = r };

	return counting_run(&r->c->counting, &ops, r->res, err);
}

/* what was counted is shown, whatever failed behind that */
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
	struct stat_config *c = r->c;
	bool table = !c->show.intervals || c->show.summary;
	int ret = resolve_target(r, err);

	if (!ret)
		ret = settle_events(r, err);
	if (ret)
		return ret;
	r->show = stat_show_new(&c->show, c->counting.set);
	for (u32 i = 0; !ret && (!c->repeat || i < c->repeat) && !r->res->signal; i++) {
		if (c->repeat > 1)
			log_v("[ perf stat: executing run #%u ... ]", i + 1);
		ret = run_once(r, err);
		if (!ret && !c->repeat && table)
			ret = stat_show_table(r->show, err);
	}
	return ret && !r->nr_runs ? ret : show_end(r, table, ret, err);
}

int stat_run(struct stat_config *c, const struct stat_listener *listener, struct counting_result *res, struct err *err)
{
	struct stat_runs r = { .c = c, .listener = listener, .res = res, .err = err };
	int ret;

	*res = (struct counting_result){ 0 };
	ret = run_all(&r, err);
	smi_freeze_end(&r.smi);
	stat_show_free(r.show);
	stat_metrics_free(r.plan);
	vec_release(&r.cgroups);
	target_release(&r.target);
	strbuf_release(&r.title);
	arena_release(&r.arena);
	return ret;
}
