/* The walk of an Intel PT trace: see pt-walk.h. */
#include "pt-steps.h"

u64 pt_walk_ns(const struct pt_walk *w, u64 tsc)
{
	return w->time.known ? aux_clock_ns(&w->a->clock, tsc) : w->piece->time;
}

void pt_set_task(struct pt_walk *w)
{
	/* without a clock, the time of the records of the buffer is all that is known */
	u64 ns = w->a->clock.known ? pt_walk_ns(w, w->time.tsc) : w->piece->time;
	struct when when = { w->a->timeless ? AUX_NO_TIME : ns, UINT64_MAX };
	s32 tid = w->tid;

	w->tid = w->piece->tid;
	w->pid = -1;
	if (w->tid < 0)
		aux_thread_at(w->a, w->piece->cpu, ns, &w->pid, &w->tid);
	w->ctx = machine_sample_ctx(w->a->machine, w->pid, w->tid, when);
	if (w->pid < 0 && w->ctx.thread)
		w->pid = w->ctx.thread->pid;
	pt_code_set(w->code, &w->ctx, w->is64);
	if (w->calls && w->tid != tid && tid >= 0)
		pt_stack_clear(w->calls);
}

void pt_stop(struct pt_walk *w)
{
	w->at = NULL;
	w->at_ip = 0;
	w->async = w->aborted = w->cfe_waits = false;
	w->nr_evd = 0;
	w->bound = 0;
}

/* nothing is certain until a packet has an address again */
void pt_fail(struct pt_walk *w, enum pt_error e)
{
	pt_error(w, e, w->at_ip, 0);
	pt_stop(w);
	w->top = w->depth = 0;
}

/* a packet does not belong to the branch that b ends with */
static void mismatch(struct pt_walk *w, const struct pt_block *b)
{
	pt_error(w, PT_ERR_MISMATCH, b->last_ip, b->nr);
	pt_stop(w);
	w->top = w->depth = 0;
}

/* the walk went on and on without a packet. If it comes here again, it is in the same loop */
static void fail_endless(struct pt_walk *w)
{
	if (w->at)
		w->at->endless = w->walk;
	pt_fail(w, PT_ERR_LOOP);
}

void pt_go_to(struct pt_walk *w, u64 ip)
{
	w->at_ip = ip;
	if (likely(!w->guest)) {
		w->at = w->setup->quick ? NULL : pt_code_block(w->code, ip);
		return;
	}
	/* the same addresses of a process of the host are other code */
	if (!w->setup->quick && !w->failed)
		pt_error(w, PT_ERR_NO_CODE, ip, 0);
	w->at = NULL;
	w->at_ip = 0;
}

void pt_meet(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	if (w->setup->quick)
		pt_emit_place(w, ip, to, flags);
}

static bool has_code(struct pt_walk *w)
{
	if (likely(w->at))
		return true;
	if (w->at_ip)
		pt_fail(w, PT_ERR_NO_CODE);
	return false;
}

static inline void push(struct pt_walk *w, u64 ip, struct pt_block *call)
{
	w->top = (w->top + 1) % PT_STACK;
	w->stack[w->top].ip = ip;
	w->stack[w->top].call = call;
	w->stack[w->top].drops = *w->drops;
	w->depth += w->depth < PT_STACK;
	if (w->calls)
		pt_stack_call(w->calls, ip);
}

/* the call that the next return belongs to; NULL: there is none, or its block was dropped */
static inline struct pt_block *last_call(const struct pt_walk *w)
{
	return w->depth && w->stack[w->top].drops == *w->drops ? w->stack[w->top].call : NULL;
}

static inline u64 pop(struct pt_walk *w)
{
	u64 ip = w->stack[w->top].ip;

	if (!w->depth)
		return 0;
	w->top = (w->top - 1) % PT_STACK;
	w->depth--;
	return ip;
}

/* calls and returns that are not pushed and popped by themselves */
static void change_stack(struct pt_walk *w, const struct pt_block *b, u64 to)
{
	switch (b->kind) {
	case ARCH_FLOW_RET: case ARCH_FLOW_SYSRET: case ARCH_FLOW_IRET:
		return pt_stack_return(w->calls, to, w->measures && !w->history);
	case ARCH_FLOW_SYSCALL: case ARCH_FLOW_INT:
		return pt_stack_call(w->calls, b->next_ip);
	}
}

