/* Pmu-filter: taking events out. */
#include "pmu-filter.h"

#include <errno.h>
#include <string.h>
#include "../base/vec.h"
#include "../pmu/pmu.h"

static bool any_meant(const struct evset *set, const char *shared_name, const char *pmu)
{
	vec_foreach(&set->ev, ev)
		if ((*ev)->shared_name == shared_name && pmu_is_cputype((*ev)->pmu, pmu))
			return true;
	return false;
}

/* neither one that there is, nor a name of hybrid cores on a machine whose cores are all of a kind */
static int check_name(const char *name, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	bool found = pmus_have_cputype(&pmus, name);

	pmus_release(&pmus);
	return found ? 0 : err_set(err, -ENODEV,
				   "this machine has no PMU called '%s' ('perf list pmu' shows those it has)",
				   name);
}

int stat_pmu_filter(struct evset *set, const char *pmu, struct err *err)
{
	if (check_name(pmu, err))
		return err->code;
	vec_foreach(&set->ev, p) {
		const struct event *ev = *p;

		if (ev->shared_name && !any_meant(set, ev->shared_name, pmu))
			return err_set(err, -ENODEV,
				       "event '%s' is not counted by a PMU called '%s' (one that does: %s)",
				       ev->shared_name, pmu, ev->pmu);
	}
	for (u32 i = 0; i < set->ev.nr;) {
		const struct event *ev = evset_at(set, i);

		if (ev->shared_name && !pmu_is_cputype(ev->pmu, pmu))
			evset_remove(set, i);
		else
			i++;
	}
	return 0;
}
