/* Type-flow: follows pointers through the blocks of a function. */
#include "type-flow-private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSNS_MAX 65536u	/* of a function: of larger ones nothing is followed */
#define BLOCKS_MAX 16384u
#define VISITS_MAX 16u		/* of all blocks */
/* instructions times places of variables: larger functions are not followed, or not looked at */
#define FOLLOW_MAX 20000000u
#define LOOK_MAX 200000000u

static const struct flow_value unknown;

const char *access_why_name(enum access_why why)
{
	static const char *const names[] = { "ok", "no_mem_ops", "stack_op", "no_dbginfo", "no_code",
					     "no_var", "bad_offset" };

	return names[why];
}

static void decode(struct flow *fl, const u8 *code, size_t nr, u64 svma)
{
	struct disasm_insn in;

	for (size_t off = 0; off < nr; off += in.size) {
		struct flow_insn *out = vec_add(&fl->insn);

		disasm_next(fl->t->disasm, code + off, nr - off, svma + off, &in);
		*out = (struct flow_insn){ .addr = in.addr, .size = in.size, .kind = in.kind,
			.effect = in.effect, .written = in.written, .known = in.has_detail,
			.nr_operands = in.nr_operands, .has_target = in.has_target, .target = in.target,
			.conditional = in.conditional };
		memcpy(out->operand, in.operand, sizeof(out->operand));
		snprintf(out->mnemonic, sizeof(out->mnemonic), "%.15s", in.mnemonic);
	}
}

static struct flow_insn *insn_at(const struct flow *fl, u64 addr)
{
	size_t lo = 0, hi = fl->insn.nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (fl->insn.v[mid].addr < addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < fl->insn.nr && fl->insn.v[lo].addr == addr ? &fl->insn.v[lo] : NULL;
}

/* whether a jump goes to, or this is, a part of the function that is elsewhere */
static bool is_elsewhere(const struct flow *fl, u64 addr)
{
	const struct flow_insn *last = &fl->insn.v[fl->insn.nr - 1];

	if (addr >= fl->insn.v[0].addr && addr <= last->addr)
		return false;
	vec_foreach(&fl->f.range, r)
		if (addr >= r->start && addr < r->end)
			return true;
	return false;
}

/* marks where blocks begin; false: the ways through the code are not known */
static bool find_blocks(struct flow *fl)
{
	bool ok = fl->insn.nr && fl->insn.nr <= INSNS_MAX && !fl->t->patched &&
		  fl->f.entry == fl->insn.v[0].addr;

	for (size_t i = 0; ok && i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];
		struct flow_insn *to = in->has_target ? insn_at(fl, in->target) : NULL;

		if (!in->known || (in->kind == DISASM_JUMP && !in->has_target))
			ok = false;
		/* into the middle of an instruction */
		if (in->kind == DISASM_JUMP && !to && in->target >= fl->insn.v[0].addr &&
		    in->target <= fl->insn.v[fl->insn.nr - 1].addr)
			ok = false;
		if (in->kind == DISASM_JUMP && is_elsewhere(fl, in->target))
			ok = false;
		if (in->kind == DISASM_JUMP && to)
			to->leads = true;
		if ((in->kind == DISASM_JUMP || in->kind == DISASM_RETURN) && i + 1 < fl->insn.nr)
			fl->insn.v[i + 1].leads = true;
	}
	if (!ok)
		return false;
	fl->insn.v[0].leads = true;
	vec_foreach(&fl->insn, in)
		if (in->leads) {
			in->block = fl->block.nr;
			vec_push(&fl->block, (struct flow_state){ 0 });
		}
	return fl->block.nr <= BLOCKS_MAX;
}

static bool same(const struct flow_value *a, const struct flow_value *b)
{
	return a->kind == b->kind && a->type == b->type && a->off == b->off;
}

/* what is known on all ways to a block; true if it is less than before */
static bool meet(struct flow_state *at, const struct flow_state *s)
{
	bool changed = false;

	if (!at->reached) {
		*at = *s;
		at->reached = true;
		return true;
	}
	for (u32 r = 0; r < FLOW_REGS; r++)
		if (at->reg[r].kind && !same(&at->reg[r], &s->reg[r])) {
			at->reg[r] = unknown;
			changed = true;
		}
	return changed;
}

static const struct disasm_operand *operand(const struct flow_insn *in, u8 kind, bool written)
{
	for (u8 i = 0; i < in->nr_operands; i++)
		if (in->operand[i].kind == kind && (kind == DISASM_MEM || in->operand[i].written == written))
			return &in->operand[i];
	return NULL;
}