/* all instructions of b are executed, and its branch leads to an address */
static inline void run(struct pt_walk *w, const struct pt_block *b, struct pt_end end)
{
	w->insns += b->nr;
	w->left -= b->nr;
	if (unlikely(w->left <= 0))
		pt_emit_due(w, b, b->nr, &end);
	if (end.packet) {
		w->tsc = w->time.tsc;
		w->cycles = w->time.all_cycles;
	}
	if (end.first && (end.to || end.flags))
		w->seen = w->time.all_cycles;
	if (unlikely(w->emits_branches) && (end.to || end.flags || w->logs)) {
		if (w->logs)
			pt_log_block(w, b, b->nr);
		if (!end.to && !end.flags)
			return;
		w->exact = end.first;
		pt_emit_branch(w, b->last_ip, end.to, pt_kind_flags(b->kind) | end.flags, b->len[b->nr - 1]);
	}
}

/* true for the first branch after a packet that counts cycles */
static inline bool take_fresh(struct pt_walk *w)
{
	bool ret = w->fresh;

	w->fresh = false;
	return ret;
}

static inline void use_packet(struct pt_walk *w, const struct pt_block *b, u64 to, bool first)
{
	run(w, b, (struct pt_end){ .packet = true, .first = first, .to = to });
	if (w->calls && b->kind > ARCH_FLOW_CALL)
		change_stack(w, b, to);
}

/* to the block after b, where it jumps to or the next one */
static inline void follow(struct pt_walk *w, struct pt_block *b, bool jump)
{
	w->at_ip = jump ? b->target : b->next_ip;
	w->at = pt_code_follow(w->code, b, jump);
}

static inline bool is_plain(const struct pt_block *b)
{
	return b->kind == ARCH_FLOW_NONE || b->kind == ARCH_FLOW_PTWRITE;
}

static inline bool is_direct(const struct pt_block *b)
{
	return is_plain(b) || b->kind == ARCH_FLOW_JMP || b->kind == ARCH_FLOW_CALL;
}

/* all of a block that needs no packet, and on to the next one */
static inline void pass(struct pt_walk *w, struct pt_block *b)
{
	bool jump = !is_plain(b);

	run(w, b, (struct pt_end){ .to = jump ? b->target : 0 });
	if (b->kind == ARCH_FLOW_CALL && b->target != b->next_ip)
		push(w, b->next_ip, b);
	follow(w, b, jump);
}

/* walks to a branch that needs a packet; NULL with the error counted */
static inline struct pt_block *to_branch(struct pt_walk *w)
{
	for (u32 i = 0; i < w->setup->max_steps; i++) {
		struct pt_block *b = w->at;

		if (unlikely(!b) && !has_code(w))
			return NULL;
		if (b->endless == w->walk)
			break;
		if (!is_direct(b))
			return b;
		pass(w, b);
	}
	fail_endless(w);
	return NULL;
}

/* a compressed return */
static bool take_return(struct pt_walk *w, const struct pt_block *b, bool taken)
{
	struct pt_block *call = last_call(w);
	u64 ip = w->setup->compresses_returns && taken ? pop(w) : 0;

	if (!ip) {
		mismatch(w, b);
		return false;
	}
	use_packet(w, b, ip, take_fresh(w));
	w->at_ip = ip;
	w->at = call ? pt_code_follow(w->code, call, false) : pt_code_block(w->code, ip);
	return true;
}

/* where a compressed return leads, if that block is known */
static inline struct pt_block *known_return(const struct pt_walk *w, bool taken)
{
	struct pt_block *call = taken && w->setup->compresses_returns ? last_call(w) : NULL;

	return call ? call->to[0] : NULL;
}

static inline void return_to(struct pt_walk *w, u64 ip)
{
	pop(w);
	if (w->calls)
		pt_stack_return(w->calls, ip, w->measures && !w->history);
}

/*
 * The usual case of pt_walk_tnt(), while nothing is written and all blocks are known: the same steps
 * with registers. Stops before the first block that it cannot pass; returns the number of bits used.
 * to_call: calls and returns are written, so it stops before them
 */
