/* --filter: which events take it, and putting several together. */
#include "parse-events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../sys/tracefs.h"
#include "filter-check.h"
#include "pmu.h"

static bool takes_address_filters(struct pmus *pmus, const struct event *ev)
{
	struct pmu *pmu = pmus_by_type(pmus, ev->attr.type);

	if (pmu)
		pmu_load(pmus, pmu);
	return pmu && pmu->nr_addr_filters;
}

/* "(a) && (b)"; of addresses "a,b" */
static const char *join(struct evset *set, const char *a, const char *b, bool tracepoint)
{
	size_t size = strlen(a) + strlen(b) + sizeof("() && ()");
	char *s = arena_alloc(&set->arena, size);

	snprintf(s, size, tracepoint ? "(%s) && (%s)" : "%s,%s", a, b);
	return s;
}

static int check(const struct event *ev, const char *filter, struct err *err)
{
	struct strbuf format = STRBUF_INIT;
	bool known = ev->tp_system && !tracefs_event_format(ev->tp_system, ev->tp_name, &format);
	int ret = filter_check(filter, ev->name, known ? strbuf_str(&format) : NULL, err);

	strbuf_release(&format);
	return ret;
}

int parse_filter(struct evset *set, u32 from, const char *filter, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	int ret = 0;

	if (from >= set->ev.nr) {
		err_set(err, -EINVAL, "a filter must follow the -e whose events it is for");
		return -EINVAL;
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		if (ev->attr.type == PERF_TYPE_TRACEPOINT)
			ret = check(ev, filter, err);
		else if (takes_address_filters(&pmus, ev))
			ret = filter_check_addresses(filter, ev->name, err);
		else
			ret = err_set(err, -EINVAL, "filters are for tracepoints and, as addresses, for tracing "
				      "hardware: '%s' is neither", ev->name);
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);

		ev->filter = !ev->filter ? arena_strdup(&set->arena, filter) :
			     join(set, ev->filter, filter, ev->attr.type == PERF_TYPE_TRACEPOINT);
	}
	pmus_release(&pmus);
	return ret;
}

int parse_filter_exclude_pid(struct evset *set, u32 from, s32 pid, struct err *err)
{
	char filter[64];

	for (u32 i = from; i < set->ev.nr; i++)
		if (evset_at(set, i)->attr.type != PERF_TYPE_TRACEPOINT)
			from = set->ev.nr;
	if (from >= set->ev.nr) {
		err_set(err, -EINVAL, "this must follow an -e with tracepoints alone: it is a filter of theirs");
		return -EINVAL;
	}
	snprintf(filter, sizeof(filter), "common_pid != %d", pid);
	return parse_filter(set, from, filter, err);
}
