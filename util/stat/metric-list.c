/* The list of metrics by name. */
#include "metric-list.h"

#include <string.h>
#include "../base/strbuf.h"
#include "../base/units.h"
#include "../pmu/pmu.h"

struct builtin {
	const char *needs;	/* "core/slots msr/smi"; "" */
	const char *name, *groups, *expr, *threshold, *scale_unit, *desc;
};
/* the members of one after another, so that there are no addresses in it */
#define METRIC(...) PMU_METRIC("", __VA_ARGS__)
#define PMU_METRIC(needs, name, groups, expr, threshold, scale_unit, desc) \
	needs "\0" name "\0" groups "\0" expr "\0" threshold "\0" scale_unit "\0" desc "\0"
static const char builtin[] =
#include "metric-builtin.def"
;

/* returns the text of the next one */
static const char *unpack(const char *text, struct builtin *ret)
{
	const char **member[] = {
		&ret->needs, &ret->name, &ret->groups, &ret->expr, &ret->threshold, &ret->scale_unit,
		&ret->desc,
	};

	for (size_t i = 0; i < ARRAY_SIZE(member); i++) {
		*member[i] = text;
		text += strlen(text) + 1;
	}
	return text;
}

static const struct {
	const char *name, *desc;
} group_descs[] = {
	{ "Default", "what perf stat shows without options, as metrics" },
	{ "Default2", "what -d adds" },
	{ "Default3", "what -d -d adds" },
	{ "Default4", "what -d -d -d adds" },
	{ "TopdownL1", "what became of the slots of a core, the first four parts" },
	{ "TopdownL2", "each part of TopdownL1 in two" },
	{ "transaction", "transactional execution, as -T shows it" },
	{ "smi", "system management interrupts, as --smi-cost shows them" },
};

static bool in_table(const struct event_table *table, const char *name)
{
	if (table)
		vec_foreach(&table->metric, m)
			if (!strcasecmp(m->name, name))
				return true;
	return false;
}

/* ---- what this machine has events for ---- */

#define CORE "core"

/* every one of needs is an event of sysfs; core: the PMU that "core" stands for */
static bool has_all(struct pmus *pmus, const struct pmu *core, const char *needs)
{
	for (const char *p = needs; *p; p += strspn(p, " ")) {
		size_t pmu_len = strcspn(p, "/"), len = strcspn(p + pmu_len + 1, " ");
		const struct pmu *pmu = pmu_len == strlen(CORE) &&
					!memcmp(p, CORE, pmu_len) ? core : pmus_find(pmus, p, pmu_len);

		if (!pmu || !pmu_event(pmu, p + pmu_len + 1, len))
			return false;
		p += pmu_len + 1 + len;
	}
	return true;
}

/* text with "core@" replaced by the PMU and '@' */
static const char *for_pmu(struct arena *a, const char *text, const char *pmu)
{
	struct strbuf sb = STRBUF_INIT;
	const char *at, *ret;

	for (; (at = strstr(text, CORE "@")); text = at + strlen(CORE)) {
		strbuf_add(&sb, text, at - text);
		strbuf_addstr(&sb, pmu);
	}
	strbuf_addstr(&sb, text);
	ret = arena_strdup(a, strbuf_str(&sb));
	strbuf_release(&sb);
	return ret;
}

static bool in_list(const struct metric_list *list, const char *name, const char *pmu)
{
	vec_foreach(list, m)
		if (!strcmp(m->name, name) && !strcmp(m->pmu, pmu))
			return true;
	return false;
}

static void add_builtin(struct metric_list *ret, const struct builtin *b, const char *expr, const char *pmu)
{
	vec_push(ret, (struct metric_info){ .name = b->name, .expr = expr, .threshold = b->threshold,
					    .scale_unit = b->scale_unit, .desc = b->desc, .long_desc = "",
					    .groups = b->groups, .constraint = "", .pmu = pmu,
					    .builtin = true });
}

