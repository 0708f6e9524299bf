/* The walk of an Intel PT trace: see pt-walk.h. */
#include "pt-walk.h"

#define STEPS_MAX 100000u	/* instructions or direct jumps in a row that no packet confirms */

u64 pt_walk_ns(const struct pt_walk *w, u64 tsc)
{
	return w->time.known ? aux_clock_ns(&w->a->clock, tsc) : w->piece->time;
}

/* whose code is executed: the thread of the stream, or the one that ran on its CPU then */
static void set_task(struct pt_walk *w)
{
	u64 ns = pt_walk_ns(w, w->time.tsc);
	struct sample_ctx ctx;

	s32 tid = w->tid;

	w->tid = w->piece->tid;
	w->pid = -1;
	if (w->tid < 0)
		aux_thread_at(w->a, w->piece->cpu, ns, &w->pid, &w->tid);
	ctx = machine_sample_ctx(w->a->machine, w->pid, w->tid, (struct when){ ns, UINT64_MAX });
	if (w->pid < 0 && ctx.thread)
		w->pid = ctx.thread->pid;
	pt_code_set(w->code, &ctx, w->is64);
	if (w->calls && w->tid != tid && tid >= 0)
		pt_stack_clear(w->calls);
}

static void stop(struct pt_walk *w)
{
	w->at = NULL;
	w->at_ip = 0;
	w->async = w->aborted = false;
	w->bound = 0;
}

/* nothing is certain until a packet has an address again */
static void fail(struct pt_walk *w, enum diag_kind kind)
{
	diag_count(&w->out->diag, kind, w->off);
	stop(w);
	w->top = w->depth = 0;
}

/* the walk went on and on without a packet. Whoever comes here again is in the same loop */
static void fail_endless(struct pt_walk *w)
{
	if (w->at)
		w->at->kind = PT_ENDLESS;
	fail(w, DIAG_PT_LOOP);
}

/* the next instruction is at ip. Code that is missing is only an error if a packet needs it */
static void go_to(struct pt_walk *w, u64 ip)
{
	w->at = w->setup->quick ? NULL : pt_code_block(w->code, ip);
	w->at_ip = ip;
}

/* without code, an address in a packet is all that is known */
static inline void meet(struct pt_walk *w, u64 ip, u64 to, u32 flags)
{
	if (w->setup->quick)
		pt_emit_place(w, ip, to, flags);
}

static bool has_code(struct pt_walk *w)
{
	if (likely(w->at))
		return true;
	if (w->at_ip)
		fail(w, DIAG_PT_NO_CODE);
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
		return pt_stack_return(w->calls, to, w->measures);
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
	if (unlikely(w->emits_branches) && (end.to || end.flags))
		pt_emit_branch(w, b->last_ip, end.to, pt_kind_flags(b->kind) | end.flags, b->len[b->nr - 1]);
}

static inline void use_packet(struct pt_walk *w, const struct pt_block *b, u64 to)
{
	run(w, b, (struct pt_end){ .packet = true, .to = to });
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
	for (u32 i = 0; i < STEPS_MAX; i++) {
		struct pt_block *b = w->at;

		if (unlikely(!b) && !has_code(w))
			return NULL;
		if (b->kind == PT_ENDLESS)
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
		fail(w, DIAG_PT_MISMATCH);
		return false;
	}
	use_packet(w, b, ip);
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
		pt_stack_return(w->calls, ip, w->measures);
}

/*
 * The usual case of walk_tnt(), while nothing is written and all blocks are known: the same steps, with what
 * changes in registers. Stops before the first block that it cannot pass; returns the number of bits used
 */
