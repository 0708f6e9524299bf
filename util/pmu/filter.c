/* --filter: which events take it, and putting several together. */
#include "parse-events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "pmu.h"

static bool takes_address_filters(struct pmus *pmus, const struct event *ev)
{
	const struct pmu *pmu = pmus_by_type(pmus, ev->attr.type);

	return pmu && pmu->nr_addr_filters;
}

/* "(a) && (b)" */
static const char *join(struct evset *set, const char *a, const char *b)
{
	size_t size = strlen(a) + strlen(b) + sizeof("() && ()");
	char *s = arena_alloc(&set->arena, size);

	snprintf(s, size, "(%s) && (%s)", a, b);
	return s;
}

int parse_filter(struct evset *set, u32 from, const char *filter, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	int ret = 0;

	if (from >= set->ev.nr) {
		err_set(err, -EINVAL, "--filter must follow the -e whose events it is for");
		return -EINVAL;
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);
		bool tracepoint = ev->attr.type == PERF_TYPE_TRACEPOINT;

		if (!tracepoint && !takes_address_filters(&pmus, ev))
			ret = err_set(err, -EINVAL, "--filter is for tracepoints and for address filters of tracing "
				      "hardware: '%s' is neither", ev->name);
		else if (ev->filter && tracepoint)
			ev->filter = join(set, ev->filter, filter);
		else
			ev->filter = arena_strdup(&set->arena, filter);
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
		err_set(err, -EINVAL, "--exclude-perf must follow an -e with tracepoints: it is a filter of theirs");
		return -EINVAL;
	}
	snprintf(filter, sizeof(filter), "common_pid != %d", pid);
	return parse_filter(set, from, filter, err);
}
