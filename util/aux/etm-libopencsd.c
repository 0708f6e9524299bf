/*
 * CoreSight by libopencsd, Arm's own decoder (coresight.decoder=libopencsd): of ETMv3 and PTM, and of ETMv4
 * and ETE, to compare with. Only where users ask for it: version 1.3 crashes on damaged traces. It walks the
 * stream of each source from its begin to its end in one thread, with the code that the first decoder has,
 * and tells ranges of instructions, which become the same samples.
 */
#include "csd-plugin.h"
#include "etm-walk.h"
#include "../base/plugin.h"

#include <stdlib.h>
#include <string.h>

/* the last range waits here until it is known where it led */
struct csd_walk {
	struct etm_walk e;
	struct csd_range last;
	bool has_last;
	bool placed;		/* it is known where the trace is, so that the next count begins there */
	u64 tsc;		/* when its last instruction was decided */
	s32 pid, tid;		/* and who ran */
	u8 len[PT_BLOCK_INSNS];
	u32 nr_len;		/* of them, the lengths of A64 and A32 */
};

static const u8 kind_of[] = {
	[CSD_PLAIN] = ARCH_FLOW_NONE, [CSD_COND] = ARCH_FLOW_JCC, [CSD_JUMP] = ARCH_FLOW_JMP,
	[CSD_CALL] = ARCH_FLOW_CALL, [CSD_INDIRECT] = ARCH_FLOW_JMP_INDIRECT,
	[CSD_CALL_INDIRECT] = ARCH_FLOW_CALL_INDIRECT, [CSD_RETURN] = ARCH_FLOW_RET,
	[CSD_ERET] = ARCH_FLOW_IRET, [CSD_BARRIER] = ARCH_FLOW_BARRIER, [CSD_WAIT] = ARCH_FLOW_WAIT,
};

static u32 read_code(void *ctx, u64 ip, u8 *to, u32 size)
{
	struct csd_walk *s = ctx;

	etm_set_task(&s->e);
	return pt_code_read(s->e.w.code, ip, to, size);
}

static void on_place(void *ctx, u64 off)
{
	struct pt_walk *w = &((struct csd_walk *)ctx)->e.w;

	w->off = w->piece->b.off + off;
}

/* the bytes of an instruction of T32 */
static u32 thumb_len(struct csd_walk *s, u64 ip)
{
	u8 half[2];

	return read_code(s, ip, half, sizeof(half)) == sizeof(half) && half[1] >= 0xe8 ? 4 : 2;
}

/* the lengths of nr instructions from ip on, in s->len; returns their sum */
static u32 set_lens(struct csd_walk *s, u64 ip, u32 nr)
{
	u32 sum = 0;

	if (!s->last.is_thumb) {
		memset(s->len, 4, nr);
		return nr * 4;
	}
	for (u32 i = 0; i < nr; i++) {
		s->len[i] = thumb_len(s, ip + sum);
		sum += s->len[i];
	}
	return sum;
}

static void run(struct pt_walk *w, const struct pt_block *b, struct pt_end end)
{
	w->insns += b->nr;
	w->left -= b->nr;
	w->tsc = w->time.tsc;
	if (w->left <= 0)
		pt_emit_due(w, b, b->nr, &end);
	if (w->emits_branches && (end.to || end.flags))
		pt_emit_branch(w, b->last_ip, end.to, pt_kind_flags(b->kind) | end.flags, b->len[b->nr - 1]);
}

/* the instructions of the last range, in blocks; the last one led to an address (0: not known) */
static void run_last(struct csd_walk *s, u64 to, u32 flags)
{
	const struct csd_range *r = &s->last;
	struct pt_walk *w = &s->e.w;
	u64 ip = r->ip;

	for (u32 left = r->nr; left;) {
		struct pt_block b = { .ip = ip, .len = s->len, .nr = MIN(left, (u32)PT_BLOCK_INSNS) };
		struct pt_end end = { 0 };

		b.next_ip = ip + set_lens(s, ip, b.nr);
		b.last_ip = b.next_ip - s->len[b.nr - 1];
		left -= b.nr;
		ip = b.next_ip;
		if (!left) {
			b.kind = kind_of[r->last];
			end.packet = b.kind != ARCH_FLOW_NONE;
			end.to = r->taken && pt_kind_flags(b.kind) ? to : 0;
			end.flags = r->taken && pt_kind_flags(b.kind) ? flags : 0;
		}
		run(w, &b, end);
		if (!left)
			pt_keep_call(w, &b, end.to);
	}
}

static bool is_direct(enum csd_insn last)
{
	return last == CSD_COND || last == CSD_JUMP || last == CSD_CALL;
}

