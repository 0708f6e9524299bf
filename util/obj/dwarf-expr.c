/* Dwarf-expr: a small stack of values, with a limit on steps. */
#include "dwarf-expr.h"

#include <dwarf.h>

#define STACK 64
#define STEPS 1000		/* with those of nested expressions */
#define DEPTH_MAX 3		/* of entry values in entry values */

struct eval {
	const struct dwarf_env *env;
	const Dwarf_Op *ops;
	size_t nr;
	u32 sp, depth, steps;
	int failure;		/* enum dwarf_failure; the first one */
	bool is_value;		/* the object itself is on the stack, not its address */
	struct dwarf_value st[STACK];
};

static void fail(struct eval *e, int failure)
{
	if (!e->failure)
		e->failure = failure;
}

static void push(struct eval *e, struct dwarf_value v)
{
	if (e->sp < STACK)
		e->st[e->sp++] = v;
	else
		fail(e, DWARF_DAMAGED);
}

static void push_number(struct eval *e, u64 n)
{
	push(e, (struct dwarf_value){ .off = n });
}

/* the n-th value from the top, which is 0 */
static struct dwarf_value peek(struct eval *e, u64 n)
{
	if (n < e->sp)
		return e->st[e->sp - 1 - n];
	fail(e, DWARF_DAMAGED);
	return (struct dwarf_value){ 0 };
}

static struct dwarf_value pop(struct eval *e)
{
	struct dwarf_value v = peek(e, 0);

	if (e->sp)
		e->sp--;
	return v;
}

static u64 pop_number(struct eval *e)
{
	struct dwarf_value v = pop(e);

	if (v.base != DWARF_NUMBER)
		fail(e, DWARF_COMPUTED);
	return v.off;
}

/* --- what the callbacks know */

static void push_reg(struct eval *e, u64 reg, u64 off)
{
	struct dwarf_value v = { 0 };

	fail(e, e->env->reg ? e->env->reg(e->env, reg, &v) : DWARF_NOT_KNOWN);
	v.off += off;
	push(e, v);
}

static void push_cfa(struct eval *e)
{
	struct dwarf_value v = { 0 };

	fail(e, e->env->cfa ? e->env->cfa(e->env, &v) : DWARF_NOT_KNOWN);
	push(e, v);
}

static void push_frame_base(struct eval *e, u64 off)
{
	struct dwarf_value v = { 0 };

	/* neither entry values nor frame bases refer to a frame base */
	if (!e->env->frame_base || e->depth)
		fail(e, DWARF_DAMAGED);
	else
		fail(e, e->env->frame_base(e->env, &v));
	v.off += off;
	push(e, v);
}

static void push_static(struct eval *e, u64 svma)
{
	struct dwarf_value v = { .off = svma, .base = DWARF_STATIC };

	if (e->env->addr)
		fail(e, e->env->addr(e->env, svma, &v));
	push(e, v);
}

static void push_indexed(struct eval *e, const Dwarf_Op *op)
{
	u64 v = 0;

	if (!e->env->number || !e->env->number(e->env, op, &v))
		fail(e, DWARF_NO_ADDRESS);
	else if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		push_number(e, v);
	else
		push_static(e, v);
}

static void push_implicit(struct eval *e, const Dwarf_Op *op)
{
	u64 v = 0;

	if (!e->env->number || !e->env->number(e->env, op, &v))
		fail(e, DWARF_TOO_LONG);
	push_number(e, v);
	e->is_value = true;
}

static void push_thread_address(struct eval *e)
{
	struct dwarf_value v = pop(e);

	fail(e, e->env->thread ? e->env->thread(e->env, &v) : DWARF_THREAD_LOCAL);
	push(e, v);
}

static void load(struct eval *e, u64 size)
{
	struct dwarf_value addr = pop(e), v = { 0 };

	if (!e->failure)
		fail(e, e->env->load ? e->env->load(e->env, &addr, size, &v) : DWARF_COMPUTED);
	push(e, v);
}

/* --- values from values */

static void add(struct eval *e)
{
	struct dwarf_value b = pop(e), a = pop(e);

	if (b.base == DWARF_NUMBER) {
		a.off = (u64)a.off + b.off;
		push(e, a);
		return;
	}
	if (a.base != DWARF_NUMBER)
		fail(e, DWARF_COMPUTED);
	b.off = (u64)b.off + a.off;
	push(e, b);
}

static void subtract(struct eval *e)
{
	u64 b = pop_number(e);
	struct dwarf_value a = pop(e);

	a.off = (u64)a.off - b;
	push(e, a);
}

static void unary(struct eval *e, u8 atom)
{
	u64 a = pop_number(e);

	switch (atom) {
	case DW_OP_neg: push_number(e, -a); break;
	case DW_OP_not: push_number(e, ~a); break;
	default: push_number(e, (s64)a < 0 ? -a : a);	/* DW_OP_abs */
	}
}

