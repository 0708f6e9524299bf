/* The walk of a CoreSight trace: see etm-walk.h. */
#include "etm-walk.h"

#define STEPS_MAX 1024u		/* blocks in a row without a branch: 1 MB of code */
#define SYNC_PACKETS 16u	/* as many after an ASYNC packet say how things are there */

/* what an atom means at the end of a block */
enum way {
	WAY_PLAIN,		/* nothing: it goes on */
	WAY_COND, WAY_JUMP,
	WAY_NEXT,		/* an instruction that has an atom and leads to the next one */
	WAY_INDIRECT, WAY_ENDLESS
};

static enum way way_of(const struct etm_walk *e, const struct pt_block *b)
{
	static const u8 ways[] = {
		[ARCH_FLOW_NONE] = WAY_PLAIN, [ARCH_FLOW_JCC] = WAY_COND, [ARCH_FLOW_JMP] = WAY_JUMP,
		[ARCH_FLOW_CALL] = WAY_JUMP, [ARCH_FLOW_JMP_INDIRECT] = WAY_INDIRECT,
		[ARCH_FLOW_CALL_INDIRECT] = WAY_INDIRECT, [ARCH_FLOW_RET] = WAY_INDIRECT,
		[ARCH_FLOW_IRET] = WAY_INDIRECT, [ARCH_FLOW_BARRIER] = WAY_NEXT, [ARCH_FLOW_WAIT] = WAY_NEXT,
	};

	if (b->endless == e->w.walk)
		return WAY_ENDLESS;
	return b->kind == ARCH_FLOW_WAIT && !e->unit->waits ? WAY_PLAIN : ways[b->kind];
}

void etm_set_task(struct etm_walk *e)
{
	struct pt_walk *w = &e->w;
	u64 time = w->a->timeless ? 0 : pt_walk_ns(w, w->time.tsc), ns = time ? time : AUX_NO_TIME;
	s32 old = w->tid;
	struct sample_ctx ctx;

	if (e->has_task && ns == e->task_time && e->tid == e->task_tid)
		return;
	e->has_task = true;
	e->task_time = ns;
	e->task_tid = e->tid;
	w->pid = -1;
	w->tid = e->tid >= 0 ? e->tid : w->piece->tid;
	if (w->tid < 0)
		aux_thread_at(w->a, w->piece->cpu, ns, &w->pid, &w->tid);
	ctx = machine_sample_ctx(w->a->machine, w->pid, w->tid, (struct when){ ns, UINT64_MAX });
	if (w->pid < 0 && ctx.thread)
		w->pid = ctx.thread->pid;
	pt_code_set(w->code, &ctx, true);
	if (w->calls && w->tid != old && old >= 0)
		pt_stack_clear(w->calls);
}

void etm_set_context(struct etm_walk *e, const struct etm_context *c)
{
	s32 tid = e->tid;

	e->aarch32 = !c->is64;
	if (e->unit->task == ETM_TASK_CTX && c->has_ctx)
		tid = c->ctx & INT32_MAX;
	else if (e->unit->task == ETM_TASK_VMID && c->has_vmid)
		tid = c->vmid & INT32_MAX;
	if (tid == e->tid)
		return;
	e->tid = tid;
	etm_set_task(e);
}

static void stop(struct etm_walk *e)
{
	e->w.at = NULL;
	e->w.at_ip = 0;
	e->indirect = NULL;
	e->flags = 0;
	e->returns_to = false;
	e->gap = true;
	e->counts = false;
	e->w.top = e->w.depth = 0;
}

/* nothing is certain until a packet has an address again */
static NOINLINE void fail(struct etm_walk *e, enum diag_kind kind)
{
	if (kind != DIAG_ETM_NO_CODE || !e->told)	/* once until there is code again */
		diag_count(&e->w.out->diag, kind, e->w.off);
	e->told |= kind == DIAG_ETM_NO_CODE;
	stop(e);
}

static NOINLINE void go_to(struct etm_walk *e, u64 ip)
{
	e->w.at = e->aarch32 ? NULL : pt_code_block(e->w.code, ip);
	e->w.at_ip = ip;
	if (e->w.at)
		e->told = false;
}