/* once for each kind of core that has the events, or once where it is not about cores */
static void add_for_pmus(struct metric_list *ret, struct pmus *pmus, const struct builtin *b)
{
	size_t nr_core = 0;

	if (!strstr(b->needs, CORE "/")) {
		if (!in_list(ret, b->name, "") && has_all(pmus, NULL, b->needs))
			add_builtin(ret, b, b->expr, "");
		return;
	}
	pmus_scan(pmus);
	vec_foreach(&pmus->pmu, pmu)
		nr_core += (*pmu)->is_core;
	for (size_t i = 0; i < pmus->pmu.nr; i++) {
		struct pmu *pmu = pmus->pmu.v[i];
		const char *only = nr_core > 1 ? arena_strdup(&ret->arena, pmu->name) : "";

		if (!pmu->is_core)
			continue;
		pmu_load(pmus, pmu);
		if (!in_list(ret, b->name, only) && has_all(pmus, pmu, b->needs))
			add_builtin(ret, b, for_pmu(&ret->arena, b->expr, pmu->name), only);
	}
}

/* a table can say anything, and names and units go to terminals */
static const char *clean(struct arena *a, const char *s)
{
	struct strbuf sb = STRBUF_INIT;
	const char *ret = s;

	strbuf_add_safe(&sb, s);
	if (strcmp(strbuf_str(&sb), s))
		ret = arena_strdup(a, strbuf_str(&sb));
	strbuf_release(&sb);
	return ret;
}

void metric_list_make(struct metric_list *ret, const struct event_table *table)
{
	struct pmus pmus = { .scanned = false };
	struct builtin b;

	for (const char *at = builtin; at < builtin + sizeof(builtin) - 1; ) {
		at = unpack(at, &b);
		if (in_table(table, b.name))
			continue;
		if (*b.needs)
			add_for_pmus(ret, &pmus, &b);
		else
			add_builtin(ret, &b, b.expr, "");
	}
	pmus_release(&pmus);
	if (!table)
		return;
	vec_foreach(&table->metric, m)
		vec_push(ret, (struct metric_info){ .name = clean(&ret->arena, m->name), .expr = m->expr,
						    .threshold = m->threshold,
						    .scale_unit = clean(&ret->arena, m->scale_unit),
						    .desc = m->desc, .long_desc = m->long_desc,
						    .groups = m->groups, .constraint = m->constraint,
						    .pmu = m->pmu, .per_core = m->per_core });
}

void metric_list_release(struct metric_list *list)
{
	vec_release(list);
	arena_release(&list->arena);
}

/* the next of "a;b", empty ones left out; false at the end */
static bool next_group(const char **p, const char **name, size_t *len)
{
	*p += strspn(*p, ";");
	*name = *p;
	*len = strcspn(*p, ";");
	*p += *len;
	return *len;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void metric_groups_make(struct metric_groups *ret, const struct metric_list *list)
{
	size_t nr = 0, len;

	vec_foreach(list, m) {
		const char *p = m->groups, *name;

		while (next_group(&p, &name, &len))
			vec_push(ret, xstrndup(name, len));
	}
	if (ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), compare_names);
	for (size_t i = 0; i < ret->nr; i++) {
		if (nr && !strcmp(ret->v[nr - 1], ret->v[i]))
			free(ret->v[i]);
		else
			ret->v[nr++] = ret->v[i];
	}
	ret->nr = nr;
}

void metric_groups_release(struct metric_groups *g)
{
	vec_foreach(g, name)
		free(*name);
	vec_release(g);
}

bool metric_in_group(const struct metric_info *m, const char *group)
{
	const char *p = m->groups, *name;
	size_t len, want = strlen(group);

	while (next_group(&p, &name, &len))
		if (len == want && !strncasecmp(name, group, len))
			return true;
	return false;
}

bool metric_in_group_like(const struct metric_info *m, const char *glob)
{
	const char *p = m->groups, *name;
	bool found = false;
	size_t len;

	while (!found && next_group(&p, &name, &len)) {
		char *group = xstrndup(name, len);

		found = glob_match(glob, group);
		free(group);
	}
	return found;
}

const char *metric_group_desc(const char *group)
{
	for (size_t i = 0; i < ARRAY_SIZE(group_descs); i++)
		if (!strcmp(group_descs[i].name, group))
			return group_descs[i].desc;
	return "";
}
