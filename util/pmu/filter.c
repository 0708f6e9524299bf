/* --filter: which events accept it, and joining several filters. */
#include "parse-events.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include "../base/log.h"
#include "../bpf/filter-events.h"
#include "../bpf/bpf-filter.h"
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

/* "(a) && (b)"; for other filters "a,b" */
static const char *join(struct evset *set, const char *a, const char *b, bool tracepoint)
{
	size_t size;
	char *s;

	if (!a)
		return b;
	size = strlen(a) + strlen(b) + sizeof("() && ()");
	s = arena_alloc(&set->arena, size);

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

/* of tracepoints; of tracing hardware; of all others */
enum filter_kind { FILTER_FIELDS, FILTER_ADDRESSES, FILTER_SAMPLES };
struct prepared {
	enum filter_kind kind;
	const char *text;
};

static enum filter_kind kind_of(struct pmus *pmus, const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT ? FILTER_FIELDS :
	       takes_address_filters(pmus, ev) ? FILTER_ADDRESSES : FILTER_SAMPLES;
}

static int check_samples(const struct event *ev, const char *filter, struct err *err)
{
	struct bpf_filter f = { 0 };
	int ret;

	if (filter_is_shared(ev))
		return err_set(err, -EINVAL, "samples of '%s' cannot be filtered: others may use the "
			       "same probe", ev->name);
	if (ev->attr.type == PERF_TYPE_SOFTWARE && ev->attr.config == PERF_COUNT_SW_BPF_OUTPUT)
		return err_set(err, -EINVAL, "samples of '%s' cannot be filtered: they come from "
			       "BPF programs, which can leave some out themselves", ev->name);
	ret = bpf_filter_parse(&f, filter, ev->name, err);
	bpf_filter_release(&f);
	return ret;
}

/* p->text: the filter as it is used for that event, in the set's arena */
static int prepare(struct evset *set, const struct event *ev, const char *filter, struct prepared *p,
		   struct err *err)
{
	struct strbuf out = STRBUF_INIT;
	int ret;

	if (p->kind == FILTER_FIELDS) {
		ret = check(ev, filter, err);
		strbuf_addstr(&out, filter);
	} else if (p->kind == FILTER_ADDRESSES) {
		ret = addr_filter_resolve(filter, ev->name, &out, err);
		if (!ret)
			log_v("address filter of '%s': %s", ev->name, strbuf_str(&out));
	} else {
		ret = check_samples(ev, filter, err);
		strbuf_addstr(&out, filter);
	}
	p->text = arena_strdup(&set->arena, strbuf_str(&out));
	strbuf_release(&out);
	return ret;
}

static void set_filter(struct evset *set, struct event *ev, const struct prepared *p)
{
	if (p->kind == FILTER_SAMPLES)
		ev->bpf_filter = join(set, ev->bpf_filter, p->text, false);
	else
		ev->filter = join(set, ev->filter, p->text, p->kind == FILTER_FIELDS);
}

int parse_filter(struct evset *set, u32 from, const char *filter, struct err *err)
{
	struct pmus pmus = { .scanned = false };
	struct { VEC(struct prepared); } prepared = { 0 };
	int ret = 0;

	if (from >= set->ev.nr) {
		err_set(err, -EINVAL, "a filter must follow the -e whose events it filters");
		return -EINVAL;
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++) {
		struct prepared p = { .kind = kind_of(&pmus, evset_at(set, i)) };

		ret = prepare(set, evset_at(set, i), filter, &p, err);
		vec_push(&prepared, p);
	}
	for (u32 i = from; !ret && i < set->ev.nr; i++)
		set_filter(set, evset_at(set, i), &prepared.v[i - from]);
	vec_release(&prepared);
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
