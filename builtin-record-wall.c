/* perf record --wall: the events that say where the elapsed time of threads goes. */
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/pmu/parse-events.h"
#include "util/record/wall-events.h"

#include <errno.h>

static const char *excluded_by(const struct record_opts *o)
{
	return o->attr.no_samples ? "-n" : o->attr.write_backward ? "--overwrite" :
	       o->attr.all_user ? "--all-user" : o->off_cpu ? "--off-cpu" : NULL;
}

static bool watches_cpus(const struct target_opts *t)
{
	return t->all_cpus || t->cpus || !(t->has_workload || t->pids || t->tids || t->user);
}

static int add_tracepoints(struct evset *set, struct err *err)
{
	const struct parse_events_opts po = { .option = "--wall" };
	u32 first = set->ev.nr;
	int ret = parse_events(set, "sched:sched_switch,sched:sched_waking", &po, err);

	for (u32 i = first; i < set->ev.nr && !ret; i++)
		wall_set_tracepoint(evset_at(set, i));
	return ret;
}

int record_settle_wall(struct record_args *a, struct err *err)
{
	struct record_opts *o = &a->o;
	const char *excluded = excluded_by(o), *why;
	bool permitted = wall_tracepoints_permitted(&why), cpus = watches_cpus(&o->observe.target);
	int ret;

	if (excluded)
		return err_set(err, -EINVAL, "--wall and %s exclude each other", excluded);
	if (o->attr.callgraph.mode == CALLGRAPH_NONE)
		o->attr.callgraph.mode = CALLGRAPH_FP;
	/* events of a set are ordered by time, also those of one thread */
	o->attr.timestamp = true;
	ret = permitted ? add_tracepoints(o->observe.set, err) : 0;
	wall_add_dummy(o->observe.set, !permitted || !cpus);
	if (ret)
		return ret;
	if (permitted)
		log_note("[ perf record: --wall records switches and wake-ups by tracepoints of the "
			 "scheduler ]");
	else
		log_note("[ perf record: --wall records context switches, without reasons and wakers of "
			 "waits: the scheduler's tracepoints are not permitted (%s) ]", why);
	return 0;
}