static bool has_code(struct etm_walk *e)
{
	if (likely(e->w.at))
		return true;
	if (e->w.at_ip)
		fail(e, e->aarch32 ? DIAG_ETM_AARCH32 : DIAG_ETM_NO_CODE);
	return false;
}

static inline void push(struct pt_walk *w, struct pt_block *call)
{
	w->top = (w->top + 1) % PT_STACK;
	w->stack[w->top].ip = call->next_ip;
	w->stack[w->top].call = call;
	w->stack[w->top].drops = *w->drops;
	w->depth += w->depth < PT_STACK;
	if (w->calls && (call->kind != ARCH_FLOW_CALL || call->target != call->next_ip))
		pt_stack_call(w->calls, call->next_ip);
}

/* the call that the next return without an address belongs to; NULL: none, or its block was dropped */
static inline struct pt_block *last_call(const struct etm_walk *e)
{
	const struct pt_walk *w = &e->w;

	if (!e->unit->returns || !w->depth || w->stack[w->top].drops != *w->drops)
		return NULL;
	return w->stack[w->top].call;
}

static inline void drop_return(struct pt_walk *w)
{
	w->top = (w->top - 1) % PT_STACK;
	w->depth--;
}

/* all instructions of b are executed, and its branch leads to an address; 0: to the next instruction */
static NOINLINE void run(struct pt_walk *w, const struct pt_block *b, struct pt_end end)
{
	w->insns += b->nr;
	w->left -= b->nr;
	w->tsc = w->time.tsc;
	if (unlikely(w->left <= 0))
		pt_emit_due(w, b, b->nr, &end);
	if (unlikely(w->emits_branches) && (end.to || end.flags))
		pt_emit_branch(w, b->last_ip, end.to, pt_kind_flags(b->kind) | end.flags, b->len[b->nr - 1]);
}

/* to the block after b, where it jumps to or the next one */
static inline void follow(struct pt_walk *w, struct pt_block *b, bool jump)
{
	w->at_ip = jump ? b->target : b->next_ip;
	w->at = pt_code_follow(w->code, b, jump);
}

/* to the block that ends with a branch; NULL with the error counted */
static NOINLINE struct pt_block *to_branch(struct etm_walk *e)
{
	for (u32 i = 0; i < STEPS_MAX; i++) {
		struct pt_block *b = e->w.at;
		enum way way;

		if (!b && !has_code(e))
			return NULL;
		way = way_of(e, b);
		if (way == WAY_ENDLESS)
			break;
		if (way != WAY_PLAIN)
			return b;
		run(&e->w, b, (struct pt_end){ 0 });
		follow(&e->w, b, false);
	}
	if (e->w.at)	/* whoever comes here again is in the same code */
		e->w.at->endless = e->w.walk;
	fail(e, DIAG_ETM_LOOP);
	return NULL;
}

/* the indirect branch led there */
static NOINLINE void settle_indirect(struct etm_walk *e, u64 to)
{
	struct pt_walk *w = &e->w;
	struct pt_block *b = e->indirect;

	e->indirect = NULL;
	run(w, b, (struct pt_end){ .packet = true, .to = to });
	if (b->kind == ARCH_FLOW_CALL_INDIRECT)
		push(w, b);
	else if (w->calls && (b->kind == ARCH_FLOW_RET || b->kind == ARCH_FLOW_IRET))
		pt_stack_return(w->calls, to, w->measures);
}

/* no address follows: it led where the last call returns to. false with the error counted */
static NOINLINE bool settle_return(struct etm_walk *e)
{
	struct pt_walk *w = &e->w;
	struct pt_block *call = last_call(e);
	u64 to = w->stack[w->top].ip;
	u8 kind = e->indirect->kind;

	if (!e->unit->returns || !w->depth || kind == ARCH_FLOW_CALL_INDIRECT || kind == ARCH_FLOW_IRET) {
		fail(e, DIAG_ETM_MISMATCH);
		return false;
	}
	drop_return(w);
	settle_indirect(e, to);
	w->at_ip = to;
	w->at = call ? pt_code_follow(w->code, call, false) : pt_code_block(w->code, to);
	return true;
}

