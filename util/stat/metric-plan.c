/* Metrics by name, before counting: which ones are meant, and what each needs. */
#include "metric-plan.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../base/fs.h"
#include "../base/list-word.h"
#include "../base/units.h"
#include "../pmu/event-table.h"
#include "../pmu/names.h"
#include "../pmu/parse-cache.h"
#include "../pmu/parse-events.h"
#include "../pmu/pmu.h"
#include "metric-private.h"

#define NEED_DEPTH_MAX 100	/* metrics that need metrics that need ... */
#define NEED_MAX 1000		/* metrics that one may need */
#define PARAM_MAX 1024		/* chips or cores: values of '?' */
#define NONE UINT32_MAX

static bool machine_has(const void *ctx, const char *name, bool *has)
{
	*has = plan_know((struct stat_metrics *)ctx, name)->usable;
	return true;
}

static struct expr_env constants(struct stat_metrics *m)
{
	return (struct expr_env){ .literal = metric_literal, .has_event = machine_has, .cpuid = metric_cpuid,
				  .ctx = m };
}

/* ---- definitions ---- */

static u64 hash_name(const char *name)
{
	u64 h = 0;

	for (; *name; name++)
		h = hash_mix(h, tolower((unsigned char)*name));
	return h;
}

/* position in the list of the metric of that name; of several, the one for the same kind of core; NONE */
static u32 find_metric(const struct stat_metrics *m, const char *name, const char *pmu)
{
	u32 found = NONE, at;

	HIDX_FOREACH(&m->by_name, hash_name(name), at) {
		if (strcasecmp(m->list.v[at].name, name))
			continue;
		if (!strcmp(m->list.v[at].pmu, pmu))
			return at;
		if (found == NONE || at < found)
			found = at;
	}
	return found;
}

static void index_list(struct stat_metrics *m)
{
	m->metric_of = xcalloc(m->list.nr + 1, sizeof(*m->metric_of));
	for (u32 i = 0; i < m->list.nr; i++) {
		m->metric_of[i] = NONE;
		hidx_insert(&m->by_name, hash_name(m->list.v[i].name), i);
	}
}

/* "100%": the factor, and the unit after it */
static void parse_scale(struct plan_metric *pm)
{
	const char *s = pm->info.scale_unit;
	struct arena scratch = { 0 };
	size_t len = strspn(s, "0123456789.eE+-");
	const struct expr *e;

	/* an e that no digit follows belongs to the unit */
	while (len && !strchr("0123456789.", s[len - 1]))
		len--;
	e = len ? expr_parse(&scratch, arena_strndup(&scratch, s, len), -1, NULL) : NULL;
	pm->scale = e ? expr_eval(e, &(struct expr_env){ 0 }, NULL) : 1;
	if (isnan(pm->scale))
		pm->scale = 1;
	pm->unit = s + (e ? len : 0);
	arena_release(&scratch);
}

/*
 * the index of the definition at this position of the list, made if needed; NONE with err: its expression is
 * wrong
 */
static u32 define(struct stat_metrics *m, u32 at, int param, struct err *err)
{
	const struct metric_info *info = &m->list.v[at];
	struct plan_metric pm = { .info = *info };

	if (param < 0 && m->metric_of[at] != NONE)
		return m->metric_of[at];
	pm.expr = expr_parse(&m->arena, info->expr, param, err);
	if (!pm.expr) {
		err_prefix(err, "metric '%.200s': ", info->name);
		return NONE;
	}
	if (param >= 0) {
		char name[300];

		snprintf(name, sizeof(name), "%.250s_%d", info->name, param);
		pm.info.name = arena_strdup(&m->arena, name);
	} else {
		m->metric_of[at] = m->metric.nr;
	}
	if (*info->threshold)
		pm.threshold = expr_parse(&m->arena, info->threshold, param, NULL);
	parse_scale(&pm);
	vec_push(&m->metric, pm);
	return m->metric.nr - 1;
}