/* where the direct branch at the end of the last range leads to, as its code says; 0: not known */
static u64 target_of(struct csd_walk *s)
{
	const struct csd_range *r = &s->last;
	struct arch_flow flow;
	u8 code[4];

	if (!r->is_a64 || read_code(s, r->end - 4, code, sizeof(code)) < sizeof(code) ||
	    !arch_arm64.insn_flow(code, sizeof(code), true, &flow))
		return 0;
	return r->end + flow.distance;
}

/* as it was when the last instruction was decided: addresses of direct branches need no packet */
static void settle(struct csd_walk *s, u64 to, u32 flags)
{
	struct pt_walk *w = &s->e.w;
	u64 tsc = w->time.tsc;
	s32 pid = w->pid, tid = w->tid;
	enum csd_insn last = s->last.last;

	if (!s->has_last)
		return;
	s->has_last = false;
	w->pid = s->pid;
	w->tid = s->tid;
	if (last != CSD_INDIRECT && last != CSD_CALL_INDIRECT && last != CSD_RETURN && last != CSD_ERET)
		w->time.tsc = s->tsc;
	if (!to && s->last.taken && is_direct(last))
		to = target_of(s);
	run_last(s, to, to ? 0 : flags);
	w->time.tsc = tsc;
	w->pid = pid;
	w->tid = tid;
}

static void branch(struct pt_walk *w, u64 from, u64 to, u32 flags)
{
	w->tsc = w->time.tsc;
	if (w->emits_branches)
		pt_emit_branch(w, from, to, flags, 0);
}

/* the trace begins, or goes on where nothing was certain */
static void begin(struct etm_walk *e, u64 ip)
{
	etm_set_task(e);
	e->gap = false;
	if (e->w.calls)
		pt_stack_return(e->w.calls, ip, false);
	branch(&e->w, 0, ip, INSN_BRANCH | INSN_TRACE_BEGIN);
}

static void on_range(void *ctx, const struct csd_range *r)
{
	struct csd_walk *s = ctx;
	struct pt_walk *w = &s->e.w;

	settle(s, r->ip, 0);
	if (s->e.flags)
		branch(w, s->e.from, r->ip, s->e.flags);
	s->e.flags = 0;
	if (s->e.gap)
		begin(&s->e, r->ip);
	s->e.told = false;
	s->last = *r;
	s->has_last = r->nr;
	s->tsc = w->time.tsc;
	s->pid = w->pid;
	s->tid = w->tid;
}

/* an instruction that ends a range because it made an exception is the place where that happened */
static void on_exception(void *ctx, u32 nr, u64 ip, bool is_target)
{
	struct csd_walk *s = ctx;
	struct etm_walk *e = &s->e;
	bool plain = s->has_last && s->last.last == CSD_PLAIN && s->last.end == ip;
	u8 size = s->last.last_size, code;

	settle(s, is_target || !s->last.taken ? ip : 0, 0);
	if (e->gap && ip && read_code(s, ip, &code, 1))
		begin(e, ip);
	if (e->gap || !ip)
		return;
	e->flags = etm_exception_flags(e->unit, nr);
	e->from = plain ? ip - size : ip;
	if (e->w.calls && e->flags & INSN_CALL)
		pt_stack_call(e->w.calls, ip);
	e->w.in_tx = false;
}

static void on_context(void *ctx, const struct csd_context *c)
{
	struct csd_walk *s = ctx;

	s->placed = true;
	etm_set_context(&s->e, &(struct etm_context){
		.ctx = c->ctx, .vmid = c->vmid, .has_ctx = c->has_ctx, .has_vmid = c->has_vmid,
		.is64 = c->is64,
	});
}

static void on_time(void *ctx, u64 time)
{
	etm_take_time(&((struct csd_walk *)ctx)->e, time);
}

static void on_transaction(void *ctx, bool begins)
{
	((struct csd_walk *)ctx)->e.w.in_tx = begins;
}

/* its numbers have the threshold; 0 is a packet without a number */
static void on_cycles(void *ctx, u32 nr)
{
	struct csd_walk *s = ctx;

	etm_set_count(&s->e, s->e.w.insns + (s->has_last ? s->last.nr : 0), nr, nr);
	s->e.counts = s->placed;
}

