/* --filter: which events accept it, and joining several filters. */
#include "parse-events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../base/log.h"
#include "../kernel/tracefs.h"
#include "addr-filter.h"
#include "filter-check.h"
#include "pmu.h"

static bool takes_address_filters(struct pmus *pmus, const struct event *ev)
{
	struct pmu *pmu = pmus_by_type(pmus, ev->attr.type);

	if (pmu)
		pmu_load(pmus, pmu);
	return pmu && pmu->nr_addr_filters;
}

/* "(a) && (b)"; for address filters "a,b" */
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

/* the filter as the kernel gets it for that event, in the set's arena */
static int prepare(struct evset *set, struct pmus *pmus, const struct event *ev, const char *filter,
		   const char **ret_filter, struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	int ret;

	if (ev->attr.type == PERF_TYPE_TRACEPOINT) {
		ret = check(ev, filter, err);
		strbuf_addstr(&out, filter);
	} else if (takes_address_filters(pmus, ev)) {
		ret = addr_filter_resolve(filter, ev->name, &out, err);
		if (!ret)
			log_v("address filter of '%s': %s", ev->name, strbuf_str(&out));
	} else {
		ret = err_set(err, -EINVAL, "filters are for tracepoints and, as addresses, "
			      "for tracing hardware: '%s' is neither", ev->name);
	}
	*ret_filter = arena_strdup(&set->arena, strbuf_str(&out));
	strbuf_release(&out);
	return ret;
}

int parse_filter(struct evset *set, u32 from, const char *filter, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	struct { VEC(const char *); } text = { 0 };
	int ret = 0;

	if (from >= set->ev.nr) {
		err_set(err, -EINVAL, "a filter must follow the -e whose events it filters");
		return -EINVAL;
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		const char *prepared;

		ret = prepare(set, &pmus, evset_at(set, i), filter, &prepared, err);
		vec_push(&text, prepared);
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		struct event *ev = evset_at(set, i);

		ev->filter = !ev->filter ? text.v[i - from] :
			     join(set, ev->filter, text.v[i - from], ev->attr.type == PERF_TYPE_TRACEPOINT);
	}
	vec_release(&text);
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
		err_set(err, -EINVAL, "it must follow an -e that names only tracepoints");
		return -EINVAL;
	}
	snprintf(filter, sizeof(filter), "common_pid != %d", pid);
	return parse_filter(set, from, filter, err);
}
