/*
 * Type-flow: registers that are kept on the stack for a while. A slot is followed only if nothing else can
 * write to it: it is in the frame below all objects whose addresses the code takes, and no variable is there.
 */
#include "type-flow-private.h"

static bool frame_rule(const struct flow *fl, const struct flow_insn *in, const struct cfi_rule **ret)
{
	*ret = fl->t->cfi ? cfi_find(fl->t->cfi, in->addr) : NULL;
	return *ret && !(*ret)->cfa_expr;
}

/* the frame pointer is one only where the frame rules say so */
static bool is_frame_reg(const struct flow *fl, const struct flow_insn *in, u8 reg)
{
	const struct cfi_rule *rule;

	return reg == fl->t->abi->dwarf_sp ||
	       (reg == fl->t->abi->dwarf_fp && (!frame_rule(fl, in, &rule) || rule->cfa_reg == reg));
}

bool flow_frame_offset(const struct flow *fl, const struct flow_insn *in, const struct disasm_operand *mem,
		       s64 *ret)
{
	const struct cfi_rule *rule;

	return mem->kind == DISASM_MEM && !mem->opaque && mem->index == DISASM_NO_REG &&
	       frame_rule(fl, in, &rule) && rule->cfa_reg == mem->reg &&
	       !__builtin_sub_overflow(mem->value, rule->cfa_off, ret);
}

/* a store of a register in a slot's size */
static bool is_store(const struct flow *fl, const struct flow_insn *in, const struct disasm_operand **ret_mem,
		     const struct disasm_operand **ret_reg)
{
	*ret_mem = *ret_reg = NULL;
	if (in->effect != DISASM_MOVE || in->nr_operands != 2)
		return false;
	for (u8 i = 0; i < 2; i++) {
		const struct disasm_operand *o = &in->operand[i];

		if (o->kind == DISASM_MEM)
			*ret_mem = o;
		else if (o->kind == DISASM_REG && !o->written && o->reg < FLOW_REGS &&
			 o->size == fl->t->abi->word)
			*ret_reg = o;
	}
	return *ret_mem && *ret_reg && (*ret_mem)->size == fl->t->abi->word;
}

/* the lowest object of the frame whose address is in a register; false: it is not known which are */
static bool lowest_object(const struct flow *fl, s64 *ret)
{
	*ret = 0;
	/* the last one is before nothing */
	for (size_t n = 0; n + 1 < fl->insn.nr; n++) {
		const struct flow_insn *in = &fl->insn.v[n];
		const struct disasm_operand *mem = NULL;
		bool reads_frame = false, to_frame = false;
		s64 off;

		for (u8 i = 0; i < in->nr_operands; i++) {
			const struct disasm_operand *o = &in->operand[i];

			/* an array that is accessed by an index */
			if (o->kind == DISASM_MEM && is_frame_reg(fl, in, o->reg) &&
			    (in->effect == DISASM_ADDRESS || o->index != DISASM_NO_REG))
				mem = o;
			reads_frame |= o->kind == DISASM_REG && !o->written && is_frame_reg(fl, in, o->reg);
			to_frame |= o->kind == DISASM_REG && o->written &&
				    (o->reg == fl->t->abi->dwarf_sp || is_frame_reg(fl, in + 1, o->reg));
		}
		if (mem && !to_frame) {
			struct disasm_operand base = *mem;

			base.index = DISASM_NO_REG;
			if (!flow_frame_offset(fl, in, &base, &off))
				return false;
			*ret = MIN(*ret, off);
		}
		/* another register gets the address of the frame: of which part of it is not known */
		if (reads_frame && !to_frame && in->effect != DISASM_PUSH_POP &&
		    in->effect != DISASM_COMPARE)
			return false;
	}
	return true;
}

static bool is_variable(const struct flow *fl, s64 off)
{
	vec_foreach(&fl->f.variable, v) {
		u64 size = dwarf_type_info(fl->t->types, v->type).size;

		/* one that moves is in the slot as a register is */
		if (!v->fixed)
			continue;
		if (v->place == PLACE_FRAME && off + 8 > v->off &&
		    (off < v->off || (u64)(off - v->off) < size))
			return true;
		/* beside another register than that of the frame: where that is, is not known */
		if (v->place == PLACE_MEMORY && v->reg == fl->t->abi->dwarf_sp)
			return true;
	}
	return false;
}

void flow_find_slots(struct flow *fl)
{
	const struct disasm_operand *mem, *reg;
	s64 lowest, off;

	if (!fl->t->cfi || fl->f.unwinds || !lowest_object(fl, &lowest))
		return;
	vec_foreach(&fl->insn, in) {
		bool known = false;

		if (!is_store(fl, in, &mem, &reg) || !flow_frame_offset(fl, in, mem, &off) ||
		    off + 8 > lowest)
			continue;
		for (u32 i = 0; i < fl->nr_slots; i++)
			known |= fl->slot[i] == off;
		if (!known && fl->nr_slots < FLOW_SLOTS && !is_variable(fl, off))
			fl->slot[fl->nr_slots++] = off;
	}
}

/* what an instruction leaves in the slots that it writes to, before its registers change */
void flow_store(const struct flow *fl, const struct flow_insn *in, struct flow_state *s)
{
	const struct disasm_operand *mem, *reg;
	bool store = is_store(fl, in, &mem, &reg);

	if (in->effect == DISASM_ADDRESS || in->effect == DISASM_NOP || in->effect == DISASM_COMPARE)
		return;
	for (u8 i = 0; i < in->nr_operands; i++) {
		const struct disasm_operand *o = &in->operand[i];
		s64 off = 0;
		bool known = o->kind == DISASM_MEM && flow_frame_offset(fl, in, o, &off);
		bool load = in->effect == DISASM_MOVE && !store;

		if (o->kind != DISASM_MEM || load || !is_frame_reg(fl, in, o->reg))
			continue;
		for (u32 k = 0; k < fl->nr_slots; k++)
			if (!known || (off < fl->slot[k] + 8 && fl->slot[k] < off + MAX(o->size, 8)))
				s->slot[k] = known && store && off == fl->slot[k] ?
					     flow_register(fl, in, s, reg->reg) : (struct flow_value){ 0 };
	}
}

struct flow_value flow_slot(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			    const struct disasm_operand *mem)
{
	s64 off;

	if (fl->nr_slots && mem->size == fl->t->abi->word && flow_frame_offset(fl, in, mem, &off))
		for (u32 k = 0; k < fl->nr_slots; k++)
			if (fl->slot[k] == off)
				return s->slot[k];
	return (struct flow_value){ 0 };
}