static inline u32 walk_known(struct pt_walk *w, u64 bits, u32 nr, bool to_call)
{
	struct pt_block *b = w->at;
	s64 left = w->left;
	u32 used = 0;

	for (u32 i = 0; b && used < nr && i < w->setup->max_steps; i++) {
		bool is_jcc = b->kind == ARCH_FLOW_JCC, jump = is_jcc ? bits << used >> 63 : !is_plain(b);
		struct pt_block *to = b->to[jump];

		if (to_call && b->kind >= ARCH_FLOW_CALL)
			break;
		if (b->kind == ARCH_FLOW_RET)
			to = known_return(w, bits << used >> 63);
		else if (unlikely(b->kind > ARCH_FLOW_CALL))
			break;
		if (unlikely(!to || left <= b->nr))
			break;
		if (b->kind == ARCH_FLOW_CALL && b->target != b->next_ip)
			push(w, b->next_ip, b);
		else if (b->kind == ARCH_FLOW_RET)
			return_to(w, to->ip);
		left -= b->nr;
		used += is_jcc || b->kind == ARCH_FLOW_RET;
		b = to;
	}
	w->insns += w->left - left;
	w->left = left;
	w->at = b;
	w->at_ip = b ? b->ip : w->at_ip;
	if (used) {
		w->tsc = w->time.tsc;
		w->cycles = w->time.all_cycles;
	}
	if (used && w->fresh) {
		w->seen = bits >> 63 ? w->cycles : w->seen;
		w->fresh = false;
	}
	return used;
}

void pt_walk_tnt(struct pt_walk *w, u64 bits, u32 nr)
{
	bool only_calls = w->only_calls;
	u32 used;

	if (!w->at && (!w->at_ip || w->setup->quick))
		return;
	if (!w->emits_branches) {
		used = walk_known(w, bits, nr, false);
		bits <<= used;
		nr -= used;
	}
	for (; nr; nr--, bits <<= 1) {
		struct pt_block *b;
		bool taken;

		if (only_calls) {
			used = walk_known(w, bits, nr, true);
			bits <<= used;
			nr -= used;
			if (!nr)
				return;
		}
		b = to_branch(w);
		taken = bits >> 63;
		if (!b)
			return;
		if (likely(b->kind == ARCH_FLOW_JCC)) {
			use_packet(w, b, taken ? b->target : 0, take_fresh(w));
			follow(w, b, taken);
		} else if (b->kind != ARCH_FLOW_RET) {
			return mismatch(w, b);
		} else if (!take_return(w, b, taken)) {
			return;
		}
	}
}

/* the number of instructions of b before the one at ip; b->nr: it is not there */
static u32 insn_at(const struct pt_block *b, u64 ip)
{
	u64 at = b->ip;
	u32 i = 0;

	for (; i < b->nr && at != ip; i++)
		at += b->len[i];
	return i;
}

bool pt_walk_to(struct pt_walk *w, u64 ip)
{
	if (w->setup->quick)
		pt_go_to(w, ip);
	for (u32 i = 0; i < w->setup->max_steps; i++) {
		struct pt_block *b = w->at;
		u32 nr;

		if (w->at_ip == ip)
			return true;
		if (!b && !has_code(w))
			return false;
		nr = ip > b->ip && ip <= b->last_ip ? insn_at(b, ip) : b->nr;
		if (nr < b->nr) {
			if (w->logs)
				pt_log_block(w, b, nr);
			w->insns += nr;
			w->left -= nr;
			if (w->left <= 0)
				pt_emit_due(w, b, nr, &(struct pt_end){ 0 });
			pt_go_to(w, ip);
			return true;
		}
		if (b->endless == w->walk)
			break;
		if (!is_direct(b)) {
			mismatch(w, b);
			return false;
		}
		pass(w, b);
	}
	fail_endless(w);
	return false;
}

/* a branch that no instruction made, at the time of the packet */
static void branch(struct pt_walk *w, u64 from, u64 to, u32 flags)
{
	w->tsc = w->time.tsc;
	w->cycles = w->time.all_cycles;
	w->exact = take_fresh(w);
	if (w->exact)
		w->seen = w->cycles;
	if (w->emits_branches)
		pt_emit_branch(w, from, to, flags, from && w->at ? w->at->len[0] : 0);
}

/* what a MODE.Exec packet said happens at this branch or instruction */
static inline void begin_change(struct pt_walk *w)
{
	w->change_ip = 0;
	if (unlikely(w->next_off != w->irqs_off))
		w->change = PT_CHANGES;
}

