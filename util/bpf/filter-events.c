/* Filter-events: see filter-events.h. */
#include "filter-events.h"
#include "../base/strbuf.h"
#include "bpf-filter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

bool filter_is_shared(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT ||
	       (ev->pmu && (!strcmp(ev->pmu, "kprobe") || !strcmp(ev->pmu, "uprobe")));
}

static int can_load(struct err *err)
{
	struct bpf_filter f = { .by_user = true };
	struct bpf_prog p = BPF_PROG_INIT;
	int ret = bpf_filter_load(&f, NULL, (struct filter_count){ NULL }, &p, err);

	bpf_prog_release(&p);
	return ret;
}

void filter_choose_user(struct target_opts *o, const struct evset *set, struct strbuf *notes)
{
	struct err err = ERR_INIT;

	if (!o->user || o->pids || o->tids || o->per_thread)
		return;
	vec_foreach(&set->ev, ev)
		if (filter_is_shared(*ev)) {
			strbuf_addf(notes, "-u: '%s' cannot be filtered by user: only the user's current "
				    "processes and their children are recorded\n", (*ev)->name);
			return;
		}
	o->user_is_filtered = !can_load(&err);
	if (!o->user_is_filtered)
		strbuf_addf(notes, "-u: only the user's current processes and their children are recorded: "
			    "later processes need a BPF program (%s)\n",
			    err.code == -EPERM ? "CAP_PERFMON and CAP_BPF, or root" : strerror(-err.code));
	err_clear(&err);
}

static int filter_event(const struct open_fds *f, const struct event *ev, const struct target *t,
			struct filter_count count, struct err *err)
{
	struct bpf_filter filter = { .by_user = t->by_user, .uid = t->uid };
	struct bpf_prog p = BPF_PROG_INIT;
	int ret = ev->bpf_filter ? bpf_filter_parse(&filter, ev->bpf_filter, ev->name, err) : 0;

	if (!ret)
		ret = bpf_filter_check(&filter, ev, err);
	if (!ret)
		ret = bpf_filter_load(&filter, &ev->attr, count, &p, err);
	if (!ret) {
		ret = open_set_bpf(f, ev->idx, p.fd);
		if (ret)
			err_sys(err, -ret, "samples of event '%s' cannot be filtered%s", ev->name,
				ev->bpf_filter ? "" : " by user (-u)");
	}
	bpf_prog_release(&p);
	bpf_filter_release(&filter);
	return ret;
}

static int create_counts(struct filter_counts *c, u32 nr_events, struct err *err)
{
	int ret = c->any ? 0 : bpf_map_create(&c->map, BPF_MAP_TYPE_PERCPU_ARRAY, "perf_filtered",
					      sizeof(u32), sizeof(u64), 2 * nr_events, 0, err);

	c->any = !ret;
	return ret;
}

int filter_events(struct filter_counts *counts, const struct open_fds *f, const struct evset *set,
		  const struct target *t, struct err *err)
{
	int ret = 0;

	for (u32 e = 0; !ret && e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);
		struct filter_count count = { .kept = 2 * e };

		if ((!t->by_user && !ev->bpf_filter) || ev->dummy || !ev->attr.sample_period)
			continue;
		if (ev->bpf_filter) {
			ret = create_counts(counts, f->nr_events, err);
			count.map = &counts->map;
		}
		if (!ret)
			ret = filter_event(f, ev, t, count, err);
	}
	return ret;
}

static u64 sum_of(const struct bpf_map *m, u32 key)
{
	u64 *value = xcalloc(m->nr_cpus, sizeof(*value)), sum = 0;

	if (!bpf_map_get(m, &key, value))
		for (u32 i = 0; i < m->nr_cpus; i++)
			sum += value[i];
	free(value);
	return sum;
}

struct filtered filter_counts_of(const struct filter_counts *c, u32 event)
{
	if (!c->any)
		return (struct filtered){ 0 };
	return (struct filtered){ .kept = sum_of(&c->map, 2 * event),
				  .left_out = sum_of(&c->map, 2 * event + 1) };
}

void filter_counts_release(struct filter_counts *c)
{
	if (c->any)
		bpf_map_release(&c->map);
	c->any = false;
}