u32 plan_ref(const struct stat_metrics *m, const struct plan_metric *pm, const char *id)
{
	u32 at;

	if (!strcasecmp(id, pm->info.name))
		return NONE;	/* an event of that name */
	at = find_metric(m, id, pm->info.pmu);
	return at == NONE ? NONE : m->metric_of[at];
}

/* ---- what needs what ---- */

static int order(struct stat_metrics *m, u32 at, u32 depth, struct err *err);

static void add_need(struct plan_metric *pm, u32 need)
{
	for (size_t i = 0; i < pm->order.nr; i++)
		if (pm->order.v[i] == need)
			return;
	vec_push(&pm->order, need);
}

/* what the metrics that e names need comes first */
static int order_refs(struct stat_metrics *m, u32 at, const struct expr *e, u32 depth, struct err *err)
{
	const struct expr_env env = constants(m);
	struct expr_ids ids = { 0 };
	int ret = 0;

	expr_ids(e, &env, &ids);
	for (size_t i = 0; !ret && i < ids.nr; i++) {
		const struct plan_metric *pm = &m->metric.v[at];
		u32 found = strcasecmp(ids.v[i],
				       pm->info.name) ? find_metric(m, ids.v[i], pm->info.pmu) : NONE, ref;

		if (found == NONE)
			continue;
		ref = define(m, found, -1, err);
		ret = ref == NONE ? -EINVAL : order(m, ref, depth + 1, err);
		for (u32 k = 0; !ret && k < m->metric.v[ref].own; k++)
			add_need(&m->metric.v[at], m->metric.v[ref].order.v[k]);
		if (!ret && m->metric.v[at].order.nr > NEED_MAX)
			ret = err_set(err, -E2BIG, "metric '%.200s' needs more than %d other metrics",
				      m->metric.v[at].info.name, NEED_MAX);
	}
	vec_release(&ids);
	return ret;
}

/* the metrics that `at` needs, each after the metrics it needs itself */
static int order(struct stat_metrics *m, u32 at, u32 depth, struct err *err)
{
	struct plan_metric *pm = &m->metric.v[at];
	int ret;

	if (pm->done)
		return 0;
	if (pm->open)
		return err_set(err, -ELOOP, "metric '%.200s' depends on itself", pm->info.name);
	if (depth > NEED_DEPTH_MAX)
		return err_set(err, -ELOOP, "metric '%.200s': metrics need metrics more than %d deep",
			       pm->info.name, NEED_DEPTH_MAX);
	pm->open = true;
	ret = order_refs(m, at, pm->expr, depth, err);
	pm = &m->metric.v[at];	/* definitions were added */
	pm->open = false;
	if (ret)
		return ret;
	add_need(pm, at);
	pm->own = pm->order.nr;
	pm->done = true;
	return 0;
}

static bool watchdog_counts(void)
{
	u64 v;

	return !fs_read_u64("/proc/sys/kernel/nmi_watchdog", &v) && v;
}

static bool smt_on(const struct stat_metrics *m)
{
	double v;

	return metric_literal(m, "smt_on", &v) && v;
}

/* a threshold may need other metrics; one that cannot be had is left out, it only colours */
static void order_threshold(struct stat_metrics *m, u32 at)
{
	struct plan_metric *pm = &m->metric.v[at];
	struct expr_ids ids = { 0 };
	struct err err = ERR_INIT;
	bool alone = true;

	if (pm->threshold && !strcmp(pm->info.constraint, "NO_THRESHOLD_AND_NMI") && watchdog_counts())
		pm->threshold = NULL;
	if (!pm->threshold)
		return;
	expr_ids(pm->threshold, NULL, &ids);
	vec_foreach(&ids, id)
		alone &= !strcasecmp(*id, pm->info.name);
	vec_release(&ids);
	if (alone)
		return;
	if (m->opts->no_threshold || order_refs(m, at, pm->threshold, 0, &err)) {
		pm = &m->metric.v[at];
		pm->threshold = NULL;
		pm->order.nr = pm->own;
	}
}

/* ---- the events of one that is shown ---- */

