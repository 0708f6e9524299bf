/* BPF-event: see bpf-event.h. */
#include "bpf-event.h"

#include <linux/perf_event.h>

struct event *bpf_event_add(struct evset *set, const char *name)
{
	struct event *ev = evset_add(set, name);

	ev->leader = ev->idx;
	ev->scale = 1;
	ev->attr.type = PERF_TYPE_SOFTWARE;
	ev->attr.config = PERF_COUNT_SW_BPF_OUTPUT;
	ev->attr.sample_period = 1;
	ev->term_flags = EVENT_TERM_PERIOD;
	return ev;
}

void bpf_event_configure(struct event *ev, u64 sample_type)
{
	ev->attr.sample_type = sample_type;
	ev->attr.sample_regs_user = ev->attr.sample_regs_intr = ev->attr.branch_sample_type = 0;
	ev->attr.sample_stack_user = 0;
	ev->attr.flags &= ~(u64)(ATTR_FREQ | ATTR_DEFER_CALLCHAIN);
}

u64 bpf_event_id(const struct event *ev, const struct open_fds *f)
{
	for (size_t i = 0; i < (size_t)f->nr_cpus * f->nr_threads; i++)
		if (f->id[open_at(f, ev->idx, 0, 0) + i])
			return f->id[open_at(f, ev->idx, 0, 0) + i];
	return 0;
}