/* the pointer that is loaded from memory */
static struct flow_value loaded(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   const struct disasm_operand *mem)
{
	struct dwarf_types *d = fl->t->types;
	struct flow_target at = flow_operand(fl, in, s, mem);
	struct type_leaf leaf;
	struct type_info info;

	if (!at.type)
		return unknown;
	leaf = dwarf_type_at(d, at.type, at.off, NULL);
	info = dwarf_type_info(d, leaf.type);
	if (!leaf.type || leaf.off || info.kind != TYPE_POINTER || info.size != mem->size ||
	    dwarf_type_info(d, info.of).kind == TYPE_OTHER)
		return unknown;
	return (struct flow_value){ VALUE_POINTER, dwarf_type_canonical(d, info.of), 0 };
}

/* a register and a constant, or an array and an index */
static struct flow_value sum(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			const struct disasm_operand *to)
{
	const struct disasm_operand *imm = operand(in, DISASM_IMM, false), *reg[2] = { NULL, NULL };
	struct disasm_operand mem = { .kind = DISASM_MEM, .index = DISASM_NO_REG };
	u32 nr = 0;

	for (u8 i = 0; i < in->nr_operands && nr < 2; i++)
		if (in->operand[i].kind == DISASM_REG && !in->operand[i].written)
			reg[nr++] = &in->operand[i];
	if (operand(in, DISASM_MEM, false))
		return unknown;
	/* of two operands the destination is also a source */
	if (nr + (imm != NULL) < 2)
		reg[nr++] = to;
	if (nr + (imm != NULL) != 2)
		return unknown;
	mem.value = imm ? imm->value : 0;
	mem.reg = reg[0]->reg;
	if (imm)
		return flow_address(fl, in, s, &mem);
	if (flow_register(fl, in, s, mem.reg).kind == VALUE_UNKNOWN) {
		mem.reg = reg[1]->reg;
		mem.index = reg[0]->reg;
	} else {
		mem.index = reg[1]->reg;
		if (flow_register(fl, in, s, mem.index).kind != VALUE_UNKNOWN)
			return unknown;
	}
	if (mem.reg == DISASM_NO_REG || mem.index == DISASM_NO_REG)
		return unknown;
	return flow_address(fl, in, s, &mem);
}

/* what the destination is after the instruction */
static struct flow_value result(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   const struct disasm_operand *to)
{
	const struct disasm_operand *mem = operand(in, DISASM_MEM, false);
	const struct disasm_operand *imm = operand(in, DISASM_IMM, false);
	const struct disasm_operand *reg = operand(in, DISASM_REG, false);

	switch (in->effect) {
	case DISASM_MOVE:
		if (mem)
			return mem->size == fl->t->abi->word ? loaded(fl, in, s, mem) : unknown;
		return reg && reg->size == fl->t->abi->word ? flow_register(fl, in, s, reg->reg) :
		       unknown;
	case DISASM_ADDRESS:
		if (mem)
			return flow_address(fl, in, s, mem);
		return imm ? (struct flow_value){ VALUE_ADDRESS, 0, imm->value } : unknown;
	case DISASM_ADD:
		return sum(fl, in, s, to);
	default:
		return unknown;
	}
}

static struct flow_value returned(const struct flow *fl, const struct flow_insn *in)
{
	u32 type = in->has_target ? dwarf_types_returned(fl->t->types, in->target) : TYPE_NONE;
	struct type_info info = dwarf_type_info(fl->t->types, type);

	if (info.kind != TYPE_POINTER || dwarf_type_info(fl->t->types, info.of).kind == TYPE_OTHER)
		return unknown;
	return (struct flow_value){ VALUE_POINTER, dwarf_type_canonical(fl->t->types, info.of), 0 };
}

static void step(const struct flow *fl, const struct flow_insn *in, struct flow_state *s)
{
	const struct disasm_operand *to = operand(in, DISASM_REG, true);
	struct flow_value v = { 0 };
	u64 written = in->written;

	if (to && to->reg < FLOW_REGS && to->size == fl->t->abi->word)
		v = result(fl, in, s, to);
	if (in->kind == DISASM_CALL)
		written |= fl->f.unwinds ? UINT64_MAX : fl->t->abi->call_clobbers;
	for (u32 r = 0; r < FLOW_REGS; r++)
		if (written >> r & 1)
			s->reg[r] = unknown;
	if (in->kind == DISASM_CALL)
		s->reg[fl->t->abi->dwarf_result] = returned(fl, in);
	else if (v.kind)
		s->reg[to->reg] = v;
}