static void add_name(struct stat_metrics *m, struct plan_shown *s, const char *name)
{
	bool soft = plan_know(m, name)->soft;

	vec_foreach(&s->hard, h)
		if (!strcmp(*h, name))
			return;
	vec_foreach(&s->soft, h)
		if (!strcmp(*h, name))
			return;
	if (soft)
		vec_push(&s->soft, name);
	else
		vec_push(&s->hard, name);
}

/* adds the names of events in e; -EINVAL with err where this machine cannot count one of them */
static int need_events(struct stat_metrics *m, struct plan_shown *s, u32 of, const struct expr *e,
		       struct err *err)
{
	const struct expr_env env = constants(m);
	struct expr_ids ids = { 0 };
	int ret = 0;

	expr_ids(e, &env, &ids);
	for (size_t i = 0; !ret && i < ids.nr; i++) {
		const struct plan_metric *pm = &m->metric.v[of];
		const struct plan_id *known;

		if (plan_ref(m, pm, ids.v[i]) != NONE ||
		    (e == pm->threshold && !strcasecmp(ids.v[i], pm->info.name)))
			continue;
		known = plan_know(m, ids.v[i]);
		if (known->why)
			ret = err_set(err, -EINVAL, "metric '%.200s' cannot be %s: %s", pm->info.name,
				      m->bound ? "derived" : "counted here", known->why);
		else
			add_name(m, s, ids.v[i]);
	}
	vec_release(&ids);
	return ret;
}

static int need_all_events(struct stat_metrics *m, struct plan_shown *s, struct err *err)
{
	struct plan_metric *pm = &m->metric.v[s->metric];
	const char *constraint = pm->info.constraint;
	size_t hard, soft;
	int ret = 0;

	for (u32 i = 0; !ret && i < pm->own; i++)
		ret = need_events(m, s, pm->order.v[i], m->metric.v[pm->order.v[i]].expr, err);
	hard = s->hard.nr;
	soft = s->soft.nr;
	for (u32 i = pm->own; !ret && pm->threshold && i < pm->order.nr; i++)
		if (need_events(m, s, pm->order.v[i], m->metric.v[pm->order.v[i]].expr, NULL))
			pm->threshold = NULL;
	if (!ret && pm->threshold && need_events(m, s, s->metric, pm->threshold, NULL))
		pm->threshold = NULL;
	if (!ret && !pm->threshold) {	/* without it, nothing of it is counted */
		s->hard.nr = hard;
		s->soft.nr = soft;
		pm->order.nr = pm->own;
	}
	s->no_group = !strcmp(constraint, "NO_GROUP_EVENTS") ||
		      (!strcmp(constraint, "NO_GROUP_EVENTS_NMI") && watchdog_counts()) ||
		      (!strcmp(constraint, "NO_GROUP_EVENTS_SMT") && smt_on(m));
	return ret;
}

/* ---- what was asked for ---- */

static int show(struct stat_metrics *m, u32 at, int param, struct err *err)
{
	struct plan_shown s = { .group = NONE };
	int ret;

	s.metric = define(m, at, param, err);
	if (s.metric == NONE)
		return -EINVAL;
	vec_foreach(&m->shown, other)
		if (other->metric == s.metric)
			return 0;
	ret = order(m, s.metric, 0, err);
	if (ret)
		return ret;
	order_threshold(m, s.metric);
	ret = need_all_events(m, &s, err);
	if (ret) {
		vec_release(&s.hard);
		vec_release(&s.soft);
	} else {
		vec_push(&m->shown, s);
	}
	return ret;
}

/*
 * chips of the machine, or cores; the kernel tells it only if they have events (ABI of hv_24x7)
 */
static u64 nr_instances(bool cores)
{
	static const char *const files[] = { "sockets", "chipspersocket", "coresperchip" };
	u64 nr = 1;

	for (size_t i = 0; i < ARRAY_SIZE(files) - !cores; i++) {
		char path[96];
		u64 each;

		snprintf(path, sizeof(path), "/sys/devices/hv_24x7/interface/%s", files[i]);
		if (!fs_read_u64(path, &each))
			nr *= MIN(each, (u64)PARAM_MAX);
	}
	return MIN(nr, (u64)PARAM_MAX);
}