static NOINLINE void take_atom(struct etm_walk *e, bool taken)
{
	struct pt_walk *w = &e->w;
	struct pt_block *b;

	if (e->indirect && !settle_return(e))
		return;
	b = to_branch(e);
	if (!b)
		return;
	switch (way_of(e, b)) {
	case WAY_COND:
		run(w, b, (struct pt_end){ .packet = true, .to = taken ? b->target : 0 });
		return follow(w, b, taken);
	case WAY_NEXT:
		run(w, b, (struct pt_end){ .packet = true });
		return follow(w, b, false);
	case WAY_JUMP:
		if (!taken)
			break;
		run(w, b, (struct pt_end){ .packet = true, .to = b->target });
		if (b->kind == ARCH_FLOW_CALL)
			push(w, b);
		return follow(w, b, true);
	default:
		if (!taken)
			break;
		e->indirect = b;
		w->at = NULL;
		w->at_ip = 0;
		return;
	}
	fail(e, DIAG_ETM_MISMATCH);
}

/* where a return without an address leads, if that block is known */
static inline struct pt_block *known_return(struct etm_walk *e)
{
	struct pt_block *call = last_call(e), *to = call ? call->to[0] : NULL;

	if (!to)
		return NULL;
	drop_return(&e->w);
	if (e->w.calls)
		pt_stack_return(e->w.calls, to->ip, e->w.measures);
	return to;
}

/* an atom follows a return without an address: where that led; NULL: nothing was done */
static inline struct pt_block *pass_return(struct etm_walk *e, s64 *left)
{
	u32 nr = e->indirect->nr;
	struct pt_block *to;

	if (e->indirect->kind != ARCH_FLOW_RET || *left <= nr || !(to = known_return(e)))
		return NULL;
	*left -= nr;
	e->indirect = NULL;
	return to;
}

/*
 * The usual case of take_atom(), while nothing is written and all blocks are known, with what changes in
 * registers. Stops before the first block that it cannot pass; returns the number of atoms used
 */
static inline u32 take_known(struct etm_walk *e, u32 atoms, u32 nr)
{
	struct pt_walk *w = &e->w;
	struct pt_block *b = w->at;
	s64 left = w->left;
	u32 used = 0;

	if (e->indirect) {
		b = pass_return(e, &left);
		if (!b)
			return 0;
	}
	for (u32 i = 0; b && used < nr && i < STEPS_MAX && left > b->nr; i++) {
		bool taken = atoms >> used & 1;
		bool jump = b->kind == ARCH_FLOW_JCC ? taken : b->kind != ARCH_FLOW_NONE;
		struct pt_block *to;

		if (likely(b->kind <= ARCH_FLOW_CALL)) {
			to = b->to[jump];
			if (unlikely(!to || taken < (b->kind > ARCH_FLOW_JCC)))
				break;
			if (b->kind == ARCH_FLOW_CALL)
				push(w, b);
		} else if (b->kind <= ARCH_FLOW_RET && used + 1 == nr && taken) {
			e->indirect = b;
			w->at_ip = 0;
			used++;
			b = NULL;
			break;
		} else if (b->kind != ARCH_FLOW_RET || !taken || !(to = known_return(e))) {
			break;
		}
		left -= b->nr;
		used += b->kind != ARCH_FLOW_NONE;
		b = to;
	}
	w->insns += w->left - left;
	w->left = left;
	w->at = b;
	w->at_ip = b ? b->ip : w->at_ip;
	w->tsc = w->time.tsc;
	return used;
}

static void take_atoms(struct etm_walk *e, u32 atoms, u32 nr)
{
	struct pt_walk *w = &e->w;
	u32 used = 0;

	e->returns_to = false;
	if (!w->emits_branches)
		used = take_known(e, atoms, nr);
	for (; used < nr && (w->at || w->at_ip || e->indirect); used++)
		take_atom(e, atoms >> used & 1);
}

/* a branch that no instruction of the trace made */
static void branch(struct etm_walk *e, u64 from, u64 to, u32 flags)
{
	e->w.tsc = e->w.time.tsc;
	if (e->w.emits_branches)
		pt_emit_branch(&e->w, from, to, flags, 0);
}