static void divide(struct eval *e, u8 atom, u64 a, u64 b)
{
	if (!b)
		fail(e, DWARF_DAMAGED);
	else if (atom == DW_OP_mod)
		push_number(e, a % b);
	else	/* the quotient of the least number by -1 is that number */
		push_number(e, b == UINT64_MAX ? -a : (u64)((s64)a / (s64)b));
}

static void binary(struct eval *e, u8 atom)
{
	u64 b = pop_number(e), a = pop_number(e);

	switch (atom) {
	case DW_OP_mul: push_number(e, a * b); break;
	case DW_OP_div: case DW_OP_mod: divide(e, atom, a, b); break;
	case DW_OP_and: push_number(e, a & b); break;
	case DW_OP_or: push_number(e, a | b); break;
	case DW_OP_xor: push_number(e, a ^ b); break;
	case DW_OP_shl: push_number(e, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push_number(e, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push_number(e, (s64)a >> (b < 64 ? b : 63)); break;
	case DW_OP_eq: push_number(e, a == b); break;
	case DW_OP_ne: push_number(e, a != b); break;
	case DW_OP_lt: push_number(e, (s64)a < (s64)b); break;
	case DW_OP_gt: push_number(e, (s64)a > (s64)b); break;
	case DW_OP_le: push_number(e, (s64)a <= (s64)b); break;
	default: push_number(e, (s64)a >= (s64)b);	/* DW_OP_ge */
	}
}

static void shuffle(struct eval *e, const Dwarf_Op *op)
{
	struct dwarf_value a, b, c;

	switch (op->atom) {
	case DW_OP_dup: push(e, peek(e, 0)); break;
	case DW_OP_drop: pop(e); break;
	case DW_OP_over: push(e, peek(e, 1)); break;
	case DW_OP_pick: push(e, peek(e, op->number)); break;
	case DW_OP_swap:
		a = pop(e), b = pop(e);
		push(e, a), push(e, b);
		break;
	default:	/* DW_OP_rot */
		a = pop(e), b = pop(e), c = pop(e);
		push(e, a), push(e, c), push(e, b);
	}
}

/* --- operations */

/* the operation to which a jump leads; nr: after the last one */
static size_t jump_target(const struct eval *e, const Dwarf_Op *op)
{
	/* the operand is relative to the end of the operation, which has 3 bytes */
	u64 target = op->offset + 3 + (s16)op->number;

	for (size_t i = 0; i < e->nr; i++)
		if (e->ops[i].offset == target)
			return i;
	return e->nr;
}

/* values that are not numbers, constants and addresses of the file */
static bool step_source(struct eval *e, const Dwarf_Op *op)
{
	u8 a = op->atom;

	if (a >= DW_OP_breg0 && a <= DW_OP_breg31)
		push_reg(e, a - DW_OP_breg0, op->number);
	else if (a >= DW_OP_reg0 && a <= DW_OP_reg31)
		push_reg(e, a - DW_OP_reg0, 0), e->is_value = true;
	else if (a >= DW_OP_lit0 && a <= DW_OP_lit31)
		push_number(e, a - DW_OP_lit0);
	else if (a >= DW_OP_const1u && a <= DW_OP_consts)
		push_number(e, op->number);
	else
		switch (a) {
		case DW_OP_regx: push_reg(e, op->number, 0); e->is_value = true; break;
		case DW_OP_bregx: push_reg(e, op->number, op->number2); break;
		case DW_OP_fbreg: push_frame_base(e, op->number); break;
		case DW_OP_call_frame_cfa: push_cfa(e); break;
		case DW_OP_addr: push_static(e, op->number); break;
		case DW_OP_addrx: case DW_OP_constx: case DW_OP_GNU_addr_index: case DW_OP_GNU_const_index:
			push_indexed(e, op);
			break;
		case DW_OP_implicit_value: push_implicit(e, op); break;
		case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address: push_thread_address(e); break;
		default: return false;
		}
	return true;
}

static void step_value(struct eval *e, const Dwarf_Op *op)
{
	switch (op->atom) {
	case DW_OP_dup ... DW_OP_rot: shuffle(e, op); break;
	case DW_OP_deref: load(e, DWARF_WORD); break;
	case DW_OP_deref_size: load(e, op->number); break;
	case DW_OP_plus_uconst: push_number(e, op->number); add(e); break;
	case DW_OP_plus: add(e); break;
	case DW_OP_minus: subtract(e); break;
	case DW_OP_neg: case DW_OP_not: case DW_OP_abs: unary(e, op->atom); break;
	case DW_OP_mul: case DW_OP_div: case DW_OP_mod: case DW_OP_and: case DW_OP_or: case DW_OP_xor:
	case DW_OP_shl: case DW_OP_shr: case DW_OP_shra: case DW_OP_eq ... DW_OP_ne:
		binary(e, op->atom);
		break;
	case DW_OP_stack_value: e->is_value = true; break;
	case DW_OP_nop: break;
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer: fail(e, DWARF_POINTS_TO_GONE); break;
	case DW_OP_GNU_parameter_ref: case DW_OP_GNU_variable_value: fail(e, DWARF_CALLER_ONLY); break;
	default: fail(e, DWARF_COMPUTED);
	}
}

static void run(struct eval *e, struct dwarf_location *ret);

static void push_entry_value(struct eval *e, const Dwarf_Op *op)
{
	struct eval inner = { .env = e->env, .depth = e->depth + 1, .steps = e->steps };
	struct dwarf_location l;
	Dwarf_Op *ops;

	if (!e->env->at_entry) {
		fail(e, DWARF_ENTRY_ONLY);
		return;
	}
	if (e->depth == DEPTH_MAX || !e->env->expr || !e->env->expr(e->env, op, &ops, &inner.nr)) {
		fail(e, DWARF_DAMAGED);
		return;
	}
	inner.ops = ops;
	run(&inner, &l);
	e->steps = inner.steps;
	fail(e, inner.failure);
	if (!e->failure)
		push(e, l.piece[0].value);
}

static void finish_piece(struct eval *e, struct dwarf_location *l, u64 size)
{
	struct dwarf_piece *p;

	if (l->nr == DWARF_PIECES) {
		fail(e, DWARF_TOO_MANY);
		return;
	}
	p = &l->piece[l->nr++];
	*p = (struct dwarf_piece){ .size = size, .is_memory = !e->is_value };
	if (e->sp)
		p->value = e->st[e->sp - 1];
	else
		p->is_missing = true;
	e->sp = 0;
	e->is_value = false;
}

static void run(struct eval *e, struct dwarf_location *ret)
{
	ret->nr = 0;
	for (size_t pc = 0; pc < e->nr && !e->failure;) {
		const Dwarf_Op *op = &e->ops[pc++];

		if (e->steps++ == STEPS)
			fail(e, DWARF_COMPUTED);
		else if (op->atom == DW_OP_skip || (op->atom == DW_OP_bra && pop_number(e)))
			pc = jump_target(e, op);
		else if (op->atom == DW_OP_piece)
			finish_piece(e, ret, op->number ? op->number : 1);
		else if (op->atom == DW_OP_entry_value || op->atom == DW_OP_GNU_entry_value)
			push_entry_value(e, op);
		else if (op->atom != DW_OP_bra && !step_source(e, op))
			step_value(e, op);
	}
	if (!e->failure && (e->sp || !ret->nr))
		finish_piece(e, ret, 0);
	/* one that is missing altogether */
	if (!e->failure && ret->nr == 1 && ret->piece[0].is_missing)
		fail(e, DWARF_GONE);
}

int dwarf_evaluate(const struct dwarf_env *env, const Dwarf_Op *ops, size_t nr, struct dwarf_location *ret)
{
	struct eval e;

	/* not its stack */
	e.env = env;
	e.ops = ops;
	e.nr = nr;
	e.sp = e.depth = e.steps = 0;
	e.failure = DWARF_OK;
	e.is_value = false;
	run(&e, ret);
	return e.failure;
}

/* --- operands in the file */

bool dwarf_block_number(const Dwarf_Block *block, bool is_big_endian, u64 *ret)
{
	u64 len = block->length, v = 0;

	if (!len || len > 8)
		return false;
	for (u64 i = 0; i < len; i++)
		v |= (u64)block->data[i] << 8 * (is_big_endian ? len - 1 - i : i);
	*ret = v;
	return true;
}

bool dwarf_operand_number(const struct dwarf_env *env, const Dwarf_Op *op, u64 *ret)
{
	Dwarf_Attribute a;
	Dwarf_Block block;
	Dwarf_Addr addr;
	Dwarf_Word v;

	if (!env->attr)
		return false;
	if (op->atom == DW_OP_implicit_value)
		return !dwarf_getlocation_implicit_value(env->attr, op, &block) &&
		       dwarf_block_number(&block, env->is_big_endian, ret);
	if (dwarf_getlocation_attr(env->attr, op, &a))
		return false;
	if (!dwarf_formaddr(&a, &addr))
		*ret = addr;
	else if (!dwarf_formudata(&a, &v))
		*ret = v;
	else
		return false;
	return true;
}

bool dwarf_operand_expr(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr)
{
	Dwarf_Attribute a;

	return env->attr && !dwarf_getlocation_attr(env->attr, op, &a) &&
	       !dwarf_getlocation(&a, ret_ops, ret_nr);
}
