/* Switch-event: watches for events at which the next output begins. */
#include "switch-event.h"

#include <errno.h>
#include <linux/perf_event.h>

#define RING_PAGES 1

/* an event that occurs thousands of times a second by itself */
static bool is_steady(const struct pe_attr *a)
{
	if (a->type == PERF_TYPE_SOFTWARE)
		return a->config == PERF_COUNT_SW_CPU_CLOCK || a->config == PERF_COUNT_SW_TASK_CLOCK;
	return a->type != PERF_TYPE_TRACEPOINT && a->type != PERF_TYPE_BREAKPOINT;
}

static int set_attr(struct event *ev, struct err *err)
{
	struct pe_attr *a = &ev->attr;

	if (!a->sample_period && is_steady(a)) {
		err_set(err, -EINVAL,
			"event '%s' needs a period: it would switch the output at every occurrence",
			ev->name);
		err_hint(err, "give it as a term: %s/period=1000000000/", ev->pmu ? ev->pmu : ev->name);
		return err->code;
	}
	if (!a->sample_period)
		a->sample_period = 1;
	a->flags |= ATTR_DISABLED;
	a->wakeup_events = 1;
	return 0;
}

static int watch_system(struct target *t, struct err *err)
{
	*t = (struct target){ .kind = TARGET_SYSTEM };
	vec_push(&t->tids, -1);
	vec_push(&t->pids, -1);
	return cpus_online(&t->cpus, err);
}

int switch_event_open(struct switch_event *s, struct evset *set, struct loop *loop, u32 id, struct err *err)
{
	struct open_opts o = { .target = &s->target, .no_fallback = true };
	int ret = watch_system(&s->target, err);

	for (size_t i = 0; !ret && i < set->ev.nr; i++)
		ret = set_attr(evset_at(set, i), err);
	if (!ret)
		ret = open_events(&s->fds, set, &o, err);
	if (ret == -EACCES || ret == -EPERM) {
		err_set(err, ret, "watching all CPUs for '%s' needs CAP_PERFMON, "
			"or kernel.perf_event_paranoid of 0 or less", evset_at(set, 0)->name);
		err_hint(err, "this works now: --switch-output with a size, a time or SIGUSR2");
	}
	if (!ret) {
		s->set = set;
		ret = rings_map(&s->rings, &s->fds, set, RING_PAGES, err);
	}
	vec_foreach(&s->rings.r, r)
		if (!ret)
			ret = loop_add_ring(loop, r->fd, id, err);
	return ret ? err_prefix(err, "--switch-output-event: ") : 0;
}

int switch_event_enable(const struct switch_event *s, struct err *err)
{
	return s->set ? open_enable(&s->fds, s->set, err) : 0;
}

bool switch_event_take(struct switch_event *s)
{
	bool any = false;

	vec_foreach(&s->rings.r, r) {
		struct iovec iov[2];

		any |= ring_peek(r, iov) > 0;
		ring_consume(r);
	}
	return any;
}

void switch_event_release(struct switch_event *s)
{
	rings_unmap(&s->rings);
	if (s->set)
		open_release(&s->fds);
	target_release(&s->target);
	s->set = NULL;
}
