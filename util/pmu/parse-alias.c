/* Aliases: see parse-alias.h. */
#include "parse-alias.h"
#include "parse-tables.h"
#include "parse-terms.h"

#include <errno.h>
#include <stdio.h>

void parse_set_pmu(struct parser *ps, struct event *ev, const struct pmu *pmu)
{
	ev->pmu = arena_strdup(&ps->set->arena, pmu->name);
	if (pmu->cpus_only && pmu->cpus.nr) {
		ev->cpus = arena_memdup(&ps->set->arena, pmu->cpus.v, pmu->cpus.nr * sizeof(*pmu->cpus.v));
		ev->nr_cpus = pmu->cpus.nr;
	}
}

/* the name of a sysfs event without its PMU ("mem-loads"), on every PMU that has it; 1: no PMU has it */
int parse_alias(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	struct terms alias = { 0 };
	size_t nr = 0;
	int ret = 0;

	vec_push(&alias, (struct term){ .name = word });
	pmus_scan(&ps->pmus);
	for (size_t i = 0; !ret && i < ps->pmus.pmu.nr; i++) {
		struct pmu *pmu = ps->pmus.pmu.v[i];
		struct event *ev;

		pmu_load(&ps->pmus, pmu);
		if (!pmu_event(pmu, word.s, word.len))
			continue;
		nr++;
		ev = parse_add_event(ps, pmu->type, 0);
		parse_set_pmu(ps, ev, pmu);
		ret = terms_apply(ps, ev, &alias, pmu, whole);
		if (!ret && terms)
			ret = terms_apply(ps, ev, terms, pmu, whole);
	}
	vec_release(&alias);
	return ret ? ret : nr == 0;
}

bool is_alias(struct parser *ps, struct span word)
{
	pmus_scan(&ps->pmus);
	vec_foreach(&ps->pmus.pmu, pmu) {
		pmu_load(&ps->pmus, *pmu);
		if (pmu_event(*pmu, word.s, word.len))
			return true;
	}
	return false;
}

int parse_table_name(struct parser *ps, struct span word, const struct terms *terms, struct span whole)
{
	int ret = parse_use_tables(ps) ? parse_alias(ps, word, terms, whole) : 1;
	const struct event_table *t = parse_table(ps);
	const struct table_event *ev;
	char name[256];

	if (ret <= 0 || !t || word.len >= sizeof(name))
		return ret;
	snprintf(name, sizeof(name), "%.*s", (int)word.len, word.s);
	ev = event_table_find(t, NULL, name);
	if (!ev)
		return 1;
	if (!strcmp(ev->pmu, "cpu"))
		return parse_err(ps, -ENODEV, word, "event '%s' is one of the CPU's hardware counters, "
				 "which this machine does not have (virtual machines often have none)", name);
	return parse_err(ps, -ENODEV, word,
			 "event '%s' belongs to the PMU %.100s, which this machine does not have", name,
			 ev->pmu);
}
