/* Gaps: threads between two events. */
#include "gaps.h"

static struct ftrace_gap *find(struct ftrace_gaps *g, s64 task)
{
	u32 id;

	HIDX_FOREACH(&g->gap.idx, hash_u64(task), id)
		if (g->gap.v[id].task == task)
			return &g->gap.v[id];
	return NULL;
}

static s64 task_of(u32 tid, u32 cpu)
{
	return tid ? (s64)tid : -1 - (s64)cpu;
}

void ftrace_gaps_begin(struct ftrace_gaps *g, u32 tid, u32 cpu, u64 time)
{
	s64 task = task_of(tid, cpu);
	struct ftrace_gap *gap = find(g, task);

	if (!gap && g->gap.nr == FTRACE_GAPS_MAX) {
		g->nr_dropped++;
		return;
	}
	if (!gap) {
		hidx_insert(&g->gap.idx, hash_u64(task), g->gap.nr);
		gap = vec_add(&g->gap);
		gap->task = task;
	}
	gap->begin = time;
	gap->open = true;
}

void ftrace_gaps_end(struct ftrace_gaps *g, u32 tid, u32 cpu, u64 time)
{
	struct ftrace_gap *gap = find(g, task_of(tid, cpu));

	if (!gap || !gap->open)
		return;
	gap->open = false;
	if (time >= gap->begin)
		ftrace_histogram_add(g->histogram, time - gap->begin);
}

void ftrace_gaps_release(struct ftrace_gaps *g)
{
	vec_release(&g->gap);
	hidx_release(&g->gap.idx);
}
