/*
 * Type-flow: jumps through tables. The address of each possible target is somewhere: in a table that the code
 * names by a constant, in a pointer that a relocation fills in, or in a constant. All these are taken as
 * targets, whether or not a table is known: an edge too many only loses knowledge.
 */
#include "type-flow-private.h"
#include "../../arch/arch.h"

#define ENTRIES_MAX 8192u
#define TABLES_MAX 512u
#define LOOK_BACK 24u	/* instructions before a jump that may make its address */

static bool is_code(const struct flow *fl, u64 addr, u32 *ret)
{
	const struct flow_insn *in = flow_insn_at(fl, addr);

	if (!in)
		return false;
	*ret = in - fl->insn.v;
	return true;
}

static bool is_indirect(const struct flow_insn *in)
{
	return in->kind == DISASM_JUMP && !in->has_target;
}

/* values of a switch that the compiler knows not to occur may go to the end of the code */
static bool is_end(const struct flow *fl, u64 addr)
{
	vec_foreach(&fl->f.range, r)
		if (addr == r->end)
			return true;
	return false;
}

/* entries as long as they lead into the function; false: there are more than one looks at */
static bool read_table(struct flow *fl, u64 base, u32 size)
{
	struct flow_table t = { .base = base, .entry = size };
	bool elsewhere = false;
	u64 word;
	u32 nr = 0, to;

	for (; nr < ENTRIES_MAX && elf_image_number(fl->t->image, base + (u64)size * nr, size, &word); nr++) {
		word = size == 4 ? base + (u64)(s64)(s32)word : word;
		if (is_code(fl, word, &to)) {
			elsewhere |= word != fl->f.entry;
			vec_push(&t.to, to);
		} else if (!is_end(fl, word)) {
			break;
		}
	}
	if (nr == ENTRIES_MAX || fl->table.nr == TABLES_MAX) {
		vec_release(&t.to);
		return false;
	}
	/* pointers to the function itself are not its jump table */
	if (elsewhere)
		vec_push(&fl->table, t);
	else
		vec_release(&t.to);
	return true;
}

static bool has_table(const struct flow *fl, u64 base)
{
	vec_foreach(&fl->table, t)
		if (t->entry && t->base == base)
			return true;
	return false;
}

/* a constant of the code: the address of a table, of an instruction, or no address */
static bool take_constant(struct flow *fl, u64 value)
{
	u32 to;

	if (is_code(fl, value, &to)) {
		if (value != fl->f.entry)
			vec_push(&fl->table.v[0].to, to);
		return true;
	}
	if (value < 16 || has_table(fl, value) || !elf_image_at(fl->t->image, value, 4))
		return true;
	return read_table(fl, value, 4) && read_table(fl, value, 8);
}

/* arm64 makes an address of two constants; what is known of registers from one instruction to the next */
struct constants {
	bool known[FLOW_REGS];
	u64 value[FLOW_REGS];
};

static bool take_constants(struct flow *fl, const struct flow_insn *in, struct constants *c)
{
	const struct disasm_operand *to = in->nr_operands ? &in->operand[in->nr_operands - 1] : NULL;
	u64 sum = 0;
	bool base = false, imm = false, ok = true;

	for (u8 i = 0; ok && i < in->nr_operands; i++) {
		const struct disasm_operand *o = &in->operand[i];

		if (o->kind == DISASM_IMM || (o->kind == DISASM_MEM && (o->reg == DISASM_NO_REG ||
									 o->index != DISASM_NO_REG)))
			ok = in->kind == DISASM_CALL || in->has_target || take_constant(fl, o->value);
		if (o->kind == DISASM_REG && o->written)
			to = o;
		if (o->kind == DISASM_REG && !o->written && o->reg < FLOW_REGS && c->known[o->reg]) {
			sum += c->value[o->reg];
			base = true;
		}
		if (o->kind == DISASM_IMM || (o->kind == DISASM_MEM && o->reg == DISASM_NO_REG)) {
			sum += o->value;
			imm = true;
		}
	}
	for (u32 r = 0; r < FLOW_REGS; r++)
		c->known[r] &= !(in->written >> r & 1);
	if (!ok || !to || to->kind != DISASM_REG || to->reg >= FLOW_REGS || !imm)
		return ok;
	if (in->effect == DISASM_ADDRESS || (in->effect == DISASM_ADD && base)) {
		c->known[to->reg] = true;
		c->value[to->reg] = sum;
		ok = in->effect == DISASM_ADDRESS || take_constant(fl, sum);
	}
	return ok;
}

