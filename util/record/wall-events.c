/* Wall events: see wall-events.h. */
#include "wall-events.h"
#include "../../arch/arch.h"
#include "../base/fs.h"
#include "../kernel/open.h"
#include "../kernel/tracefs.h"

#include <linux/perf_event.h>
#include <string.h>

bool wall_recorded(const struct evset *set)
{
	for (u32 i = 0; i < set->ev.nr; i++) {
		const struct event *ev = evset_at(set, i);

		if (ev->dummy && !strcmp(ev->name, WALL_DUMMY_NAME))
			return true;
	}
	return false;
}

/* one is opened for a CPU: settings, capabilities and security modules have their say */
bool wall_tracepoints_permitted(const char **ret_why)
{
	struct pe_attr a = { .type = PERF_TYPE_TRACEPOINT, .size = sizeof(a), .sample_period = 1,
			     .sample_type = PERF_SAMPLE_RAW | PERF_SAMPLE_CALLCHAIN, .flags = ATTR_DISABLED };
	int fd;

	*ret_why = NULL;
	if (tracefs_event_id("sched", "sched_switch", &a.config, NULL) ||
	    tracefs_event_id("sched", "sched_waking", &a.config, NULL)) {
		*ret_why = "tracefs cannot be read";
		return false;
	}
	a.size = attr_size_needed(&a);
	fd = open_raw(&a, -1, 0, -1, 0);
	if (fd >= 0)
		close_raw(fd);
	else
		*ret_why = "they need CAP_PERFMON, or kernel.perf_event_paranoid of -1";
	return fd >= 0;
}

void wall_set_tracepoint(struct event *ev, bool wakers)
{
	bool waking = !strcmp(ev->tp_name, "sched_waking");
	const struct arch *arch = arch_native();

	/* each one counts, whatever -F and -c say of the samples */
	ev->term_flags |= EVENT_TERM_PERIOD;
	ev->attr.sample_period = 1;
	if (!waking) {
		/* with the stack, it tells what the call that waits is about */
		ev->attr.sample_regs_user |= arch ? arch->call_arg_reg : 0;
		if (ev->attr.sample_regs_user)
			ev->attr.sample_type |= PERF_SAMPLE_REGS_USER;
		return;
	}
	/* events of a task do not see who wakes it from outside: interrupts, other processes */
	ev->all_tasks = true;
	if (wakers)
		return;
	ev->term_flags |= EVENT_TERM_CALL_GRAPH;
	ev->term_call_graph = "no";
}

void wall_set_faults(struct event *ev)
{
	ev->term_flags |= EVENT_TERM_PERIOD | EVENT_TERM_CALL_GRAPH;
	ev->term_call_graph = "no";
	ev->attr.sample_period = 1;
	ev->attr.sample_type |= PERF_SAMPLE_ADDR;
	ev->all_tasks = true;
}

void wall_watch_all_names(struct evset *set)
{
	struct event *ev = evset_at(set, set->ev.nr - 1);

	ev->all_tasks = ev->dummy && strcmp(ev->name, WALL_DUMMY_NAME) != 0;
}

void wall_add_dummy(struct evset *set, bool switches)
{
	struct event *ev = evset_add(set, WALL_DUMMY_NAME);

	ev->dummy = true;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_DUMMY;
	ev->attr.flags = ATTR_EXCLUDE_KERNEL | ATTR_EXCLUDE_HV | ATTR_EXCLUDE_GUEST |
			 (switches ? ATTR_CONTEXT_SWITCH : 0);
}