static inline void end_change(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	if (likely(!w->change))
		return;
	pt_tell_iflag(w, ip, to, flags);
	w->irqs_off = w->next_off;
	w->change = PT_SAME;
	w->bound &= ~(1ull << PT_MODE_EXEC);
}

/* the trace begins, or goes on where nothing was certain */
static void begin(struct pt_walk *w, u64 ip)
{
	pt_error_end(w);
	pt_traced(w, true);
	pt_set_task(w);
	w->guest = w->next_guest;
	pt_go_to(w, ip);
	for (u32 i = 0; i < ARRAY_SIZE(w->told); i++)	/* cycles before are of code that was not traced */
		w->told[i].cycles += w->time.all_cycles - w->cycles;
	w->seen += w->time.all_cycles - w->cycles;
	begin_change(w);
	branch(w, 0, ip, INSN_BRANCH | INSN_TRACE_BEGIN);
	end_change(w, 0, ip, INSN_BRANCH | INSN_TRACE_BEGIN);
	pt_meet(w, ip, 0, 0);
}

/* from user code to the kernel, and back: only there the task changes */
static void change_task(struct pt_walk *w, u64 from, u64 to)
{
	if ((from ^ to) >> 63)
		pt_set_task(w);
}

/* something interrupted the program at fup_ip: an event, or the end of a transaction */
static void interrupt(struct pt_walk *w, u64 to, u32 end)
{
	u32 flags = INSN_BRANCH | INSN_CALL | INSN_ASYNC | INSN_INTERRUPT;

	w->async = false;
	if (w->aborted) {
		flags = INSN_BRANCH | INSN_TX_ABORT;
	} else if (end) {
		flags = INSN_BRANCH | INSN_ASYNC;
	}
	begin_change(w);
	if (w->cfe_waits)
		pt_emit_evt(w, w->fup_ip, to, flags | end);
	pt_tell_iflag(w, w->fup_ip, to, flags | end);
	pt_meet(w, w->fup_ip, to, flags | end);
	if (w->aborted)
		pt_emit_transaction(w, w->fup_ip, to, flags);
	w->aborted = false;
	branch(w, w->fup_ip, to, flags | end);
	end_change(w, w->fup_ip, to, flags | end);
	if (flags & INSN_CALL && w->calls)
		pt_stack_call(w->calls, w->fup_ip);
}

/* the processor enters a virtual machine; branches do not show its addresses */
static void enter_guest(struct pt_walk *w)
{
	struct pt_block *b = w->async || w->setup->quick || (!w->at && !w->at_ip) ? NULL : to_branch(w);

	if (w->async)
		interrupt(w, 0, 0);
	if (b && b->kind == ARCH_FLOW_JCC)
		mismatch(w, b);
	else if (b)
		run(w, b, (struct pt_end){ .packet = true, .first = take_fresh(w), .flags = INSN_BRANCH });
	w->top = w->depth = 0;
	w->guest = true;
}

/* in a virtual machine, or into and out of one */
static void walk_guest_tip(struct pt_walk *w, u64 ip)
{
	if (!w->guest)
		enter_guest(w);
	w->async = false;
	if (!w->next_guest)
		return ip ? begin(w, ip) : (void)0;
	pt_go_to(w, ip);
	if (ip)
		pt_meet(w, ip, 0, 0);
}

static void walk_tip(struct pt_walk *w, u64 ip)
{
	struct pt_block *b;
	u64 from = w->fup_ip;

	if (unlikely(w->guest || w->next_guest))
		return walk_guest_tip(w, ip);
	if (w->async) {
		interrupt(w, ip, 0);
	} else if (!w->at && !w->at_ip) {
		return ip ? begin(w, ip) : (void)0;
	} else if (!w->setup->quick) {
		b = to_branch(w);
		if (b && (b->kind == ARCH_FLOW_JCC || !ip)) {
			mismatch(w, b);
			b = NULL;
		}
		if (!b)
			return ip ? begin(w, ip) : (void)0;
		from = b->last_ip;
		begin_change(w);
		use_packet(w, b, ip, take_fresh(w));
		end_change(w, from, ip, pt_kind_flags(b->kind));
		if (b->kind == ARCH_FLOW_CALL_INDIRECT)
			push(w, b->next_ip, b);
		else if (b->kind == ARCH_FLOW_RET)
			pop(w);
	}
	change_task(w, from ? from : w->at_ip, ip);
	pt_go_to(w, ip);
	begin_change(w);
	pt_tell_iflag(w, ip, 0, 0);	/* without code: whatever is executed there */
	if (ip)
		pt_meet(w, ip, 0, 0);
	end_change(w, ip, 0, 0);
}

