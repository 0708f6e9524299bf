/* Record-info: the contents of a recording's header. */
#include "record-info.h"
#include "../host/hostinfo.h"
#include "tracing-data.h"
#include "../data/features-write.h"

#include <time.h>

static void gather_clock(struct features *f, const struct sample_attr_opts *a)
{
	struct timespec res, now, tod;

	if (!a->use_clockid)
		return;
	if (!clock_getres(a->clockid, &res)) {
		f->clockid_res_ns = res.tv_sec * 1000000000ull + res.tv_nsec;
		feature_set(f, FEAT_CLOCKID);
	}
	if (!clock_gettime(CLOCK_REALTIME, &tod) && !clock_gettime(a->clockid, &now)) {
		f->clockid = a->clockid;
		f->clock_tod_ns = tod.tv_sec * 1000000000ull + tod.tv_nsec;
		f->clock_ns = now.tv_sec * 1000000000ull + now.tv_nsec;
		feature_set(f, FEAT_CLOCK_DATA);
	}
}

void record_info_groups(struct features *f, const struct evset *set)
{
	struct { VEC(struct feat_group); } groups = { 0 };

	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);
		u32 nr = 0;

		if (ev->leader != i)
			continue;
		for (u32 k = i; k < set->ev.nr; k++)
			nr += evset_at(set, k)->leader == i;
		if (nr > 1)
			vec_push(&groups, (struct feat_group){ ev->group_name ? ev->group_name :
							       "{anon_group}", i, nr });
	}
	if (groups.nr) {
		f->nr_groups = groups.nr;
		f->groups = arena_memdup(&f->arena, groups.v, groups.nr * sizeof(*groups.v));
		feature_set(f, FEAT_GROUP_DESC);
	}
	vec_release(&groups);
}

int record_info_gather(struct features *f, const struct record_opts *o, struct err *err)
{
	hostinfo_gather(f, o->version);
	hostinfo_cmdline(f, o->argc, o->cmdline);
	record_info_groups(f, o->observe.set);
	gather_clock(f, &o->attr);
	feature_set(f, FEAT_EVENT_DESC);
	feature_set(f, FEAT_BPF_PROG_INFO);
	feature_set(f, FEAT_BPF_BTF);
	if (o->attr.branch_sample_type)
		feature_set(f, FEAT_BRANCH_STACK);
	return tracing_data_gather(f, o->observe.set, err);
}
