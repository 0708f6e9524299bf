/* Samples of what a walk of an Intel PT trace meets. */
#include "history.h"
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
	const struct pt_summary *s = w->piece->before;
	u64 before = s ? s->insns % w->setup->period : 0;

	if (!w->setup->steps || w->measures || w->setup->quick) {
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
	if (w->setup->steps && w->setup->ticks && !w->measures && !w->setup->quick)
		w->left = (s64)(w->due - w->time.tsc);
}

static void emit(struct pt_walk *w, enum pt_event nr, struct aux_sample *s)
{
	s->pid = w->pid;
	s->tid = w->tid;
	s->cpu = w->piece->cpu;
	s->cpumode = (s->ip ? s->ip : s->addr) >> 63 ? CPUMODE_KERNEL : CPUMODE_USER;
	if (unlikely(w->guest))
		s->cpumode = s->cpumode == CPUMODE_KERNEL ? CPUMODE_GUEST_KERNEL : CPUMODE_GUEST_USER;
	aux_out_sample(w->out, &w->a->event[nr], s);
}

/* the number of calls before an instruction, if that is wanted */
static u64 depth_of(const struct pt_walk *w)
{
	return w->setup->depths ? (u64)w->calls->nr << INSN_DEPTH_SHIFT : 0;
}

static u32 marks_of(const struct pt_walk *w)
{
	return (w->in_tx ? INSN_IN_TX : 0) | (w->irqs_off ? INSN_IRQS_OFF : 0) |
	       (w->change ? INSN_IRQS_CHANGE : 0);
}

static u64 flags_of(const struct pt_walk *w, u32 flags, u32 len)
{
	return depth_of(w) | flags | marks_of(w) | (u64)len << INSN_LEN_SHIFT;
}

/* instructions and cycles since they were told last; both are known up to this instruction */
static u64 tell_ipc(struct pt_walk *w, enum pt_event nr, u64 insns, u64 cycles)
{
	u64 ret;

	if (cycles == w->told[nr].cycles || !(w->exact || w->setup->approx || !w->time.counts_cycles))
		return 0;
	if (w->counts_after)
		insns = w->counted;
	ret = MADE_IPC(insns - w->told[nr].insns, cycles - w->told[nr].cycles);
	w->told[nr].insns = insns;
	w->told[nr].cycles = cycles;
	return ret;
}

/* cycles that samples tell; now: up to the last packet that was used */
static u64 cycles_of(const struct pt_walk *w, u64 now)
{
	return w->time.counts_cycles || w->counts_after || w->setup->approx ? now : w->seen;
}

u32 pt_kind_flags(u32 kind)
{
	static const u32 flags[] = {
		[ARCH_FLOW_JCC] = INSN_BRANCH | INSN_CONDITIONAL, [ARCH_FLOW_JMP] = INSN_BRANCH,
		[ARCH_FLOW_CALL] = INSN_BRANCH | INSN_CALL, [ARCH_FLOW_JMP_INDIRECT] = INSN_BRANCH,
		[ARCH_FLOW_CALL_INDIRECT] = INSN_BRANCH | INSN_CALL,
		[ARCH_FLOW_RET] = INSN_BRANCH | INSN_RETURN,
		[ARCH_FLOW_SYSCALL] = INSN_BRANCH | INSN_CALL | INSN_SYSCALL,
		[ARCH_FLOW_SYSRET] = INSN_BRANCH | INSN_RETURN | INSN_SYSCALL,
		[ARCH_FLOW_INT] = INSN_BRANCH | INSN_CALL | INSN_INTERRUPT,
		[ARCH_FLOW_IRET] = INSN_BRANCH | INSN_RETURN | INSN_INTERRUPT,
		[ARCH_FLOW_VM] = INSN_BRANCH | INSN_CALL | INSN_VM_ENTRY,
		[ARCH_FLOW_FAR] = INSN_BRANCH, [ARCH_FLOW_PTWRITE] = 0, [ARCH_FLOW_BARRIER] = 0,
		[ARCH_FLOW_WAIT] = 0,
	};

	return flags[kind];
}

