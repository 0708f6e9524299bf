/* Samples of what a walk of an Intel PT trace meets. */
#include "pt-walk.h"

/* so far away that no piece reaches it */
#define NEVER (1ll << 62)

static void set_due(struct pt_walk *w, u64 ticks)
{
	w->due = (ticks & ~(w->setup->period - 1)) + w->setup->period;
	w->left = w->due - ticks;
}

void pt_emit_start(struct pt_walk *w)
{
	u64 before = w->piece->before % w->setup->period;

	if (!w->a->event[PT_EV_INSTRUCTIONS].on || w->measures) {
		w->left = NEVER;
	} else if (!w->setup->ticks) {
		w->left = w->setup->period - before;
		w->sampled = -before;
	} else {
		set_due(w, w->time.tsc);
	}
}

/* an instruction counts as a tick until the counter is known again */
void pt_emit_time(struct pt_walk *w)
{
	if (w->a->event[PT_EV_INSTRUCTIONS].on && w->setup->ticks && !w->measures)
		w->left = (s64)(w->due - w->time.tsc);
}

static void emit(struct pt_walk *w, enum pt_event nr, u64 ip, u64 addr, u64 tsc, u64 period)
{
	struct aux_sample s = {
		.ip = ip, .addr = addr, .time = pt_walk_ns(w, tsc), .period = period, .pid = w->pid,
		.tid = w->tid, .cpu = w->piece->cpu,
		.cpumode = (ip ? ip : addr) >> 63 ? CPUMODE_KERNEL : CPUMODE_USER,
	};

	aux_out_sample(w->out, &w->a->event[nr], &s);
}

/* left is how far the end of the block is behind the instruction that is due */
void pt_emit_due(struct pt_walk *w, const struct pt_block *b, u32 nr, u64 tsc)
{
	u64 ip = b->ip;
	u32 i = 0;

	while (w->left <= 0 && i < nr) {
		u32 want = w->left + (s64)nr > (s64)i + 1 ? w->left + nr - 1 : i;
		u64 insns = w->insns - nr + want + 1;

		for (; i < want; i++)
			ip += b->len[i];
		emit(w, PT_EV_INSTRUCTIONS, ip, 0, i + 1 == b->nr ? tsc : w->tsc, insns - w->sampled);
		w->sampled = insns;
		ip += b->len[i++];
		if (w->setup->ticks) {
			set_due(w, w->due - w->left - (nr - i));
			w->left -= nr - i;
		} else {
			w->left += w->setup->period;
		}
	}
}

static bool is_call(u32 kind)
{
	return kind == ARCH_FLOW_CALL || kind == ARCH_FLOW_CALL_INDIRECT || kind == ARCH_FLOW_SYSCALL ||
	       kind == ARCH_FLOW_INT;
}

static bool is_return(u32 kind)
{
	return kind == ARCH_FLOW_RET || kind == ARCH_FLOW_SYSRET || kind == ARCH_FLOW_IRET;
}

void pt_emit_branch(struct pt_walk *w, u64 from, u64 to, u32 kind, u32 flags)
{
	const struct pt_setup *s = w->setup;

	if (s->branches || (s->calls && (is_call(kind) || flags & PT_END)) ||
	    (s->returns && (is_return(kind) || flags & PT_BEGIN)))
		emit(w, PT_EV_BRANCHES, from, to, w->tsc, 1);
}
