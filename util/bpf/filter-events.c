/* Filter-events: see filter-events.h. */
#include "filter-events.h"
#include "../base/strbuf.h"
#include "bpf-filter.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

bool filter_is_shared(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_TRACEPOINT ||
	       (ev->pmu && (!strcmp(ev->pmu, "kprobe") || !strcmp(ev->pmu, "uprobe")));
}

static int can_load(struct err *err)
{
	struct bpf_filter f = { 0 };
	struct bpf_prog p = BPF_PROG_INIT;
	int ret;

	bpf_filter_add_user(&f, 0);
	ret = bpf_filter_load(&f, NULL, &p, err);
	bpf_prog_release(&p);
	bpf_filter_release(&f);
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
			struct err *err)
{
	struct bpf_filter filter = { 0 };
	struct bpf_prog p = BPF_PROG_INIT;
	int ret = ev->bpf_filter ? bpf_filter_parse(&filter, ev->bpf_filter, ev->name, err) : 0;

	if (t->by_user)
		bpf_filter_add_user(&filter, t->uid);
	if (!ret)
		ret = bpf_filter_check(&filter, ev, err);
	if (!ret)
		ret = bpf_filter_load(&filter, &ev->attr, &p, err);
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

int filter_events(const struct open_fds *f, const struct evset *set, const struct target *t, struct err *err)
{
	int ret = 0;

	for (u32 e = 0; !ret && e < f->nr_events; e++) {
		const struct event *ev = evset_at(set, e);

		if ((t->by_user || ev->bpf_filter) && !ev->dummy && ev->attr.sample_period)
			ret = filter_event(f, ev, t, err);
	}
	return ret;
}