/* pointers of data into the function, such as tables of labels whose addresses are taken */
static void take_pointers(struct flow *fl)
{
	size_t nr;
	const struct elf_pointer *p = elf_image_pointers(fl->t->image, &nr);
	u32 to;

	for (size_t i = 0; i < nr; i++)
		vec_foreach(&fl->f.range, r)
			if (p[i].to > r->start && p[i].to < r->end && p[i].to != fl->f.entry &&
			    is_code(fl, p[i].to, &to))
				vec_push(&fl->table.v[0].to, to);
}

/* the last instruction before i that changes a register, in the same straight line; NULL: it is not seen */
static const struct flow_insn *writer_of(const struct flow *fl, size_t i, u8 reg)
{
	for (u32 back = 0; back < LOOK_BACK && flow_is_next(fl, i) && !fl->insn.v[i].leads; back++) {
		const struct flow_insn *in = &fl->insn.v[--i];

		if (in->kind != DISASM_OTHER)
			return NULL;
		if (in->written >> reg & 1)
			return in;
	}
	return NULL;
}

/*
 * whether the jump calls a function in its last place: it takes its address from one place in memory. Where
 * tables are read just before jumps, an address that is held longer is a pointer to a function
 */
static bool is_tail_call(const struct flow *fl, const struct flow_insn *in)
{
	const struct disasm_operand *o = &in->operand[0];
	bool near = fl->t->abi->near_tables;

	if (in->nr_operands && o->kind == DISASM_REG && o->reg < FLOW_REGS) {
		in = writer_of(fl, in - fl->insn.v, o->reg);
		if (!in || in->effect != DISASM_MOVE)
			return !in && near;
	}
	for (u8 i = 0; i < in->nr_operands; i++)
		if (in->operand[i].kind == DISASM_MEM)
			return in->operand[i].index == DISASM_NO_REG;
	return near;
}

bool flow_find_tables(struct flow *fl)
{
	struct constants c = { .known = { false } };
	bool any = false;

	vec_push(&fl->table, (struct flow_table){ .entry = 0 });
	vec_foreach(&fl->insn, in)
		any |= is_indirect(in);
	if (!any)
		return true;
	if (!fl->t->image)
		return false;
	vec_foreach(&fl->insn, in)
		if (!take_constants(fl, in, &c))
			return false;
	take_pointers(fl);
	for (u32 t = 1; t < fl->table.nr; t++)
		vec_foreach(&fl->table.v[t].to, to)
			vec_push(&fl->table.v[0].to, *to);
	vec_foreach(&fl->table.v[0].to, to)
		fl->insn.v[*to].leads = true;
	return true;
}

/* of the only kind that the compilers of this architecture make */
static bool has_tables(const struct flow *fl)
{
	return fl->table.nr > 1 && fl->t->abi->near_tables;
}

bool flow_jump_known(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s)
{
	return !is_indirect(in) || flow_jump_table(fl, in, s)->entry || has_tables(fl) ||
	       is_tail_call(fl, in);
}

void flow_release_tables(struct flow *fl)
{
	vec_foreach(&fl->table, t)
		vec_release(&t->to);
	vec_release(&fl->table);
}

struct flow_value flow_table_entry(const struct flow *fl, const struct flow_insn *in,
				   const struct flow_state *s, const struct disasm_operand *mem, u32 size)
{
	struct flow_value base = { .kind = VALUE_ADDRESS };

	if (mem->opaque || mem->index == DISASM_NO_REG)
		return (struct flow_value){ 0 };
	if (mem->reg != DISASM_NO_REG)
		base = flow_register(fl, in, s, mem->reg);
	for (u32 t = 1; base.kind == VALUE_ADDRESS && t < fl->table.nr; t++)
		if (fl->table.v[t].entry == size && fl->table.v[t].base == (u64)base.off + (u64)mem->value)
			return (struct flow_value){ size == 8 ? VALUE_CODE : VALUE_OFFSET, t, 0 };
	return (struct flow_value){ 0 };
}

struct flow_table *flow_jump_table(const struct flow *fl, const struct flow_insn *in,
				   const struct flow_state *s)
{
	const struct disasm_operand *o = &in->operand[0];
	struct flow_value v = { 0 };

	if (in->nr_operands && o->kind == DISASM_REG && o->reg < FLOW_REGS)
		v = s->reg[o->reg];
	else if (in->nr_operands && o->kind == DISASM_MEM)
		v = flow_table_entry(fl, in, s, o, 8);
	return &fl->table.v[v.kind == VALUE_CODE ? v.type : 0];
}
