/* Switches: see switches.h. */
#include "switches.h"

#include <stdlib.h>
#include "../base/vec.h"
#include "../base/search.h"

/* from this time on the thread runs there; tid -1: nobody knows who does */
struct aux_switch {
	u64 time;
	u32 cpu, order;
	s32 pid, tid;
};

struct aux_switches {
	struct { VEC(struct aux_switch); } of;
};

struct aux_switches *aux_switches_new(void)
{
	return xcalloc(1, sizeof(struct aux_switches));
}

void aux_switches_free(struct aux_switches *s)
{
	if (!s)
		return;
	vec_release(&s->of);
	free(s);
}

void aux_switches_add(struct aux_switches *s, const struct record_view *v, const struct sample *id)
{
	struct aux_switch w = { id->time, id->cpu, s->of.nr, id->pid, id->tid };

	if (v->type == REC_ITRACE_START) {
		w.pid = v->pid_tid.pid;
		w.tid = v->pid_tid.tid;
	} else if (v->misc & MISC_SWITCH_OUT && v->type == REC_SWITCH_CPU_WIDE) {
		w.pid = v->pid_tid.pid;
		w.tid = v->pid_tid.tid;
	} else if (v->misc & MISC_SWITCH_OUT) {
		w.pid = w.tid = -1;
	}
	vec_push(&s->of, w);
}

static int cmp_switches(const void *pa, const void *pb)
{
	const struct aux_switch *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->order < b->order ? -1 : 1;
}

void aux_switches_sort(struct aux_switches *s)
{
	if (s->of.nr)
		qsort(s->of.v, s->of.nr, sizeof(*s->of.v), cmp_switches);
}

bool aux_switches_at(const struct aux_switches *s, u32 cpu, u64 time, s32 *ret_pid, s32 *ret_tid)
{
	const struct aux_switch key = { time, cpu, UINT32_MAX, 0, 0 };
	size_t lo = LOWER_BOUND(s->of.nr, i, cmp_switches(&s->of.v[i], &key) < 0);

	if (!lo || s->of.v[lo - 1].cpu != cpu || s->of.v[lo - 1].tid < 0)
		return false;
	*ret_pid = s->of.v[lo - 1].pid;
	*ret_tid = s->of.v[lo - 1].tid;
	return true;
}
