/* Type-flow: follows pointers through the blocks of a function. */
#include "type-flow-private.h"
#include "../base/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INSNS_MAX 65536u	/* of a function: of larger ones nothing is followed */
#define PART_MAX (1u << 20)	/* bytes of a part that is elsewhere */
#define BLOCKS_MAX 16384u
#define VISITS_MAX 16u		/* of all blocks */
#define ACTIVE_MAX 8000000u	/* places of variables at all instructions of a function */

static const struct flow_value unknown;

const char *access_why_name(enum access_why why)
{
	static const char *const names[] = { "ok", "no_mem_ops", "stack_op", "no_dbginfo", "no_code",
					     "no_var", "bad_offset" };

	return names[why];
}

static void decode(struct flow *fl, const u8 *code, size_t nr, u64 svma)
{
	if (fl->insn.nr > INSNS_MAX)
		return;
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

static int by_addr(const void *x, const void *y)
{
	const struct flow_insn *a = x, *b = y;

	return a->addr < b->addr ? -1 : a->addr > b->addr;
}

/* also the parts of the function that are elsewhere */
static void decode_all(struct flow *fl, const u8 *code, size_t nr)
{
	u64 last = 0;
	bool sorted = true;

	decode(fl, code, nr, fl->start);
	vec_foreach(&fl->f.range, r) {
		u64 len = r->end > r->start ? r->end - r->start : 0;
		const u8 *part = r->start < fl->end && r->end > fl->start ? NULL :
				 fl->t->image && len ? elf_image_at(fl->t->image, r->start, len) : NULL;

		if (part && len <= PART_MAX)
			decode(fl, part, len, r->start);
	}
	vec_foreach(&fl->insn, in) {
		sorted &= in->addr >= last;
		last = in->addr;
	}
	if (!sorted)
		qsort(fl->insn.v, fl->insn.nr, sizeof(*fl->insn.v), by_addr);
}

/* the first instruction at an address or after it */
static size_t insn_from(const struct flow *fl, u64 addr)
{
	return LOWER_BOUND(fl->insn.nr, i, fl->insn.v[i].addr < addr);
}

/* the variables of each instruction; false: there are too many */
static bool list_active(struct flow *fl)
{
	u64 sum = 0;

	fl->first = xcalloc(fl->insn.nr + 2, sizeof(*fl->first));
	vec_foreach(&fl->f.variable, v) {
		size_t end = insn_from(fl, v->end), i = insn_from(fl, v->start);

		sum += end > i ? end - i : 0;
		for (; sum <= ACTIVE_MAX && i < end; i++)
			fl->first[i + 2]++;
	}
	if (sum > ACTIVE_MAX)
		return false;
	/* first[i + 1] is where those of i begin, and then where the next one goes */
	for (size_t i = 2; i < fl->insn.nr + 2; i++)
		fl->first[i] += fl->first[i - 1];
	fl->active = xcalloc(sum + 1, sizeof(*fl->active));
	for (u32 k = 0; k < fl->f.variable.nr; k++) {
		const struct variable *v = &fl->f.variable.v[k];

		for (size_t i = insn_from(fl, v->start); i < fl->insn.nr && fl->insn.v[i].addr < v->end; i++)
			fl->active[fl->first[i + 1]++] = k;
	}
	return true;
}

struct flow_insn *flow_insn_at(const struct flow *fl, u64 addr)
{
	size_t i = insn_from(fl, addr);

	return i < fl->insn.nr && fl->insn.v[i].addr == addr ? &fl->insn.v[i] : NULL;
}

/* where a jump goes; programs with one thread jump over the prefix that locks the bus */
static struct flow_insn *target_insn(const struct flow *fl, u64 addr)
{
	struct flow_insn *in = flow_insn_at(fl, addr), *before = in ? NULL : flow_insn_at(fl, addr - 1);

	return before && !strncmp(before->mnemonic, "lock ", 5) ? before : in;
}

/* whether an address is in the function: a jump there goes to an instruction */
static bool is_inside(const struct flow *fl, u64 addr)
{
	vec_foreach(&fl->f.range, r)
		if (addr >= r->start && addr < r->end)
			return true;
	return addr >= fl->start && addr < fl->end;
}

/* ranges may overlap only in files that are damaged */
static bool overlaps(const struct flow *fl)
{
	for (size_t i = 1; i < fl->insn.nr; i++)
		if (fl->insn.v[i].addr < fl->insn.v[i - 1].addr + fl->insn.v[i - 1].size)
			return true;
	return false;
}

static void after_leads(struct flow *fl, size_t i)
{
	if (i + 1 < fl->insn.nr)
		fl->insn.v[i + 1].leads = true;
}

/* marks where blocks begin; false: the ways through the code are not known */
static bool find_blocks(struct flow *fl)
{
	struct flow_insn *entry = flow_insn_at(fl, fl->f.entry);
	bool ok = entry && fl->insn.nr <= INSNS_MAX && !overlaps(fl);

	for (size_t i = 0; ok && i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];
		struct flow_insn *to = in->has_target ? target_insn(fl, in->target) : NULL;

		if (!in->known)
			ok = false;
		/* into the middle of an instruction, or to a part that was not found */
		if (in->kind == DISASM_JUMP && in->has_target && !to && is_inside(fl, in->target))
			ok = false;
		if (in->kind == DISASM_JUMP && to)
			to->leads = true;
		if (in->kind == DISASM_JUMP || in->kind == DISASM_RETURN || !flow_is_next(fl, i + 1))
			after_leads(fl, i);
	}
	if (!ok || !flow_find_patches(fl) || !flow_find_tables(fl))
		return false;
	entry->leads = true;
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
	for (u32 k = 0; k < FLOW_SLOTS; k++)
		if (at->slot[k].kind && !same(&at->slot[k], &s->slot[k])) {
			at->slot[k] = unknown;
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

/* a table and the offset that is its entry: where a jump goes to */
static struct flow_value table_sum(const struct flow *fl, const struct flow_insn *in,
				   const struct flow_state *s, const struct disasm_operand *to)
{
	struct flow_value a = flow_register(fl, in, s, to->reg), b;

	for (u8 i = 0; i < in->nr_operands; i++) {
		const struct disasm_operand *o = &in->operand[i];

		if (o->kind != DISASM_REG || o->written)
			continue;
		b = flow_register(fl, in, s, o->reg);
		if (a.kind != VALUE_OFFSET) {
			struct flow_value swap = a;

			a = b;
			b = swap;
		}
		if (a.kind == VALUE_OFFSET && b.kind == VALUE_ADDRESS &&
		    (u64)b.off == fl->table.v[a.type].base)
			return (struct flow_value){ VALUE_CODE, a.type, 0 };
	}
	return unknown;
}

/* what the destination is after the instruction */
static struct flow_value result(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   const struct disasm_operand *to)
{
	const struct disasm_operand *mem = operand(in, DISASM_MEM, false);
	const struct disasm_operand *imm = operand(in, DISASM_IMM, false);
	const struct disasm_operand *reg = operand(in, DISASM_REG, false);

	struct flow_value v;

	switch (in->effect) {
	case DISASM_MOVE:
		if (mem) {
			v = flow_table_entry(fl, in, s, mem, 8);
			if (!v.kind && mem->size == fl->t->abi->word)
				v = loaded(fl, in, s, mem);
			return v.kind ? v : flow_slot(fl, in, s, mem);
		}
		return reg && reg->size == fl->t->abi->word ? flow_register(fl, in, s, reg->reg) :
		       unknown;
	case DISASM_ADDRESS:
		if (mem)
			return flow_address(fl, in, s, mem);
		return imm ? (struct flow_value){ VALUE_ADDRESS, 0, imm->value } : unknown;
	case DISASM_EXTEND:
		return mem ? flow_table_entry(fl, in, s, mem, 4) : unknown;
	case DISASM_ADD:
		v = table_sum(fl, in, s, to);
		return v.kind ? v : sum(fl, in, s, to);
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

	if (flow_is_traced(fl, in))
		return;
	if (to && to->reg < FLOW_REGS && to->size == fl->t->abi->word)
		v = result(fl, in, s, to);
	if (fl->nr_slots)
		flow_store(fl, in, s);
	if (in->kind == DISASM_CALL)
		written |= fl->f.unwinds ? UINT64_MAX : fl->t->abi->call_clobbers;
	if (flow_is_replaced(fl, in))
		written = UINT64_MAX;
	for (u32 r = 0; r < FLOW_REGS; r++)
		if (written >> r & 1)
			s->reg[r] = unknown;
	if (in->kind == DISASM_CALL)
		s->reg[fl->t->abi->dwarf_result] = returned(fl, in);
	else if (v.kind)
		s->reg[to->reg] = v;
}

/* to all targets, but only if less is known than before */
static bool run_table(struct flow *fl, struct flow_table *t, const struct flow_state *s)
{
	bool changed = meet(&t->out, s);

	if (changed)
		vec_foreach(&t->to, to)
			meet(&fl->block.v[fl->insn.v[*to].block], &t->out);
	return changed;
}

/* goes through a block from its first instruction; calls the edges that leave it */
static void run_block(struct flow *fl, size_t first, bool *changed)
{
	struct flow_state s = fl->block.v[fl->insn.v[first].block];

	for (size_t i = first; i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];
		const struct flow_insn *to;

		if (i > first && !flow_is_next(fl, i))
			return;
		if (i > first && in->leads) {
			*changed |= meet(&fl->block.v[in->block], &s);
			return;
		}
		step(fl, in, &s);
		if (in->kind == DISASM_RETURN)
			return;
		if (in->kind != DISASM_JUMP)
			continue;
		to = in->has_target ? target_insn(fl, in->target) : NULL;
		if (to)
			*changed |= meet(&fl->block.v[to->block], &s);
		if (!in->has_target)
			*changed |= run_table(fl, flow_jump_table(fl, in, &s), &s);
		if (!in->conditional || !in->has_target)
			return;
	}
}

/* what fills the space between blocks is not run; if it were, it would know nothing of what comes after it */
static bool is_padding(const struct flow *fl, size_t first)
{
	for (size_t i = first; i < fl->insn.nr && (i == first || !fl->insn.v[i].leads); i++) {
		const struct flow_insn *in = &fl->insn.v[i];

		if (in->effect != DISASM_NOP && strcmp(in->mnemonic, "int3") && strcmp(in->mnemonic, "ud2"))
			return false;
	}
	return true;
}

/* blocks to which nothing goes that is seen: nothing is known there. False: there are none left */
static bool reach_all(struct flow *fl)
{
	bool any = false;

	for (size_t i = 0; i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];

		if (!in->leads || fl->block.v[in->block].reached || is_padding(fl, i))
			continue;
		fl->block.v[in->block].reached = any = true;
	}
	return any;
}

/* whether all places are known to which jumps go, with what is known where they are */
static bool jumps_known(const struct flow *fl)
{
	struct flow_state s = { 0 };

	for (size_t i = 0; i < fl->insn.nr; i++) {
		const struct flow_insn *in = &fl->insn.v[i];

		if (in->leads)
			s = fl->block.v[in->block];
		if (!flow_jump_known(fl, in, &s))
			return false;
		step(fl, in, &s);
	}
	return true;
}

/* states only lose knowledge, so this ends; it is cut where that takes too long, and nothing is known then */
static bool run_blocks(struct flow *fl)
{
	const struct flow_insn *entry = flow_insn_at(fl, fl->f.entry);
	struct flow_state *first = &fl->block.v[entry->block];
	bool changed = true;

	flow_find_slots(fl);
	first->reached = true;
	vec_foreach(&fl->insn, in)
		if (in->entered && in != entry)
			fl->block.v[in->block].reached = true;
	/* parameters: debug information often loses them where their registers begin to change */
	for (u8 r = 0; r < FLOW_REGS; r++)
		first->reg[r] = flow_register(fl, entry, &(struct flow_state){ 0 }, r);
	for (u32 visit = 0; changed; visit++) {
		if (visit == VISITS_MAX)
			return false;
		changed = false;
		for (size_t i = 0; i < fl->insn.nr; i++)
			if (fl->insn.v[i].leads && fl->block.v[fl->insn.v[i].block].reached)
				run_block(fl, i, &changed);
		if (!changed)
			changed = reach_all(fl);
	}
	return jumps_known(fl);
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
	if (ret->nr && flow_is_next(fl, i) && in->kind == DISASM_JUMP && in->conditional && !in->leads &&
	    in[-1].effect == DISASM_COMPARE) {
		memcpy(a.mnemonic, in[-1].mnemonic, sizeof(a.mnemonic));
		a.type = ret->v[ret->nr - 1].type;
		a.off = ret->v[ret->nr - 1].off;
		a.why = ret->v[ret->nr - 1].why;
		a.fused = true;
	}
	vec_push(ret, a);
}

void type_flow_run(const struct type_flow *t, const u8 *code, size_t nr, u64 svma, struct accesses *ret)
{
	struct flow fl = { .t = t, .start = svma, .end = svma + nr };
	struct type_flow none = *t;
	struct flow_state s = { 0 };
	bool follow;

	if (t->types && !dwarf_function_read(t->types, svma, &fl.f)) {
		none.types = NULL;
		fl.t = &none;
	}
	decode_all(&fl, code, nr);
	if (!list_active(&fl)) {
		none.types = NULL;
		fl.t = &none;
	}
	follow = fl.t->types && find_blocks(&fl) && run_blocks(&fl);
	for (size_t i = 0; i < fl.insn.nr; i++) {
		if (follow && fl.insn.v[i].leads)
			s = fl.block.v[fl.insn.v[i].block];
		if (fl.insn.v[i].addr >= fl.start && fl.insn.v[i].addr < fl.end)
			add_access(&fl, i, &s, ret);
		if (follow)
			step(&fl, &fl.insn.v[i], &s);
	}
	dwarf_function_release(&fl.f);
	flow_release_tables(&fl);
	free(fl.first);
	free(fl.active);
	vec_release(&fl.insn);
	vec_release(&fl.block);
}
