/* Cfi-expr: DWARF expressions of frame rules, on a small stack, with a limit on steps. */
#include <dwarf.h>
#include <elfutils/libdw.h>

#include "cfi.h"

#define STACK 64
#define STEPS 1000

struct cfi_eval {
	const struct cfi_machine *m;
	const Dwarf_Op *ops;
	size_t nr;
	u64 st[STACK];
	unsigned int sp;
	bool bad;
	bool is_value;		/* the result is a value, not the address of one */
};

static void push(struct cfi_eval *e, u64 v)
{
	if (e->sp < STACK)
		e->st[e->sp++] = v;
	else
		e->bad = true;
}

static u64 pop(struct cfi_eval *e)
{
	if (e->sp)
		return e->st[--e->sp];
	e->bad = true;
	return 0;
}

/* the n-th value from the top, which is 0 */
static u64 peek(struct cfi_eval *e, u64 n)
{
	if (n < e->sp)
		return e->st[e->sp - 1 - n];
	e->bad = true;
	return 0;
}

static void push_reg(struct cfi_eval *e, u64 reg, u64 off)
{
	if (reg < CFI_REGS && (e->m->valid >> reg & 1))
		push(e, e->m->reg[reg] + off);
	else
		e->bad = true;
}

static void deref(struct cfi_eval *e, u64 size)
{
	u64 v = 0;

	if (size > 8 || !size || !e->m->read(e->m->ctx, pop(e), size, &v))
		e->bad = true;
	push(e, v);
}

static void unary(struct cfi_eval *e, u8 atom)
{
	u64 a = pop(e);

	switch (atom) {
	case DW_OP_neg:
		push(e, -a);
		break;
	case DW_OP_not:
		push(e, ~a);
		break;
	default:	/* DW_OP_abs */
		push(e, (s64)a < 0 ? -a : a);
	}
}

static void binary(struct cfi_eval *e, u8 atom)
{
	u64 b = pop(e), a = pop(e);

	switch (atom) {
	case DW_OP_plus: push(e, a + b); break;
	case DW_OP_minus: push(e, a - b); break;
	case DW_OP_mul: push(e, a * b); break;
	case DW_OP_and: push(e, a & b); break;
	case DW_OP_or: push(e, a | b); break;
	case DW_OP_xor: push(e, a ^ b); break;
	case DW_OP_shl: push(e, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push(e, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push(e, (s64)a >> (b < 64 ? b : 63)); break;
	case DW_OP_eq: push(e, a == b); break;
	case DW_OP_ne: push(e, a != b); break;
	case DW_OP_lt: push(e, (s64)a < (s64)b); break;
	case DW_OP_gt: push(e, (s64)a > (s64)b); break;
	case DW_OP_le: push(e, (s64)a <= (s64)b); break;
	case DW_OP_ge: push(e, (s64)a >= (s64)b); break;
	default: e->bad = true;
	}
}

static void shuffle(struct cfi_eval *e, const Dwarf_Op *op)
{
	u64 a, b, c;

	switch (op->atom) {
	case DW_OP_dup:
		push(e, peek(e, 0));
		break;
	case DW_OP_drop:
		pop(e);
		break;
	case DW_OP_over:
		push(e, peek(e, 1));
		break;
	case DW_OP_pick:
		push(e, peek(e, op->number));
		break;
	case DW_OP_swap:
		a = pop(e);
		b = pop(e);
		push(e, a);
		push(e, b);
		break;
	default:	/* DW_OP_rot */
		a = pop(e);
		b = pop(e);
		c = pop(e);
		push(e, a);
		push(e, c);
		push(e, b);
	}
}

/* the operation to which a jump leads; nr: after the last one */
static size_t jump_target(const struct cfi_eval *e, const Dwarf_Op *op)
{
	/* the operand is relative to the end of the operation, which has 3 bytes */
	u64 target = op->offset + 3 + (s16)op->number;

	for (size_t i = 0; i < e->nr; i++)
		if (e->ops[i].offset == target)
			return i;
	return e->nr;
}

static void step(struct cfi_eval *e, const Dwarf_Op *op)
{
	u8 a = op->atom;

	if (a >= DW_OP_lit0 && a <= DW_OP_lit31)
		push(e, a - DW_OP_lit0);
	else if (a >= DW_OP_breg0 && a <= DW_OP_breg31)
		push_reg(e, a - DW_OP_breg0, op->number);
	else if (a >= DW_OP_reg0 && a <= DW_OP_reg31)
		push_reg(e, a - DW_OP_reg0, 0), e->is_value = true;
	else if (a >= DW_OP_const1u && a <= DW_OP_consts)
		push(e, op->number);
	else if (a >= DW_OP_dup && a <= DW_OP_rot)
		shuffle(e, op);
	else
		switch (a) {
		case DW_OP_call_frame_cfa: push(e, e->m->cfa); break;
		case DW_OP_addr: push(e, op->number + e->m->bias); break;
		case DW_OP_bregx: push_reg(e, op->number, op->number2); break;
		case DW_OP_regx: push_reg(e, op->number, 0); e->is_value = true; break;
		case DW_OP_plus_uconst: push(e, pop(e) + op->number); break;
		case DW_OP_deref: deref(e, e->m->word); break;
		case DW_OP_deref_size: deref(e, op->number); break;
		case DW_OP_stack_value: e->is_value = true; break;
		case DW_OP_neg: case DW_OP_not: case DW_OP_abs: unary(e, a); break;
		case DW_OP_nop: break;
		default: binary(e, a);
		}
}

static bool run(struct cfi_eval *e, u64 *ret)
{
	size_t pc = 0;

	for (int steps = 0; pc < e->nr && !e->bad; steps++) {
		const Dwarf_Op *op = &e->ops[pc++];

		if (steps >= STEPS)
			return false;
		if (op->atom == DW_OP_skip || (op->atom == DW_OP_bra && pop(e)))
			pc = jump_target(e, op);
		else if (op->atom != DW_OP_bra)
			step(e, op);
	}
	*ret = pop(e);
	return !e->bad;
}

bool cfi_evaluate_cfa(const struct cfi_rule *r, const struct cfi_machine *m, u64 *ret)
{
	struct cfi_eval e = { .m = m };
	Dwarf_Op *ops;

	if (!r->frame || dwarf_frame_cfa(r->frame, &ops, &e.nr))
		return false;
	e.ops = ops;
	return run(&e, ret);
}

bool cfi_evaluate(const struct cfi_rule *r, unsigned int reg, const struct cfi_machine *m, u64 *ret)
{
	struct cfi_eval e = { .m = m };
	Dwarf_Op mem[3], *ops;
	u64 v;

	if (!r->frame || dwarf_frame_register(r->frame, reg, mem, &ops, &e.nr) || !e.nr)
		return false;
	e.ops = ops;
	if (!run(&e, &v))
		return false;
	if (e.is_value) {
		*ret = v;
		return true;
	}
	return m->read(m->ctx, v, m->word, ret);
}