/* walks to the instruction at ip without an atom; false with the error counted */
static NOINLINE bool walk_to(struct etm_walk *e, u64 ip)
{
	struct pt_walk *w = &e->w;

	for (u32 i = 0; i < STEPS_MAX && w->at_ip != ip; i++) {
		struct pt_block *b = w->at;

		if (!b && !has_code(e))
			return false;
		if (ip > b->ip && ip <= b->last_ip) {
			u32 nr = (ip - b->ip) / 4;

			w->insns += nr;
			w->left -= nr;
			if (w->left <= 0)
				pt_emit_due(w, b, nr, &(struct pt_end){ 0 });
			go_to(e, ip);
			break;
		}
		if (way_of(e, b) != WAY_PLAIN)
			break;
		run(w, b, (struct pt_end){ 0 });
		follow(w, b, false);
	}
	if (w->at_ip == ip)
		return true;
	fail(e, DIAG_ETM_MISMATCH);
	return false;
}

u32 etm_exception_flags(const struct etm_unit *u, u32 nr)
{
	enum { CALL = 2, TRAP, IRQ = 14, FIQ, TRANSACTION = 24, V3_CALL = 10 };
	bool v3 = u->magic == ETM_MAGIC_V3;

	if (nr == TRANSACTION)
		return INSN_BRANCH | INSN_TX_ABORT;
	if (nr == (v3 ? V3_CALL : CALL))
		return INSN_BRANCH | INSN_CALL | INSN_SYSCALL;
	return INSN_BRANCH | INSN_CALL | INSN_INTERRUPT |
	       (nr == IRQ || nr == FIQ || nr == 0 || nr == 4 ? INSN_ASYNC : 0);
}

/* the program was interrupted before the instruction at ip, to which the exception returns */
static void interrupt(struct etm_walk *e, u64 ip)
{
	struct pt_walk *w = &e->w;
	u32 flags = etm_exception_flags(e->unit, e->exception);

	e->returns_to = false;
	if (e->indirect) {
		settle_indirect(e, ip);
		go_to(e, ip);
	}
	if (!w->at && !w->at_ip) {
		e->gap = true;
		return;
	}
	if (flags & INSN_TX_ABORT) {	/* what was executed up to there is not known */
		e->from = w->at_ip;
	} else {
		e->from = w->at_ip == ip ? ip : ip - 4;
		if (!walk_to(e, ip))
			return;
	}
	e->flags = w->at ? flags : 0;
	if (w->calls && w->at && flags & INSN_CALL)
		pt_stack_call(w->calls, ip);
	e->gap |= !w->at;
	w->at = NULL;
	w->at_ip = 0;
	w->in_tx = false;
}

static void take_exception(struct etm_walk *e, const struct etm_packet *p)
{
	if (e->indirect && !p->match_prev && !settle_return(e))
		return;
	e->exception = p->exception;
	e->returns_to = p->addr_follows;
	if (!p->addr_follows)
		stop(e);
}

/* the trace begins, or goes on where nothing was certain */
static void begin(struct etm_walk *e, u64 ip)
{
	struct pt_walk *w = &e->w;

	etm_set_task(e);
	go_to(e, ip);
	if (!w->at)
		return;
	e->gap = false;
	if (w->calls)
		pt_stack_return(w->calls, ip, w->measures);
	branch(e, 0, ip, INSN_BRANCH | INSN_TRACE_BEGIN);
}

/* what waited for an address has one */
static void settle(struct etm_walk *e, u64 to)
{
	if (e->indirect)
		settle_indirect(e, to);
	else if (e->flags)
		branch(e, e->from, to, e->flags);
	e->flags = 0;
}

static void take_address(struct etm_walk *e, const struct etm_packet *p)
{
	struct pt_walk *w = &e->w;

	if (e->returns_to)
		return interrupt(e, p->value);
	if (w->at && w->at_ip != p->value)
		fail(e, DIAG_ETM_MISMATCH);
	e->gap |= w->at_ip && w->at_ip != p->value;
	settle(e, p->value);
	if (p->has_context)
		etm_set_context(e, &p->context);
	if (e->gap)
		begin(e, p->value);
	else if (w->at_ip != p->value)
		go_to(e, p->value);
}