static inline u32 walk_known(struct pt_walk *w, u64 bits, u32 nr)
{
	struct pt_block *b = w->at;
	s64 left = w->left;
	u32 used = 0;

	for (u32 i = 0; b && used < nr && i < STEPS_MAX; i++) {
		bool is_jcc = b->kind == ARCH_FLOW_JCC, jump = is_jcc ? bits << used >> 63 : !is_plain(b);
		struct pt_block *to = b->to[jump];

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
	return used;
}

static void walk_tnt(struct pt_walk *w, u64 bits, u32 nr)
{
	u32 used;

	if (!w->at && (!w->at_ip || w->setup->quick))
		return;
	if (!w->emits_branches) {
		used = walk_known(w, bits, nr);
		bits <<= used;
		nr -= used;
	}
	for (; nr; nr--, bits <<= 1) {
		struct pt_block *b = to_branch(w);
		bool taken = bits >> 63;

		if (!b)
			return;
		if (likely(b->kind == ARCH_FLOW_JCC)) {
			use_packet(w, b, taken ? b->target : 0);
			follow(w, b, taken);
		} else if (b->kind != ARCH_FLOW_RET) {
			return fail(w, DIAG_PT_MISMATCH);
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

/* walks to the instruction at ip without any packet; false with the error counted */
static bool walk_to(struct pt_walk *w, u64 ip)
{
	if (w->setup->quick)
		go_to(w, ip);
	for (u32 i = 0; i < STEPS_MAX; i++) {
		struct pt_block *b = w->at;
		u32 nr;

		if (w->at_ip == ip)
			return true;
		if (!b && !has_code(w))
			return false;
		nr = ip > b->ip && ip <= b->last_ip ? insn_at(b, ip) : b->nr;
		if (nr < b->nr) {
			w->insns += nr;
			w->left -= nr;
			if (w->left <= 0)
				pt_emit_due(w, b, nr, &(struct pt_end){ 0 });
			go_to(w, ip);
			return true;
		}
		if (b->kind == PT_ENDLESS)
			break;
		if (!is_direct(b)) {
			fail(w, DIAG_PT_MISMATCH);
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
	if (w->emits_branches)
		pt_emit_branch(w, from, to, flags, from && w->at ? w->at->len[0] : 0);
}

/* the trace begins, or goes on where nothing was certain */
static void begin(struct pt_walk *w, u64 ip)
{
	set_task(w);
	go_to(w, ip);
	branch(w, 0, ip, INSN_BRANCH | INSN_TRACE_BEGIN);
	meet(w, ip, 0, 0);
}

/* from user code to the kernel, and back: only there the task changes */
static void change_task(struct pt_walk *w, u64 from, u64 to)
{
	if ((from ^ to) >> 63)
		set_task(w);
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
	} else if (w->calls) {
		pt_stack_call(w->calls, w->fup_ip);
	}
	meet(w, w->fup_ip, to, flags | end);
	if (w->aborted)
		pt_emit_transaction(w, w->fup_ip, to, flags);
	w->aborted = false;
	branch(w, w->fup_ip, to, flags | end);
}

static void walk_tip(struct pt_walk *w, u64 ip)
{
	struct pt_block *b;
	u64 from = w->fup_ip;

	if (w->async) {
		interrupt(w, ip, 0);
	} else if (!w->at && !w->at_ip) {
		return ip ? begin(w, ip) : (void)0;
	} else if (!w->setup->quick) {
		b = to_branch(w);
		if (b && (b->kind == ARCH_FLOW_JCC || !ip)) {
			fail(w, DIAG_PT_MISMATCH);
			b = NULL;
		}
		if (!b)
			return ip ? begin(w, ip) : (void)0;
		from = b->last_ip;
		use_packet(w, b, ip);
		if (b->kind == ARCH_FLOW_CALL_INDIRECT)
			push(w, b->next_ip, b);
		else if (b->kind == ARCH_FLOW_RET)
			pop(w);
	}
	change_task(w, from ? from : w->at_ip, ip);
	go_to(w, ip);
	if (ip)
		meet(w, ip, 0, 0);
}

/* the branch that left what is traced: an indirect one, or a direct one to that address (0: not known) */
static struct pt_block *to_end(struct pt_walk *w, u64 ip)
{
	for (u32 i = 0; i < STEPS_MAX; i++) {
		struct pt_block *b = w->at;

		if (!b && !has_code(w))
			return NULL;
		if (b->kind == PT_ENDLESS)
			break;
		if (!is_direct(b) && b->kind != ARCH_FLOW_JCC)
			return b;
		if (!is_plain(b) && ip && b->target == ip)
			return b;
		if (b->kind == ARCH_FLOW_JCC) {
			fail(w, DIAG_PT_MISMATCH);
			return NULL;
		}
		pass(w, b);
	}
	fail_endless(w);
	return NULL;
}

static void walk_pgd(struct pt_walk *w, u64 ip)
{
	struct pt_block *b;

	if (w->async) {
		interrupt(w, ip, INSN_TRACE_END);
	} else if (!w->setup->quick && (w->at || w->at_ip)) {
		b = to_end(w, ip);
		if (b)
			run(w, b, (struct pt_end){ true, ip, INSN_TRACE_END });
	}
	stop(w);
}

/* the FUP of packets before it: that is where they happened */
static void settle(struct pt_walk *w, u64 ip)
{
	if (w->bound >> PT_PTW & 1)
		pt_emit_made(w, PT_EV_PTWRITE, ip, w->ptwrite, true);
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
		if (!walk_to(w, ip))
			return;
	} else {
		go_to(w, ip);
	}
	w->fup_ip = ip;
	w->async = !w->bound || w->aborted;
	if (!w->async)
		meet(w, ip, 0, 0);
	if (w->bound)
		settle(w, ip);
	w->bound = 0;
}

static void walk_address(struct pt_walk *w, const struct pt_packet *p)
{
	u64 ip = 0;

	if (p->nr)
		ip = w->last_ip = pt_packet_ip(p, w->last_ip);
	switch (p->type) {
	case PT_TIP:
		return walk_tip(w, ip);
	case PT_TIP_PGE:
		w->async = w->overflow = false;
		return ip ? begin(w, ip) : stop(w);
	case PT_TIP_PGD:
		return walk_pgd(w, ip);
	default:
		if (ip)
			walk_fup(w, ip);
	}
}

static void set_time(struct pt_walk *w, const struct pt_packet *p)
{
	struct pt_time before = w->time;

	if (!pt_time_packet(&w->time, p) || w->time.tsc == before.tsc)
		return;
	if (before.known)
		pt_emit_time(w);
	else if (w->setup->ticks)
		pt_emit_start(w);
}

/* packets from PSB to PSBEND say how things are at this place; returns their length */
static size_t walk_psb(struct pt_walk *w, const u8 *p, size_t len)
{
	bool tell = w->piece->starts || p != w->piece->b.p;
	u64 ip = 0, last = 0;
	struct pt_packet pk;
	u8 group = PT_NO_GROUP;
	size_t at = PT_PSB_SIZE;

	for (bool done = false; at < len && !done;) {
		at += pt_packet_read(p + at, len - at, &group, &pk);
		switch (pk.type) {
		case PT_FUP:
			last = ip = pk.nr ? pt_packet_ip(&pk, last) : 0;
			break;
		case PT_MODE_EXEC:
			w->is64 = pk.payload & 1;
			break;
		case PT_MODE_TSX:
			w->in_tx = pk.payload & 1;
			break;
		case PT_PSBEND: case PT_OVF: case PT_BAD: case PT_PSB:
			done = true;
			break;
		default:
			set_time(w, &pk);
		}
	}
	w->last_ip = last;
	w->overflow = w->async = false;
	w->bound = 0;
	if (ip && (w->at || w->at_ip))
		walk_to(w, ip);
	else
		stop(w);
	w->top = w->depth = 0;
	if (w->at_ip != ip || !ip)
		stop(w);
	set_task(w);
	w->tsc = w->time.tsc;
	if (ip)
		go_to(w, ip);
	if (tell) {	/* else the piece before it did */
		pt_emit_made(w, PT_EV_PSB, ip, w->off, false);
		pt_emit_ratio(w, ip);
		if (ip)
			meet(w, ip, 0, 0);
	}
	w->ratio = w->time.ratio;
	return at;
}

/* packets of events: some get their address from an FUP that follows */
static void walk_event(struct pt_walk *w, const struct pt_packet *p)
{
	static const u8 event[] = { [PT_MWAIT] = PT_EV_MWAIT, [PT_PWRE] = PT_EV_PWRE, [PT_PWRX] = PT_EV_PWRX,
				    [PT_PTW] = PT_EV_PTWRITE, [PT_EXSTOP] = PT_EV_EXSTOP };

	switch (p->type) {
	case PT_PTW: case PT_EXSTOP: case PT_BEP:
		w->ptwrite = p->type == PT_PTW ? p->payload : w->ptwrite;
		if (p->nr)
			w->bound |= 1ull << p->type;
		else if (p->type != PT_BEP)
			pt_emit_made(w, event[p->type], w->at_ip, p->payload, false);
		break;
	case PT_MWAIT: case PT_PWRE: case PT_PWRX:
		pt_emit_made(w, event[p->type], w->at_ip, p->payload, false);
		break;
	case PT_MODE_TSX:
		w->in_tx = p->payload & 1;
		w->aborted = p->payload & 2;
		w->bound |= 1ull << p->type;
		break;
	case PT_CFE:
		w->bound |= p->payload & 0x80 ? 1ull << p->type : 0;
		break;
	}
}

static void walk_packet(struct pt_walk *w, const struct pt_packet *p)
{
	switch (p->type) {
	case PT_TNT:
		return walk_tnt(w, p->payload, p->nr);
	case PT_TIP: case PT_TIP_PGE: case PT_TIP_PGD: case PT_FUP:
		return walk_address(w, p);
	case PT_TSC: case PT_TMA: case PT_MTC: case PT_CYC:
		return set_time(w, p);
	case PT_CBR:
		set_time(w, p);
		return pt_emit_ratio(w, w->at_ip);
	case PT_MODE_EXEC:
		w->is64 = p->payload & 1;
		return set_task(w);
	case PT_OVF:
		fail(w, DIAG_PT_OVERFLOW);
		w->overflow = true;
		break;
	default:
		walk_event(w, p);
	}
}

/* a damaged place: what comes before the next PSB cannot be trusted */
static size_t skip_damage(struct pt_walk *w, const u8 *p, size_t len)
{
	const u8 *psb = pt_find_psb(p, len);

	fail(w, DIAG_AUX_BAD_PACKET);
	return psb ? (size_t)(psb - p) : len;
}

/* most packets of most traces */
static inline bool is_short_tnt(u8 byte)
{
	return !(byte & 1) && byte > 2;
}

/* the TSC packet behind the PSB that the next piece begins with; 0: there is none */
static u64 next_tsc(const struct pt_walk *w)
{
	const u8 *p = w->piece->b.p + w->piece->b.len, *end = p + w->piece->ahead;
	u8 group = PT_NO_GROUP;
	struct pt_packet pk = { .type = PT_PAD };

	while (p < end && pk.type != PT_BAD && pk.type != PT_PSBEND) {
		p += pt_packet_read(p, end - p, &group, &pk);
		if (pk.type == PT_TSC)
			return pk.payload;
	}
	return 0;
}

/* the next piece begins with the address that this one leads to */
static void walk_ahead(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;

	w->off = b->off + b->len;
	if (w->piece->ahead >= PT_PSB_SIZE && pt_find_psb(b->p + b->len, PT_PSB_SIZE) == b->p + b->len)
		walk_psb(w, b->p + b->len, w->piece->ahead);
}

/* nothing but the packets from PSB to PSBEND */
static void walk_psbs(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	const u8 *end = b->p + b->len, *p = pt_find_psb(b->p, b->len);

	while (p) {
		w->off = b->off + (p - b->p);
		p += walk_psb(w, p, end + w->piece->ahead - p);
		p = p < end ? pt_find_psb(p, end - p) : NULL;
	}
	walk_ahead(w);
}

void pt_walk_piece(struct pt_walk *w)
{
	const struct aux_bytes *b = &w->piece->b;
	const u8 *psb = pt_find_psb(b->p, b->len);
	size_t at = psb ? (size_t)(psb - b->p) : b->len;
	struct pt_packet pk;
	u8 group = PT_NO_GROUP;

	w->drops = pt_code_drops(w->code);
	w->time.limit = next_tsc(w);
	pt_emit_start(w);
	if (w->setup->quick == PT_QUICKEST)
		return walk_psbs(w);
	while (at < b->len) {
		size_t size;

		if (is_short_tnt(b->p[at]) && !group) {
			u32 bits = b->p[at] >> 1, nr = 31 - __builtin_clz(bits);

			w->off = b->off + at++;
			walk_tnt(w, (u64)bits << (64 - nr), nr);
			continue;
		}
		size = pt_packet_read(b->p + at, b->len - at, &group, &pk);

		w->off = b->off + at;
		if (pk.type == PT_PSB)
			size = walk_psb(w, b->p + at, b->len + w->piece->ahead - at);
		else if (pk.type == PT_BAD)
			size = skip_damage(w, b->p + at, b->len - at);
		else
			walk_packet(w, &pk);
		at += size;
	}
	walk_ahead(w);
}