/* an expression with '?' is one metric for each chip or core */
static int show_each(struct stat_metrics *m, u32 at, struct err *err)
{
	u64 nr;
	int ret = 0;

	if (!strchr(m->list.v[at].expr, '?'))
		return show(m, at, -1, err);
	nr = nr_instances(m->list.v[at].per_core);
	for (u64 i = 0; !ret && i < nr; i++)
		ret = show(m, at, i, err);
	return ret;
}

static bool is_meant(const struct metric_info *info, const char *word, bool groups)
{
	if (!groups)
		return has_glob(word) ? glob_match(word, info->name) : !strcasecmp(word, info->name);
	return has_glob(word) ? metric_in_group_like(info, word) : metric_in_group(info, word);
}

/* 1: nothing has that name; what cannot be counted is left out where the name means several */
static int show_matching(struct stat_metrics *m, const char *word, bool groups, struct err *err)
{
	bool any = false, shown = false;
	struct err first = ERR_INIT;

	for (u32 i = 0; i < m->list.nr; i++) {
		const struct metric_info *info = &m->list.v[i];
		struct err own = ERR_INIT;

		if (!is_meant(info, word, groups))
			continue;
		any = true;
		if (!show_each(m, i, &own))
			shown = true;
		else if (!first.code)
			first = own;
	}
	if (!any)
		return 1;
	if (shown)
		return 0;
	*err = first;
	return first.code;
}

static int err_unknown(const struct stat_metrics *m, const char *word, struct err *err)
{
	struct strbuf near = STRBUF_INIT, safe = STRBUF_INIT;
	struct metric_groups groups = { 0 };
	struct nearest n;

	nearest_init(&n, word, strlen(word));
	vec_foreach(&m->list, info)
		nearest_offer(&n, info->name);
	metric_groups_make(&groups, &m->list);
	vec_foreach(&groups, g)
		nearest_offer(&n, *g);
	metric_groups_release(&groups);
	nearest_describe(&n, &near);
	strbuf_add_safe(&safe, word);
	err_set(err, -EINVAL, "there is no metric or group '%.200s'%s", strbuf_str(&safe), strbuf_str(&near));
	err_hint(err, "'perf list metric metricgroup' lists those available");
	strbuf_release(&near);
	strbuf_release(&safe);
	return -EINVAL;
}

static int show_word(struct stat_metrics *m, const char *word, struct err *err)
{
	int ret = show_matching(m, word, false, err);

	if (ret > 0)
		ret = show_matching(m, word, true, err);
	return ret > 0 ? err_unknown(m, word, err) : ret;
}

static int show_list(struct stat_metrics *m, const char *list, struct err *err)
{
	int ret = 0;

	for (const char *p = list; !ret; p++) {
		size_t len = list_word_len(p);
		char *word;

		while (len && strchr(" \t", *p)) {
			p++;
			len--;
		}
		if (!len)
			return err_set(err, -EINVAL, "a metric is missing in '%.200s'", list);
		word = xstrndup(p, len);
		ret = show_word(m, word, err);
		free(word);
		p += len;
		if (!*p)
			break;
	}
	return ret;
}

/* vendors call the groups one way or the other */
static int show_topdown(struct stat_metrics *m, u32 level, struct err *err)
{
	char group[32];
	int ret;

	snprintf(group, sizeof(group), "TopdownL%u", level);
	ret = show_matching(m, group, true, err);
	if (ret > 0) {
		snprintf(group, sizeof(group), "PipelineL%u", level);
		ret = show_matching(m, group, true, err);
	}
	if (ret > 0) {
		ret = err_set(err, -EOPNOTSUPP, "no top-down metrics of level %u are known for this CPU",
			      level);
		err_hint(err, "they are computed from the PMU's topdown events, "
			 "or come from an event table (--event-table)");
	}
	return ret;
}

