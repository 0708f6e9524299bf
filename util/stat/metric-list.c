/* The list of metrics by name. */
#include "metric-list.h"

#include <string.h>

#define METRIC(name_, groups_, expr_, threshold_, scale_unit_, desc_) \
	{ .name = name_, .groups = groups_, .expr = expr_, .threshold = threshold_, .scale_unit = scale_unit_, .desc = desc_, \
	  .long_desc = "", .constraint = "", .pmu = "", .builtin = true },
static const struct metric_info builtin[] = {
#include "metric-builtin.def"
};

static const struct {
	const char *name, *desc;
} group_descs[] = {
	{ "Default", "what perf stat shows without options, as metrics" },
	{ "Default2", "what -d adds" },
	{ "Default3", "what -d -d adds" },
	{ "Default4", "what -d -d -d adds" },
};

static bool in_table(const struct event_table *table, const char *name)
{
	if (table)
		vec_foreach(&table->metric, m)
			if (!strcasecmp(m->name, name))
				return true;
	return false;
}

void metric_list_make(struct metric_list *ret, const struct event_table *table)
{
	for (size_t i = 0; i < ARRAY_SIZE(builtin); i++)
		if (!in_table(table, builtin[i].name))
			vec_push(ret, builtin[i]);
	if (!table)
		return;
	vec_foreach(&table->metric, m)
		vec_push(ret, (struct metric_info){ .name = m->name, .expr = m->expr, .threshold = m->threshold,
						    .scale_unit = m->scale_unit, .desc = m->desc, .long_desc = m->long_desc,
						    .groups = m->groups, .constraint = m->constraint, .pmu = m->pmu });
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

const char *metric_group_desc(const char *group)
{
	for (size_t i = 0; i < ARRAY_SIZE(group_descs); i++)
		if (!strcmp(group_descs[i].name, group))
			return group_descs[i].desc;
	return "";
}