/* goes through a block from its first instruction; calls the edges that leave it */
static void run_block(struct flow *fl, size_t first, bool *changed)
{
	struct flow_state s = fl->block.v[fl->insn.v[first].block];

	for (size_t i = first; i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];
		const struct flow_insn *to;

		if (i > first && in->leads) {
			*changed |= meet(&fl->block.v[in->block], &s);
			return;
		}
		step(fl, in, &s);
		if (in->kind == DISASM_RETURN)
			return;
		if (in->kind != DISASM_JUMP)
			continue;
		to = insn_at(fl, in->target);
		if (to)
			*changed |= meet(&fl->block.v[to->block], &s);
		if (!in->conditional)
			return;
	}
}

/* states only lose knowledge, so this ends; it is cut where that takes too long, and nothing is known then */
static bool run_blocks(struct flow *fl)
{
	bool changed = true;

	fl->block.v[0].reached = true;
	/* parameters: debug information often loses them where their registers begin to change */
	for (u8 r = 0; r < FLOW_REGS; r++)
		fl->block.v[0].reg[r] = flow_register(fl, fl->insn.v, &(struct flow_state){ 0 }, r);
	for (u32 visit = 0; changed; visit++) {
		if (visit == VISITS_MAX)
			return false;
		changed = false;
		for (size_t i = 0; i < fl->insn.nr; i++)
			if (fl->insn.v[i].leads && fl->block.v[fl->insn.v[i].block].reached)
				run_block(fl, i, &changed);
		/* blocks to which nothing goes that is seen: nothing is known there */
		for (size_t i = 0; !changed && i < fl->block.nr; i++)
			if (!fl->block.v[i].reached)
				fl->block.v[i].reached = changed = true;
	}
	return true;
}

static struct flow_target target_of(const struct flow *fl, const struct flow_insn *in,
				    const struct flow_state *s)
{
	struct flow_target ret = { .why = ACCESS_NONE };
	bool stack = in->effect == DISASM_PUSH_POP || in->kind == DISASM_CALL || in->kind == DISASM_RETURN;

	if (!in->known)
		return (struct flow_target){ .why = ACCESS_NO_CODE };
	if (stack && fl->t->abi->stack_calls)
		ret.why = ACCESS_STACK;
	if (in->effect == DISASM_ADDRESS || in->effect == DISASM_NOP)
		return ret;
	for (u8 i = 0; i < in->nr_operands; i++) {
		struct flow_target t;

		if (in->operand[i].kind != DISASM_MEM)
			continue;
		t = fl->t->types ? flow_operand(fl, in, s, &in->operand[i]) :
		    (struct flow_target){ .why = ACCESS_NO_DEBUG };
		/* the first that is known */
		if (!ret.type && (t.type || ret.why == ACCESS_NONE))
			ret = t;
	}
	return ret;
}

static void add_access(const struct flow *fl, size_t i, const struct flow_state *s, struct accesses *ret)
{
	const struct flow_insn *in = &fl->insn.v[i];
	struct flow_target t = target_of(fl, in, s);
	struct access a = { .addr = in->addr, .insn_size = in->size, .type = t.type, .off = t.off,
			    .why = t.why };

	memcpy(a.mnemonic, in->mnemonic, sizeof(a.mnemonic));
	if (i && in->kind == DISASM_JUMP && in->conditional && !in->leads &&
	    in[-1].effect == DISASM_COMPARE) {
		memcpy(a.mnemonic, in[-1].mnemonic, sizeof(a.mnemonic));
		a.type = ret->v[i - 1].type;
		a.off = ret->v[i - 1].off;
		a.why = ret->v[i - 1].why;
		a.fused = true;
	}
	vec_push(ret, a);
}

void type_flow_run(const struct type_flow *t, const u8 *code, size_t nr, u64 svma, struct accesses *ret)
{
	struct flow fl = { .t = t };
	struct type_flow none = *t;
	struct flow_state s = { 0 };
	bool follow;
	u64 work;

	decode(&fl, code, nr, svma);
	if (t->types && !dwarf_function_read(t->types, svma, &fl.f)) {
		none.types = NULL;
		fl.t = &none;
	}
	work = (u64)fl.insn.nr * fl.f.variable.nr;
	if (work > LOOK_MAX) {
		none.types = NULL;
		fl.t = &none;
	}
	follow = fl.t->types && work <= FOLLOW_MAX && find_blocks(&fl) && run_blocks(&fl);
	for (size_t i = 0; i < fl.insn.nr; i++) {
		if (follow && fl.insn.v[i].leads)
			s = fl.block.v[fl.insn.v[i].block];
		add_access(&fl, i, &s, ret);
		if (follow)
			step(&fl, &fl.insn.v[i], &s);
	}
	dwarf_function_release(&fl.f);
	vec_release(&fl.insn);
	vec_release(&fl.block);
}