static int show_asked(struct stat_metrics *m, const struct stat_metrics_opts *o, struct err *err)
{
	int ret = o->list ? show_list(m, o->list, err) : 0;

	if (!ret && o->topdown)
		ret = show_topdown(m, o->td_level ? o->td_level : 1, err);
	if (!ret && o->transaction && (ret = show_matching(m, "transaction", true, err)) > 0)
		ret = err_set(err, -EOPNOTSUPP, "this CPU has no events of transactional execution (TSX)");
	if (!ret && o->smi_cost && (ret = show_matching(m, "smi", true, err)) > 0)
		ret = err_set(err, -EOPNOTSUPP, "--smi-cost needs the events msr/aperf/ and msr/smi/, "
			      "which this machine lacks");
	return ret;
}

/* the table in which the events are looked up as well */
static int find_table(const struct stat_metrics_opts *o, const struct event_table **ret, struct err *err)
{
	struct err own = ERR_INIT;

	*ret = o->table;
	if (*ret || !o->parse || !o->parse->tables)
		return 0;
	*ret = table_source_get(o->parse->tables, &own);
	if (own.code)
		*err = own;
	return own.code;
}

/* set: takes the events; or bound: has them, nr of them in the first copy */
static int make_plan(struct stat_metrics **ret, struct evset *set, const struct evset *bound, u32 nr,
		     const struct stat_metrics_opts *o, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	const struct event_table *table;
	struct parse_cache *cache = NULL;
	struct stat_metrics *m;
	int res;

	*ret = NULL;
	if (!o->list && !o->topdown && !o->transaction && !o->smi_cost)
		return 0;
	m = xcalloc(1, sizeof(*m));
	m->opts = o;
	m->parse = o->parse ? *o->parse : (struct parse_events_opts){ .option = "-M" };
	if (!m->parse.cache)
		m->parse.cache = cache = parse_cache_new();
	m->facts = xcalloc(1, sizeof(*m->facts));
	m->target = o->target;
	m->pmus = &pmus;
	m->bound = bound;
	m->nr_bound = nr;
	res = find_table(o, &table, err);
	metric_list_make(&m->list, table);
	index_list(m);
	if (!res)
		res = show_asked(m, o, err);
	if (!res && bound)
		plan_bind_events(m);
	else if (!res)
		res = plan_add_events(m, set, err);
	pmus_release(&pmus);
	parse_cache_free(cache);
	m->opts = NULL;
	m->pmus = NULL;
	if (res)
		stat_metrics_free(m);
	else
		*ret = m;
	return res;
}

int stat_metrics_plan(struct stat_metrics **ret, struct evset *set, const struct stat_metrics_opts *o,
		      struct err *err)
{
	return make_plan(ret, set, NULL, 0, o, err);
}

int stat_metrics_bind(struct stat_metrics **ret, const struct evset *set, u32 nr,
		      const struct stat_metrics_opts *o, struct err *err)
{
	return make_plan(ret, NULL, set, nr, o, err);
}

static void release_ids(struct plan_ids *ids)
{
	vec_foreach(ids, id)
		vec_release(&id->ev);
	vec_release(ids);
}

const char *stat_metrics_name(const struct stat_metrics *m, u32 i)
{
	return i < m->shown.nr ? m->metric.v[m->shown.v[i].metric].info.name : NULL;
}

void stat_metrics_free(struct stat_metrics *m)
{
	if (!m)
		return;
	vec_foreach(&m->metric, pm)
		vec_release(&pm->order);
	vec_release(&m->metric);
	vec_foreach(&m->shown, s) {
		vec_release(&s->hard);
		vec_release(&s->soft);
		vec_release(&s->anchor);
	}
	vec_release(&m->shown);
	vec_foreach(&m->group, g)
		release_ids(g);
	vec_release(&m->group);
	release_ids(&m->loose);
	release_ids(&m->known);
	metric_list_release(&m->list);
	hidx_release(&m->by_name);
	free(m->metric_of);
	vec_release(m->facts);
	arena_release(&m->facts->arena);
	free(m->facts);
	arena_release(&m->arena);
	free(m);
}
