/* Default events: the rows to an event string. */
#include "default-events.h"
#include "topdown.h"

#include <string.h>
#include "../base/fs.h"
#include "../pmu/parse-events.h"

static const struct row {
	int level;
	const char *event;
	bool if_named;	/* only where the CPU's PMU has an event of that name */
} rows[] = {
#define DEFAULT(level, event, if_named) { level, event, if_named },
#include "default-events.def"
#undef DEFAULT
};

/*
 * no scan of what all PMUs say of themselves: this is asked for each run. Only PMUs called cpu
 * name such events
 */
static bool pmu_names(const char *event)
{
	struct strbuf path = STRBUF_INIT;
	bool found;

	strbuf_addf(&path, "/sys/bus/event_source/devices/cpu/events/%s", event);
	found = fs_exists(path.buf);
	strbuf_release(&path);
	return found;
}

static int add_levels(struct evset *set, int from, int to, bool system, struct err *err)
{
	const char *other_clock = system ? "task-clock" : "cpu-clock";
	struct strbuf list = STRBUF_INIT;
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct row *r = &rows[i];

		if (r->level < from || r->level > to || !strcmp(r->event, other_clock) ||
		    (r->if_named && !pmu_names(r->event)))
			continue;
		strbuf_addf(&list, "%s%s", list.len ? "," : "", r->event);
	}
	if (list.len)
		ret = parse_events(set, list.buf, NULL, err);
	strbuf_release(&list);
	return ret;
}

int stat_default_events(struct evset *set, int detail, bool system, struct err *err)
{
	int ret = add_levels(set, 0, 0, system, err);

	if (!ret)
		ret = stat_topdown_events(set, err);
	return ret || !detail ? ret : add_levels(set, 1, detail, system, err);
}

int stat_detail_events(struct evset *set, int detail, struct err *err)
{
	return detail > 0 ? add_levels(set, 1, detail, false, err) : 0;
}