/* what a sample has of the way to it */
struct room {
	u64 chain[PT_FRAMES_MAX];
	struct branch_entry branch[ITRACE_FRAMES_MAX];
};

u32 pt_last_branches(const struct pt_walk *w, struct branch_entry *ret)
{
	u32 max = w->setup->last;

	for (u32 i = 0; i < w->nr_last; i++)
		ret[i] = w->last[(w->last_at + max - i) % max];
	return w->nr_last;
}

static void add_history(struct pt_walk *w, struct aux_sample *s, struct room *room)
{
	if (w->setup->frames) {
		s->chain = room->chain;
		s->nr_chain = pt_stack_chain(w->calls, s->ip, room->chain, w->setup->frames);
	}
	if (!w->setup->last)
		return;
	s->branch = room->branch;
	s->nr_branches = pt_last_branches(w, room->branch);
}

static void keep_branch(struct pt_walk *w, u64 from, u64 to, u32 flags)
{
	u64 made = w->setup->mispred_all ? BRANCH_MISPRED : 0;
	u64 tx = (w->in_tx ? BRANCH_IN_TX : 0) | (flags & INSN_TX_ABORT ? BRANCH_ABORT : 0);

	w->last_at = (w->last_at + 1) % w->setup->last;
	w->last[w->last_at] = (struct branch_entry){ from, to, made | tx };
	w->nr_last += w->nr_last < w->setup->last;
}

/* an instruction, and the cycles up to it where they are known */
static void emit_step(struct pt_walk *w, struct aux_sample *s)
{
	if (w->a->event[PT_EV_INSTRUCTIONS].on)
		emit(w, PT_EV_INSTRUCTIONS, s);
	s->period = s->made >> 32;
	if (w->a->event[PT_EV_CYCLES].on && s->period)
		emit(w, PT_EV_CYCLES, s);
}

/* only the instruction that changes something is marked: change_ip, or one that a packet decides */
static u64 insn_flags_of(struct pt_walk *w, u64 ip, u32 flags, u32 len, bool packet)
{
	u64 ret = flags_of(w, flags, len);

	if (w->change_ip && ip == w->change_ip) {
		w->change_ip = 0;
		return (ret ^ INSN_IRQS_OFF) | INSN_IRQS_CHANGE;
	}
	return packet ? ret : ret & ~(u64)INSN_IRQS_CHANGE;
}

/* one instruction; end: how the block ended, if it is the last one */
static void emit_insn(struct pt_walk *w, const struct pt_block *b, u64 ip, u32 i, u64 insns,
		      const struct pt_end *end)
{
	struct room room;
	bool packet = end && end->packet, exact;
	u32 flags = end ? pt_kind_flags(b->kind) | end->flags : 0;
	struct aux_sample s;

	if (packet)
		pt_tell_iflag(w, ip, end->to, flags);
	exact = insns == w->exact_insns;
	w->exact = exact || (end && end->first);
	if (w->exact)
		w->seen = w->time.all_cycles;
	s = (struct aux_sample){
		.ip = ip, .addr = end ? end->to : 0, .period = insns - w->sampled,
		.time = pt_walk_ns(w, packet ? w->time.tsc : w->tsc),
		.insn_flags = insn_flags_of(w, ip, flags, b->len[i], packet),
		.made = tell_ipc(w, PT_EV_INSTRUCTIONS, insns,
				 cycles_of(w, packet || exact ? w->time.all_cycles : w->cycles)),
	};

	w->sampled = insns;
	add_history(w, &s, &room);
	emit_step(w, &s);
}