/* the branch that left what is traced: an indirect one, or a direct one to that address (0: not known) */
static struct pt_block *to_end(struct pt_walk *w, u64 ip)
{
	for (u32 i = 0; i < w->setup->max_steps; i++) {
		struct pt_block *b = w->at;

		if (!b && !has_code(w))
			return NULL;
		if (b->endless == w->walk)
			break;
		if (!is_direct(b) && b->kind != ARCH_FLOW_JCC)
			return b;
		if (!is_plain(b) && ip && b->target == ip)
			return b;
		if (b->kind == ARCH_FLOW_JCC) {
			mismatch(w, b);
			return NULL;
		}
		pass(w, b);
	}
	fail_endless(w);
	return NULL;
}

static void leave(struct pt_walk *w, struct pt_block *b, u64 ip)
{
	begin_change(w);
	run(w, b, (struct pt_end){ .packet = true, .first = take_fresh(w), .to = ip,
				   .flags = INSN_TRACE_END });
	end_change(w, b->last_ip, ip, pt_kind_flags(b->kind) | INSN_TRACE_END);
}

static void walk_pgd(struct pt_walk *w, u64 ip)
{
	struct pt_block *b;

	if (unlikely(w->guest)) {
		w->async = false;
	} else if (w->async) {
		interrupt(w, ip, INSN_TRACE_END);
	} else if (!w->setup->quick && (w->at || w->at_ip)) {
		b = to_end(w, ip);
		if (b)
			leave(w, b, ip);
	}
	pt_traced(w, false);
	pt_stop(w);
}

/* the FUP of packets before it: events of Event Trace, which come before the sample of the instruction */
static void happen(struct pt_walk *w, u64 ip)
{
	if (w->bound >> PT_MODE_EXEC & 1)
		begin_change(w);
	if (w->bound >> PT_CFE & 1)
		pt_emit_evt(w, ip, 0, 0);
	pt_tell_iflag(w, ip, 0, 0);
}

/* the FUP of packets before it: that is where they happened */
static void settle(struct pt_walk *w, u64 ip)
{
	if (w->change) {
		end_change(w, ip, 0, 0);
		w->change_ip = w->left <= 1 ? ip : 0;	/* if it is a sample, it changes that */
	}
	if (w->bound >> PT_PTW & 1)
		pt_emit_made(w, PT_EV_PTWRITE, ip, w->ptwrite, true);
	if (w->bound >> PT_BEP & 1)
		pt_emit_pebs(w, ip);
	if (w->bound >> PT_EXSTOP & 1)
		pt_emit_made(w, PT_EV_EXSTOP, ip, 0, true);
	if (w->bound >> PT_MODE_TSX & 1 && !w->aborted)
		pt_emit_transaction(w, ip, 0, 0);
}

static void walk_fup(struct pt_walk *w, u64 ip)
{
	if (w->overflow) {
		w->overflow = false;
		begin(w, ip);
		return;
	}
	if (w->at || w->at_ip) {
		if (!pt_walk_to(w, ip))
			return;
	} else if (!w->guest && (!w->bound || w->failed)) {
		pt_go_to(w, ip);
	}	/* else branches are not traced here */
	w->fup_ip = ip;
	w->async = !w->bound || w->aborted;
	if (w->bound)
		happen(w, ip);
	if (!w->async)
		pt_meet(w, ip, 0, 0);
	if (w->bound)
		settle(w, ip);
	w->bound = 0;
}

void pt_walk_address(struct pt_walk *w, const struct pt_packet *p)
{
	u64 ip = 0;

	if (p->nr)
		ip = w->last_ip = pt_packet_ip(p, w->last_ip);
	switch (p->type) {
	case PT_TIP:
		return walk_tip(w, ip);
	case PT_TIP_PGE:
		w->async = w->overflow = w->told_missing = false;
		return ip ? begin(w, ip) : pt_stop(w);
	case PT_TIP_PGD:
		return walk_pgd(w, ip);
	default:
		if (ip)
			walk_fup(w, ip);
	}
}
