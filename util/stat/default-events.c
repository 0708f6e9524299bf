/* Default events: the rows to an event string. */
#include "default-events.h"

#include <string.h>
#include "../base/strbuf.h"
#include "../pmu/parse-events.h"
#include "../pmu/pmu.h"

static const struct row {
	int level;
	const char *event;
	bool if_named;	/* only where the CPU's PMU has an event of that name */
} rows[] = {
#define DEFAULT(level, event, if_named) { level, event, if_named },
#include "default-events.def"
#undef DEFAULT
};

static bool core_has(struct pmus *ps, const char *name)
{
	pmus_scan(ps);
	vec_foreach(&ps->pmu, p) {
		if (!(*p)->is_core)
			continue;
		pmu_load(ps, *p);
		if (pmu_event(*p, name, strlen(name)))
			return true;
	}
	return false;
}

static int add_levels(struct evset *set, int from, int to, bool system, struct err *err)
{
	const char *other_clock = system ? "task-clock" : "cpu-clock";
	struct strbuf list = STRBUF_INIT;
	struct pmus ps = { 0 };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];

		if (r->level < from || r->level > to || !strcmp(r->event, other_clock) ||
		    (r->if_named && !core_has(&ps, r->event)))
			continue;
		strbuf_addf(&list, "%s%s", list.len ? "," : "", r->event);
	}
	if (list.len)
		ret = parse_events(set, list.buf, NULL, err);
	pmus_release(&ps);
	strbuf_release(&list);
	return ret;
}

int stat_default_events(struct evset *set, int detail, bool system, struct err *err)
{
	return add_levels(set, 0, detail, system, err);
}

int stat_detail_events(struct evset *set, int detail, struct err *err)
{
	return detail > 0 ? add_levels(set, 1, detail, false, err) : 0;
}