/* left is the distance from the instruction that is due to the end of the block */
void pt_emit_due(struct pt_walk *w, const struct pt_block *b, u32 nr, const struct pt_end *end)
{
	u64 ip = b->ip;
	u32 i = 0;

	while (w->left <= 0 && i < nr) {
		u32 want = w->left + (s64)nr > (s64)i + 1 ? w->left + nr - 1 : i;

		for (; i < want; i++)
			ip += b->len[i];
		emit_insn(w, b, ip, i, w->insns - nr + i + 1, i + 1 == b->nr ? end : NULL);
		ip += b->len[i++];
		if (w->setup->ticks) {
			set_due(w, w->due - w->left - (nr - i));
			w->left -= nr - i;
		} else {
			w->left += w->setup->period;
		}
	}
}

void pt_keep_call(struct pt_walk *w, const struct pt_block *b, u64 to)
{
	u32 flags = pt_kind_flags(b->kind);

	if (!w->calls || !to)
		return;
	if (flags & INSN_CALL && to != b->next_ip)
		pt_stack_call(w->calls, b->next_ip);
	else if (flags & INSN_RETURN)
		pt_stack_return(w->calls, to, false);
}

void pt_emit_branch(struct pt_walk *w, u64 from, u64 to, u32 flags, u32 len)
{
	const struct pt_setup *s = w->setup;
	struct aux_sample *sample = &w->branch;

	pt_tell_iflag(w, from, to, flags);
	if (s->last)
		keep_branch(w, from, to, flags);
	if (!w->a->event[PT_EV_BRANCHES].on || w->measures)
		return;
	if (!s->branches && !(s->calls && flags & (INSN_CALL | INSN_TRACE_END)) &&
	    !(s->returns && flags & (INSN_RETURN | INSN_TRACE_BEGIN)))
		return;
	sample->ip = from;
	sample->addr = to;
	sample->period = 1;
	sample->time = pt_walk_ns(w, w->tsc);
	sample->insn_flags = flags_of(w, flags, len);
	sample->made = tell_ipc(w, PT_EV_BRANCHES, w->insns, cycles_of(w, w->cycles));
	emit(w, PT_EV_BRANCHES, sample);
}

void pt_emit_place(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	struct aux_sample s = { .ip = ip, .addr = to, .period = 1, .time = pt_walk_ns(w, w->time.tsc),
				.insn_flags = flags_of(w, flags, 0) };

	w->exact = true;
	if (w->a->event[PT_EV_CYCLES].on)
		s.made = tell_ipc(w, PT_EV_INSTRUCTIONS, w->insns, w->time.all_cycles);
	emit_step(w, &s);
}

void pt_emit_transaction(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	struct aux_sample s = { .ip = ip, .addr = to, .period = 1, .time = pt_walk_ns(w, w->time.tsc),
				.insn_flags = flags_of(w, flags, w->at ? w->at->len[0] : 0) };
	struct room room;

	if (!w->a->event[PT_EV_TRANSACTIONS].on || w->measures)
		return;
	add_history(w, &s, &room);
	emit(w, PT_EV_TRANSACTIONS, &s);
}

void pt_emit_made(struct pt_walk *w, enum pt_event nr, u64 ip, u64 made, bool exact)
{
	u64 marks = (exact ? INSN_EXACT : 0) | (w->irqs_off ? INSN_IRQS_OFF : 0);
	struct aux_sample s = { .ip = ip, .period = 1, .time = pt_walk_ns(w, w->time.tsc), .made = made,
				.insn_flags = (u64)(w->at ? w->at->len[0] : 0) << INSN_LEN_SHIFT | marks |
					      depth_of(w) };

	if (w->a->event[nr].on && !w->measures)
		emit(w, nr, &s);
}

static void put_le(u8 *p, u64 v)
{
	for (u32 i = 0; i < 8; i++)
		p[i] = v >> 8 * i;
}