/* the trace stopped, or packets are missing */
static void end_trace(struct etm_walk *e)
{
	if (e->indirect)
		run(&e->w, e->indirect, (struct pt_end){ .packet = true, .flags = INSN_TRACE_END });
	else if (e->flags)
		branch(e, e->from, 0, e->flags | INSN_TRACE_END);
	stop(e);
}

/* everything up to the branch at this address was executed, and it was taken */
static void take_source(struct etm_walk *e, u64 ip)
{
	struct pt_walk *w = &e->w;

	if (e->indirect && !settle_return(e))
		return;
	for (u32 i = 0; i < STEPS_MAX; i++) {
		struct pt_block *b = w->at;
		enum way way;

		if (!b && !has_code(e))
			return;
		way = way_of(e, b);
		if (ip == b->last_ip && way != WAY_PLAIN)
			return take_atom(e, true);
		if (ip >= b->ip && ip <= b->last_ip)
			break;
		if (way != WAY_PLAIN && way != WAY_COND && way != WAY_NEXT)
			break;
		run(w, b, (struct pt_end){ 0 });
		follow(w, b, false);
	}
	fail(e, DIAG_ETM_MISMATCH);
}

/* some instructions were executed; it is not known which ones */
static void take_q(struct etm_walk *e, const struct etm_packet *p)
{
	stop(e);
	if (p->has_addr)
		take_address(e, p);
}

void etm_take(struct etm_walk *e, const struct etm_packet *p)
{
	switch (p->type) {
	case ETM_ATOM:
		return take_atoms(e, p->atoms, p->nr);
	case ETM_ADDR:
		return take_address(e, p);
	case ETM_CONTEXT:
		if (p->has_context)
			etm_set_context(e, &p->context);
		break;
	case ETM_EXCEPT:
		return take_exception(e, p);
	case ETM_SRC_ADDR:
		return take_source(e, p->value);
	case ETM_Q:
		return take_q(e, p);
	case ETM_TRANS_START: case ETM_TRANS_COMMIT:
		e->w.in_tx = p->type == ETM_TRANS_START;
		break;
	case ETM_TRACE_ON:
		return end_trace(e);
	}
}

static void add_atoms(struct etm_walk *e, u32 atoms, u32 nr)
{
	if (!e->unit->c.max_spec)
		return take_atoms(e, atoms, nr);
	for (u32 i = 0; i < nr; i++)
		etm_queue_add(e, &(struct etm_packet){ .type = ETM_ATOM, .nr = 1, .atoms = atoms >> i & 1 });
}

void etm_take_time(struct etm_walk *e, u64 time)
{
	struct pt_walk *w = &e->w;

	if (!e->timed || time < w->time.tsc)
		return;
	w->time.tsc = time;
	w->time.known = true;
}

static void take_info(struct etm_walk *e, const struct etm_packet *p)
{
	e->w.top = e->w.depth = 0;
	e->w.in_tx = p->value >> 6 & 1;
	e->threshold = p->has_count ? p->count : 0;
	if (!e->synced)
		e->skip = e->unit->c.max_spec ? p->commits : 0;
	e->synced = true;
}

static void walk_packet(struct etm_walk *e, const struct etm_packet *p)
{
	switch (p->type) {
	case ETM_TRACE_INFO:
		return take_info(e, p);
	case ETM_TIMESTAMP:
		return etm_take_time(e, p->value);
	case ETM_CCNT:
		return etm_take_count(e, p);
	case ETM_COMMIT:
		return etm_queue_commit(e, p->commits);
	case ETM_CANCEL: case ETM_MISPREDICT:
		add_atoms(e, p->atoms, p->nr);
		etm_queue_cancel(e, p->cancels);
		if (p->mispredicts)
			etm_queue_mispredict(e);
		break;
	case ETM_OVERFLOW: case ETM_DISCARD:
		etm_queue_cancel(e, UINT64_MAX);
		if (p->type == ETM_OVERFLOW)
			diag_count(&e->w.out->diag, DIAG_ETM_OVERFLOW, e->w.off);
		return end_trace(e);
	case ETM_ATOM:
		return add_atoms(e, p->atoms, p->nr);
	default:
		if (e->unit->c.max_spec)
			etm_queue_add(e, p);
		else
			etm_take(e, p);
	}
}

