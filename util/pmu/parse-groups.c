/* Groups: see parse-groups.h. */
#include "parse-groups.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include "../base/units.h"

#define KEY_ANY UINT64_MAX	/* software, tracepoints, breakpoints: can be in any group */
#define KEY_CORE PERF_TYPE_RAW	/* of generic events without a PMU in the upper half of config */

/* events of one key can be in one group of the kernel; events that perf reads itself are in none */
static u64 group_key(const struct event *ev)
{
	switch (ev->attr.type) {
	case PERF_TYPE_SOFTWARE:
	case PERF_TYPE_TRACEPOINT:
	case PERF_TYPE_BREAKPOINT:
		return KEY_ANY;
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return ev->attr.config >> 32 ? ev->attr.config >> 32 : KEY_CORE;
	}
	return ev->attr.type;
}

/* the key of the group for the event at i: software events go to the first PMU */
static u64 key_in_group(const struct event *const *v, u32 nr, u32 i)
{
	u64 key = group_key(v[i]);

	for (u32 k = 0; key == KEY_ANY && k < nr; k++)
		if (!event_is_tool(v[k]) && group_key(v[k]) != KEY_ANY)
			return group_key(v[k]);
	return key;
}

static struct pmu *pmu_of(struct parser *ps, const struct event *ev)
{
	u64 key = group_key(ev);

	pmus_scan(&ps->pmus);
	vec_foreach(&ps->pmus.pmu, pmu)
		if ((*pmu)->type == key || (key == KEY_CORE && (*pmu)->is_core)) {
			pmu_load(&ps->pmus, *pmu);
			return *pmu;
		}
	return NULL;
}

/*
 * several PMUs of one kind (cores of a hybrid machine, uncore_imc_0 and _1) came from one word: no note is
 * needed
 */
static bool same_kind(struct parser *ps, const struct event *a, const struct event *b)
{
	const struct pmu *pa = pmu_of(ps, a), *pb = pmu_of(ps, b);
	size_t la, lb;

	if (!pa || !pb || (pa->is_core && pb->is_core))
		return true;
	la = strcspn(pa->name, "0123456789");
	lb = strcspn(pb->name, "0123456789");
	return la == lb && !memcmp(pa->name, pb->name, la);
}

static void note_split(struct parser *ps, const struct event *a, const struct event *b)
{
	if (ps->opts->notes && !same_kind(ps, a, b))
		strbuf_addf(ps->opts->notes,
			    "a group holds events of one PMU: '%s' and '%s' are in groups of their own\n",
			    a->name, b->name);
}

/* stable: groups in the order of their first members, tool events last */
static void sort_by_pmu(struct parser *ps, u32 from)
{
	struct event **v = ps->set->ev.v + from, **sorted;
	u32 nr = ps->set->ev.nr - from, n = 0, nr_groups = 0;
	const struct event *const *all = (const struct event *const *)v;
	u64 *key = xcalloc(MAX(nr, 1u), sizeof(*key));
	bool *done = xcalloc(MAX(nr, 1u), sizeof(*done));

	sorted = xcalloc(MAX(nr, 1u), sizeof(*sorted));
	for (u32 i = 0; i < nr; i++)
		key[i] = key_in_group(all, nr, i);
	for (u32 i = 0; i < nr; i++) {
		u32 leader = n;

		if (done[i] || event_is_tool(v[i]))
			continue;
		if (nr_groups++)
			note_split(ps, sorted[0], v[i]);
		for (u32 k = i; k < nr; k++) {
			if (done[k] || event_is_tool(v[k]) || key[k] != key[i])
				continue;
			done[k] = true;
			v[k]->leader = from + leader;
			sorted[n++] = v[k];
		}
	}
	for (u32 i = 0; i < nr; i++)
		if (event_is_tool(v[i])) {
			v[i]->leader = from + n;
			sorted[n++] = v[i];
		}
	for (u32 i = 0; i < nr; i++) {
		v[i] = sorted[i];
		v[i]->idx = from + i;
	}
	free(sorted);
	free(done);
	free(key);
}

static void set_mask(const struct pmu_format *f, struct event *ev, u64 mask)
{
	const u64 words[] = { ev->attr.config, ev->attr.config1, ev->attr.config2, ev->attr.config3,
			      ev->attr.config4 };

	/* on the CPUs that have it, the field consists of whole bits from 0 up */
	pmu_format_set(f, &ev->attr, (words[f->word] & f->mask) | mask);
}

/*
 * Auto counter reload: the member before this one counts until this one has counted as much as the ratio
 * says, or vice versa; whichever comes first, both start again. acr_mask contains, by position in the group,
 * whose overflow reloads the counter.
 */
static int apply_ratio(struct parser *ps, const struct ratio *r)
{
	struct event *ev = r->ev, *prev = ev->idx > ev->leader ? evset_at(ps->set, ev->idx - 1) : NULL;
	const struct pmu *pmu = pmu_of(ps, ev);
	const struct pmu_format *f = pmu ? pmu_format(pmu, "acr_mask", strlen("acr_mask")) : NULL;
	u32 pos = ev->idx - ev->leader;

	if (!prev || pos > 63)
		return parse_err(ps, -EINVAL, r->where,
				 "ratio-to-prev is for members of a group: the ratio to the one before it");
	if (!f)
		return parse_err(ps, -EOPNOTSUPP, r->where, "ratio-to-prev needs counters that reload each "
				 "other: this PMU has no field acr_mask");
	if (!prev->attr.sample_period || (prev->attr.flags & ATTR_FREQ))
		return parse_err(ps, -EINVAL, r->where, "ratio-to-prev needs a period of the event before "
				 "it, like cycles/period=2000000/");
	ev->attr.sample_period = MAX((u64)(prev->attr.sample_period * r->value), (u64)1);
	ev->attr.flags &= ~ATTR_FREQ;
	ev->term_flags = (ev->term_flags & ~EVENT_TERM_FREQ) | EVENT_TERM_PERIOD;
	set_mask(f, prev, 1ull << pos);
	set_mask(f, ev, 1ull << pos | 1ull << (pos - 1));
	return 0;
}

int ratios_outside(struct parser *ps)
{
	int ret = 0;

	if (ps->ratio.nr)
		ret = parse_err(ps, -EINVAL, ps->ratio.v[0].where,
				"ratio-to-prev is for members of a group: the ratio to the one before it");
	return ret;
}

int group_finish(struct parser *ps, u32 from)
{
	int ret = 0;

	sort_by_pmu(ps, from);
	for (size_t i = 0; !ret && i < ps->ratio.nr; i++)
		ret = apply_ratio(ps, &ps->ratio.v[i]);
	ps->ratio.nr = 0;
	return ret;
}

int drop_without_cpus(struct parser *ps, u32 from, struct span word)
{
	for (u32 i = ps->set->ev.nr; i-- > from;)
		if (evset_at(ps->set, i)->cpus && !evset_at(ps->set, i)->nr_cpus)
			evset_remove(ps->set, i);
	return ps->set->ev.nr > from ? 0 :
	       parse_err(ps, -EINVAL, word,
			 "none of the CPUs of term cpu= is one that this event can be counted on");
}