void pt_emit_evt(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	u8 raw[MADE_EVT_RAW + MADE_EVT_ITEM * PT_EVD_MAX] = { (w->cfe & 0x1f) | (ip ? 0x80 : 0), w->cfe >> 8,
							      w->nr_evd };
	struct aux_sample s = { .ip = ip, .addr = to, .period = 1, .time = pt_walk_ns(w, w->time.tsc),
				.insn_flags = flags_of(w, flags, 0), .made = raw[0] | raw[1] << 8,
				.raw = raw, .raw_size = MADE_EVT_RAW + MADE_EVT_ITEM * w->nr_evd };

	for (u32 i = 0; i < w->nr_evd; i++) {
		put_le(raw + MADE_EVT_RAW + MADE_EVT_ITEM * i, w->evd_type[i]);
		put_le(raw + MADE_EVT_RAW + MADE_EVT_ITEM * i + 8, w->evd[i]);
	}
	w->cfe_waits = false;
	w->nr_evd = 0;
	if (w->a->event[PT_EV_EVT].on && !w->measures)
		emit(w, PT_EV_EVT, &s);
}

void pt_emit_iflag(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	struct aux_sample s = { .ip = ip, .addr = to, .period = 1, .time = pt_walk_ns(w, w->time.tsc),
				.insn_flags = flags_of(w, flags, 0),
				.made = (w->next_off ? 0 : MADE_IFLAG_ON) |
					(flags ? MADE_IFLAG_BRANCH : 0) };

	w->change = PT_CHANGE_TOLD;
	if (w->a->event[PT_EV_IFLAG].on && !w->measures)
		emit(w, PT_EV_IFLAG, &s);
}

/* the events that counters belong to; without records of that, the only event there is */
static bool has_counter(const struct pt_walk *w, u32 pebs)
{
	u32 event = w->setup->pebs[pebs];

	if (w->setup->nr_pebs == 1 || !(w->pebs_has >> PT_PEBS_COUNTERS & 1))
		return !pebs;
	vec_foreach(&w->a->hw_id, h)
		if (h->event == event && h->id < 64 && w->pebs[PT_PEBS_COUNTERS] >> h->id & 1 &&
		    (h->cpu == w->piece->cpu || w->piece->cpu == (u32)-1))
			return true;
	return false;
}

void pt_emit_pebs(struct pt_walk *w, u64 ip)
{
	u8 has = w->pebs_has;

	for (u32 i = 0; i < w->setup->nr_pebs && has && !w->measures; i++) {
		const struct aux_event *ev = &w->a->event[PT_EV_PEBS + i];
		struct aux_sample s = {
			.ip = has >> PT_PEBS_IP & 1 ? w->pebs[PT_PEBS_IP] : ip,
			.addr = has >> PT_PEBS_ADDR & 1 ? w->pebs[PT_PEBS_ADDR] : 0,
			.weight = has >> PT_PEBS_LATENCY & 1 ? w->pebs[PT_PEBS_LATENCY] : 0,
			.time = pt_walk_ns(w, has >> PT_PEBS_TSC & 1 ? w->pebs[PT_PEBS_TSC] : w->time.tsc),
			.period = evset_at(w->a->data->evset, ev->idx)->attr.sample_period,
		};

		if (has_counter(w, i))
			emit(w, PT_EV_PEBS + i, &s);
	}
	w->pebs_has = w->pebs_group = 0;
}

void pt_emit_history(struct pt_walk *w, u64 ns)
{
	struct room room;
	struct aux_moment *m;

	while ((m = aux_history_next(w->history, ns))) {
		u32 nr = 0, nr_branches = 0;

		if (w->tid != m->tid)	/* the trace is not of this thread */
			continue;
		if (w->setup->frames)
			nr = pt_stack_chain(w->calls, m->ip, room.chain, w->setup->frames);
		if (w->setup->last)
			nr_branches = pt_last_branches(w, room.branch);
		aux_history_put(w->history, m, room.chain, nr, room.branch, nr_branches);
	}
}

void pt_emit_ratio(struct pt_walk *w, u64 ip)
{
	u64 ratio = w->time.ratio, max = w->time.max_ratio, khz = max ? w->setup->khz * ratio / max : 0;

	if (ratio == w->ratio)
		return;
	w->ratio = ratio;
	pt_emit_made(w, PT_EV_CBR, ip, ratio | max << 16 | khz << 32, false);
}