/* a damaged place: what comes before the next ASYNC packet cannot be trusted. Zeros alone are padding */
static size_t skip_damage(struct etm_walk *e, const u8 *p, size_t len)
{
	const u8 *async = etm_find_async(p, len);
	size_t size = async ? (size_t)(async - p) : len, zeros = 0;

	while (zeros < size && !p[zeros])
		zeros++;
	if (zeros < size)
		fail(e, DIAG_AUX_BAD_PACKET);
	return size;
}

/* packets after an ASYNC packet say how things are: the first address, and the first time (0: none) */
static void read_sync(const struct etm_walk *e, const u8 *p, size_t len, bool *ret_has_ip, u64 *ret_ip,
		      u64 *ret_time)
{
	struct etm_state s = { 0 };
	struct etm_packet pk;

	*ret_has_ip = false;
	*ret_time = 0;
	for (u32 i = 0; i < SYNC_PACKETS && len; i++) {
		size_t size = etm_packet_read(p, len, &e->unit->c, &s, &pk);

		if (pk.type == ETM_BAD || pk.type == ETM_ATOM || pk.type == ETM_EXCEPT)
			return;
		if (pk.type == ETM_TIMESTAMP && !*ret_time)
			*ret_time = pk.value;
		if (pk.type == ETM_ADDR && !*ret_has_ip) {
			*ret_has_ip = true;
			*ret_ip = pk.value;
		}
		p += size;
		len -= size;
	}
}

/* the next piece begins with the address that this one leads to */
static void end_piece(struct etm_walk *e)
{
	const struct aux_piece *piece = e->w.piece;
	const u8 *next = piece->b.p + piece->b.len;
	u64 ip = 0, time;
	bool has_ip;

	e->w.off = piece->b.off + piece->b.len;
	etm_queue_commit(e, UINT64_MAX);
	if (!piece->ahead)
		return end_trace(e);
	read_sync(e, next, piece->ahead, &has_ip, &ip, &time);
	if (has_ip && !e->returns_to)
		settle(e, ip);
}

static inline bool has_place(const struct etm_walk *e)
{
	return e->w.at || e->w.at_ip || e->indirect || e->returns_to || e->unit->c.max_spec;
}

static void walk_bytes(struct etm_walk *e, size_t at)
{
	const struct aux_bytes *b = &e->w.piece->b;
	struct etm_packet pk;

	while (at < b->len) {
		u8 h = b->p[at];
		size_t size = 1;

		e->w.off = b->off + at;
		if (h >= 0xc0 && !has_place(e)) {
			/* nothing is known until there is an address */
		} else if (h >= 0xc0) {
			add_atoms(e, e->atom[h & 63].atoms, e->atom[h & 63].nr);
		} else {
			size = etm_packet_read(b->p + at, b->len - at, &e->unit->c, &e->s, &pk);
			if (pk.type == ETM_BAD)
				size = skip_damage(e, b->p + at, b->len - at);
			else
				walk_packet(e, &pk);
		}
		at += size;
	}
}

void etm_walk_piece(struct etm_walk *e)
{
	const struct aux_bytes *b = &e->w.piece->b;
	const u8 *async = etm_find_async(b->p, b->len);
	size_t at = async ? (size_t)(async - b->p) : b->len;
	u64 ip, time;
	bool has_ip;

	e->w.drops = pt_code_drops(e->w.code);
	e->w.walk = pt_code_new_walk(e->w.code);
	e->gap = e->w.piece->starts;
	read_sync(e, b->p + at, b->len - at, &has_ip, &ip, &time);
	if (time)
		etm_take_time(e, time);
	etm_set_task(e);
	pt_emit_start(&e->w);
	walk_bytes(e, at);
	end_piece(e);
}
