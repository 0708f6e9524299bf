/*
 * Intel PT by libipt, Intel's own decoder (intel-pt.decoder=libipt): a second decoder to compare with. It
 * walks each stream from its begin to its end in one thread, with the code that the first one has, and tells
 * single instructions, which become the same samples.
 */
#include "ipt-plugin.h"
#include "pt-steps.h"
#include "../base/plugin.h"

#include <stdio.h>
#include <stdlib.h>

/* the last instruction waits here until it is known where it led */
struct second {
	struct pt_walk w;
	struct ipt_insn insn;
	u8 raw[16];
	bool has_insn;
	bool side;		/* of the code that is read: the kernel */
	bool set;
};

static void set_tsc(struct second *s, u64 tsc)
{
	struct pt_walk *w = &s->w;

	if (!tsc || (w->time.known && tsc <= w->time.tsc))
		return;
	w->time.known = true;
	w->time.tsc = tsc;
	w->tsc = tsc;
	w->timed_insns = w->insns;
	pt_emit_time(w);
}

static u32 read_code(void *ctx, u64 ip, u8 *to, u32 size)
{
	struct second *s = ctx;

	if (!s->set || s->side != ip >> 63) {
		pt_set_task(&s->w);
		s->set = true;
		s->side = ip >> 63;
	}
	return pt_code_read(s->w.code, ip, to, size);
}

/* the last instruction is over: it led to an address, 0: not known, or to nothing that is traced */
static void settle(struct second *s, u64 to, bool known, u32 flags)
{
	const struct ipt_insn *i = &s->insn;
	struct pt_walk *w = &s->w;
	struct pt_block b = { .ip = i->ip, .last_ip = i->ip, .next_ip = i->ip + i->size, .len = &i->size,
			      .byte = s->raw, .nr = 1 };
	struct arch_flow flow;
	struct pt_end end = { .packet = true, .flags = flags };

	if (!s->has_insn)
		return;
	s->has_insn = false;
	if (arch_x86.insn_flow(s->raw, i->size, i->is64, &flow))
		b.kind = flow.kind;
	if (known && pt_kind_flags(b.kind) && !(b.kind == ARCH_FLOW_JCC && to == b.next_ip && !flags))
		end.to = to;
	w->insns++;
	w->left--;
	if (w->left <= 0)
		pt_emit_due(w, &b, 1, &end);
	if (w->emits_branches && (end.to || end.flags))
		pt_emit_branch(w, i->ip, end.to, pt_kind_flags(b.kind) | flags, i->size);
	pt_keep_call(w, &b, end.to);
}

static void on_insn(void *ctx, const struct ipt_insn *insn)
{
	struct second *s = ctx;

	settle(s, insn->ip, true, 0);
	pt_error_end(&s->w);
	set_tsc(s, insn->tsc);
	s->insn = *insn;
	memcpy(s->raw, insn->raw, MIN(insn->size, (u8)sizeof(s->raw)));
	s->has_insn = true;
}

static void on_event(void *ctx, enum ipt_event e, u64 from, u64 to, u64 tsc)
{
	u32 flags = INSN_BRANCH | INSN_ASYNC | (e == IPT_ASYNC ? INSN_CALL | INSN_INTERRUPT : INSN_TRACE_END);
	struct second *s = ctx;
	struct pt_walk *w = &s->w;

	settle(s, e == IPT_END ? to : from, e != IPT_OVERFLOW && e != IPT_BEGIN,
	       e == IPT_END ? INSN_TRACE_END : 0);
	set_tsc(s, tsc);
	if (e == IPT_OVERFLOW)
		pt_error(w, PT_ERR_OVERFLOW, 0, 0);
	if (e == IPT_BEGIN || (e == IPT_OVERFLOW && to)) {
		pt_error_end(w);
		pt_set_task(w);
		if (w->emits_branches)
			pt_emit_branch(w, 0, to, INSN_BRANCH | INSN_TRACE_BEGIN, 0);
	}
	if (e != IPT_ASYNC && e != IPT_ASYNC_END)
		return;
	if (w->emits_branches)
		pt_emit_branch(w, from, to, flags, 0);
	if (e == IPT_ASYNC && w->calls)
		pt_stack_call(w->calls, from);
}

static void on_error(void *ctx, enum ipt_error e, u64 ip, u64 tsc)
{
	static const enum pt_error error[] = {
		[IPT_NO_CODE] = PT_ERR_NO_CODE, [IPT_MISMATCH] = PT_ERR_MISMATCH,
		[IPT_BAD] = PT_ERR_BAD_PACKET,
	};
	struct second *s = ctx;

	settle(s, 0, false, 0);
	set_tsc(s, tsc);
	pt_error(&s->w, error[e], ip, 0);
}

static int events(struct aux *a, struct err *err)
{
	static const char not_here[] = "wpxqIydoGL";
	const struct ipt_plugin_ops *plugin;
	struct pt_setup *setup;

	plugin = plugin_load("libipt", sizeof(*plugin), err);
	if (!plugin) {
		err_prefix(err, "intel-pt.decoder=libipt: ");
		return err->code;
	}
	a->opts.quick = 0;
	if (!a->opts.letters)
		a->opts.letters = a->opts.lists ? itrace_letter('c') | itrace_letter('e') :
				  itrace_letter('i') | itrace_letter('g') | itrace_letter('e');
	for (const char *p = not_here; *p; p++)
		a->opts.letters &= ~itrace_letter(*p);
	if (pt_events(a, err))
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
	const struct pt_setup *setup = a->setup;
	struct branch_entry last[ITRACE_FRAMES_MAX];
	struct pt_stack *calls = setup->keeps_calls ? xcalloc(1, sizeof(*calls)) : NULL;
	struct second s = {
		.w = { .a = a, .setup = setup, .piece = piece, .out = out, .code = out->worker,
		       .time = setup->time, .is64 = true, .pid = -1, .tid = piece->tid, .calls = calls,
		       .last = last, .emits_branches = a->event[PT_EV_BRANCHES].on || setup->last },
	};
	struct ipt_setup c = {
		.begin = piece->b.p, .end = piece->b.p + piece->b.len, .num = setup->time.num,
		.den = setup->time.den, .mtc_freq = setup->time.mtc_shift, .nom_freq = setup->time.max_ratio,
	};
	const struct ipt_host host = { &s, read_code, on_insn, on_event, on_error };
	const char *cpuid = a->data->feat.cpuid;

	if (!cpuid || sscanf(cpuid, "GenuineIntel,%u,%u,%u", &c.family, &c.model, &c.stepping) != 3)
		c.family = 0;
	pt_emit_start(&s.w);
	setup->second->decode(&c, &host);
	settle(&s, 0, false, 0);
	if (a->event[PT_EV_INSTRUCTIONS].on && setup->ticks)
		out->rest[PT_EV_INSTRUCTIONS] = s.w.insns - s.w.sampled;
	free(calls);
}

const struct aux_kind aux_kind_intel_pt_libipt = {
	.type = 1, .name = "Intel PT (libipt)", .letters = "ibcreglsZ", .events = events, .cut = cut,
	.worker_new = pt_worker_new, .worker_free = pt_worker_free, .decode = decode,
};
