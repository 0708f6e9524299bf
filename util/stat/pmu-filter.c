/* Pmu-filter: taking events out. */
#include "pmu-filter.h"

#include <errno.h>
#include <string.h>

static bool is_meant(const struct event *ev, const char *pmu)
{
	return !strcmp(ev->pmu, pmu) || (!strncmp(ev->pmu, "cpu_", 4) && !strcmp(ev->pmu + 4, pmu));
}

static bool any_meant(const struct evset *set, const char *shared_name, const char *pmu)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->shared_name == shared_name && is_meant(*ev, pmu))
			return true;
	return false;
}

int stat_pmu_filter(struct evset *set, const char *pmu, struct err *err)
{
	vec_foreach(&set->ev, p) {
		const struct event *ev = *p;

		if (ev->shared_name && !any_meant(set, ev->shared_name, pmu))
			return err_set(err, -ENODEV, "event '%s' is not counted by a PMU called '%s' (one that does: %s)",
				       ev->shared_name, pmu, ev->pmu);
	}
	for (u32 i = 0; i < set->ev.nr;) {
		const struct event *ev = evset_at(set, i);

		if (ev->shared_name && !is_meant(ev, pmu))
			evset_remove(set, i);
		else
			i++;
	}
	return 0;
}