static void on_gap(void *ctx, enum csd_gap gap, u64 ip)
{
	static const enum diag_kind kind[] = {
		[CSD_OVERFLOW] = DIAG_ETM_OVERFLOW, [CSD_DAMAGE] = DIAG_AUX_BAD_PACKET,
		[CSD_NO_CODE] = DIAG_ETM_NO_CODE,
	};
	struct csd_walk *s = ctx;
	struct etm_walk *e = &s->e;

	settle(s, ip, ip ? 0 : INSN_TRACE_END);
	if (e->flags)
		branch(&e->w, e->from, ip, e->flags | (ip ? 0 : INSN_TRACE_END));
	e->flags = 0;
	e->gap = true;
	s->placed = e->counts = false;
	if (gap == CSD_STARTS || gap == CSD_ENDS || (gap == CSD_NO_CODE && e->told))
		return;
	e->told |= gap == CSD_NO_CODE;
	diag_count(&e->w.out->diag, kind[gap], e->w.off);
}

static void set_registers(const struct aux *a, const struct etm_unit *u, struct csd_setup *ret)
{
	/* where AUXTRACE_INFO has them; those of ETMv3 have the order of the enum */
	static const u8 v4[] = { CSD_CTRL, CSD_TRACE_ID, CSD_IDR0, CSD_IDR1, CSD_IDR2, CSD_IDR8 };

	for (u32 i = 0; i < u->nr; i++) {
		const char *name = etm_register(u, i);

		if (u->magic == ETM_MAGIC_V3 && i <= CSD_IDR0)
			ret->reg[i] = aux_word(&a->words, u->first + i);
		else if (u->magic != ETM_MAGIC_V3 && i < ARRAY_SIZE(v4))
			ret->reg[v4[i]] = aux_word(&a->words, u->first + i);
		else if (name && !strcmp(name, "TRCDEVARCH"))
			ret->reg[CSD_DEVARCH] = aux_word(&a->words, u->first + i);
	}
}

static enum csd_protocol protocol_of(const struct etm_unit *u, const struct csd_setup *s)
{
	enum { PTM_MAJOR = 3 };

	if (u->magic == ETM_MAGIC_V3)
		return (s->reg[CSD_IDR0] >> 8 & 15) == PTM_MAJOR ? CSD_PTM : CSD_ETMV3;
	return u->magic == ETM_MAGIC_ETE ? CSD_ETE : CSD_ETMV4;
}

static int events(struct aux *a, struct err *err)
{
	const struct csd_plugin_ops *plugin = plugin_load("libopencsd", sizeof(*plugin), err);
	struct etm_setup *setup;

	if (!plugin) {
		err_prefix(err, "coresight.decoder=libopencsd: ");
		return err->code;
	}
	if (etm_events(a, err))
		return err->code;
	setup = a->setup;
	setup->second = plugin;
	a->measures = false;	/* a stream is one piece */
	return 0;
}

static size_t cut(const struct aux_bytes *b, size_t want UNUSED, u64 *nr UNUSED)
{
	return b->len;
}

static void decode(const struct aux *a, const struct aux_piece *piece, struct aux_out *out)
{
	const struct etm_setup *setup = a->setup;
	struct branch_entry last[ITRACE_FRAMES_MAX];
	struct pt_stack *calls = setup->pt.frames ? xcalloc(1, sizeof(*calls)) : NULL;
	struct csd_walk s = { .e = {
		.w = { .a = a, .setup = &setup->pt, .piece = piece, .out = out, .pid = -1, .tid = piece->tid,
		       .code = ((struct etm_worker *)out->worker)->code, .calls = calls, .last = last,
		       .emits_branches = a->event[PT_EV_BRANCHES].on || setup->pt.last,
		       .counts_after = true },
		.unit = etm_unit_find(setup->unit, setup->nr_units, 0, piece->cpu), .tid = -1,
		.gap = true,
	} };
	const struct csd_host host = { &s, read_code, on_place, on_range, on_exception, on_context, on_time,
				       on_transaction, on_cycles, on_gap };
	struct csd_setup c = { .p = piece->b.p, .len = piece->b.len };

	if (!s.e.unit) {
		free(calls);
		return diag_count(&out->diag, DIAG_ETM_V3, piece->b.off);
	}
	s.e.timed = etm_has_times(a, s.e.unit);
	set_registers(a, s.e.unit, &c);
	c.protocol = protocol_of(s.e.unit, &c);
	etm_set_task(&s.e);
	pt_emit_start(&s.e.w);
	if (setup->second->decode(&c, &host))
		diag_count(&out->diag, DIAG_ETM_V3, piece->b.off);
	on_gap(&s, CSD_ENDS, 0);
	free(calls);
}

const struct aux_kind aux_kind_coresight_libopencsd = {
	.type = 3, .name = "Arm CoreSight (libopencsd)", .letters = "iybcregl", .pmu_word = 1,
	.pmu_shift = 32, .split = etm_split, .events = events, .cut = cut, .worker_new = etm_worker_new,
	.worker_free = etm_worker_free, .decode = decode,
};
