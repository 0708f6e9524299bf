/* Location: evaluates DWARF expressions with values that are texts. */
#include "location.h"

#include <dwarf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define STACK 32
#define OPS_MAX 256
#define TEXT_MAX 256		/* loads in loads: longer texts are of no use to the kernel */

struct eval {
	const struct location_env *env;
	struct probe_value st[STACK];
	u32 sp;
	struct err *err;
	int code;		/* 0, or the error */
	/* the object itself is on the stack, not its address */
	bool is_value;
	int depth;
};

static int evaluate(struct eval *e, const Dwarf_Op *ops, size_t nr, struct location *ret);

static void fail(struct eval *e, int code, const char *why)
{
	if (!e->code)
		e->code = err_set(e->err, code, "%s", why);
}

static void cannot_compute(struct eval *e)
{
	fail(e, -EOPNOTSUPP, "its value is computed here, which a fetch argument cannot do");
}

static void push(struct eval *e, struct probe_value v)
{
	if (e->sp < STACK)
		e->st[e->sp++] = v;
	else
		fail(e, -EBADMSG, "its location expression is damaged");
}

static void push_const(struct eval *e, u64 n)
{
	push(e, (struct probe_value){ .off = n });
}

static struct probe_value pop(struct eval *e)
{
	if (e->sp)
		return e->st[--e->sp];
	fail(e, -EBADMSG, "its location expression is damaged");
	return (struct probe_value){ 0 };
}

static bool is_const(const struct probe_value *v)
{
	return !v->text && !v->is_static;
}

static const char *reg_text(struct eval *e, u64 dwarf)
{
	const char *name = dwarf <= UINT32_MAX ? e->env->reg(e->env->ctx, dwarf) : NULL;
	char *text;

	if (!name) {
		if (!e->code)
			e->code = err_set(e->err, -EOPNOTSUPP, "it is in DWARF register %llu, which a "
					  "probe cannot read, like all registers of floating-point "
					  "numbers and vectors", (unsigned long long)dwarf);
		return "%none";
	}
	text = arena_alloc(e->env->mem, strlen(name) + 2);
	text[0] = '%';
	memcpy(text + 1, name, strlen(name) + 1);
	return text;
}

static void push_breg(struct eval *e, u64 reg, u64 off)
{
	push(e, (struct probe_value){ .text = reg_text(e, reg), .off = off });
}

const char *location_load(const struct location_env *env, const struct probe_value *v)
{
	char text[TEXT_MAX];
	int len;

	if (!v->text && v->is_static)
		return env->load_static(env->ctx, v->off);
	if (v->text)
		len = snprintf(text, sizeof(text), "%+lld(%s)", (long long)v->off, v->text);
	else
		len = snprintf(text, sizeof(text), "@0x%llx", (unsigned long long)v->off);
	return len < (int)sizeof(text) ? arena_strdup(env->mem, text) : NULL;
}

static void load(struct eval *e)
{
	struct probe_value v = pop(e);
	const char *text = location_load(e->env, &v);

	if (!text)
		cannot_compute(e);
	push(e, (struct probe_value){ .text = text ? text : "" });
}

static void add(struct eval *e, bool minus)
{
	struct probe_value b = pop(e), a = pop(e);

	if (!is_const(&b) && !minus && is_const(&a)) {
		struct probe_value swap = a;

		a = b;
		b = swap;
	}
	if (!is_const(&b))
		cannot_compute(e);
	a.off = minus ? (u64)a.off - b.off : (u64)a.off + b.off;
	push(e, a);
}

static void binary(struct eval *e, u8 atom)
{
	struct probe_value vb = pop(e), va = pop(e);
	u64 a = va.off, b = vb.off;

	if (!is_const(&va) || !is_const(&vb)) {
		cannot_compute(e);
		return;
	}
	switch (atom) {
	case DW_OP_mul: push_const(e, a * b); break;
	case DW_OP_and: push_const(e, a & b); break;
	case DW_OP_or: push_const(e, a | b); break;
	case DW_OP_xor: push_const(e, a ^ b); break;
	case DW_OP_shl: push_const(e, b < 64 ? a << b : 0); break;
	case DW_OP_shr: push_const(e, b < 64 ? a >> b : 0); break;
	case DW_OP_shra: push_const(e, (s64)a >> (b < 64 ? b : 63)); break;
	default: cannot_compute(e);
	}
}

static void shuffle(struct eval *e, const Dwarf_Op *op)
{
	struct probe_value a, b;

	switch (op->atom) {
	case DW_OP_dup:
		a = pop(e);
		push(e, a);
		push(e, a);
		break;
	case DW_OP_drop:
		pop(e);
		break;
	case DW_OP_over:
		b = pop(e);
		a = pop(e);
		push(e, a);
		push(e, b);
		push(e, a);
		break;
	default:	/* DW_OP_swap */
		b = pop(e);
		a = pop(e);
		push(e, b);
		push(e, a);
	}
}

static void push_fbreg(struct eval *e, s64 off)
{
	struct location_piece base = { 0 };
	int code;

	if (e->depth) {
		fail(e, -EBADMSG, "its location expression is damaged");
		return;
	}
	code = e->env->frame_base(e->env->ctx, &base, e->err);
	if (code) {
		e->code = e->code ? e->code : code;
		return;
	}
	/* DW_OP_reg as a frame base means its value; a location in memory means the address */
	base.value.off += (u64)off;
	push(e, base.value);
}

static void push_cfa(struct eval *e)
{
	struct probe_value v = { 0 };
	int code = e->env->cfa(e->env->ctx, &v, e->err);

	if (code)
		e->code = e->code ? e->code : code;
	push(e, v);
}

static void push_entry_value(struct eval *e, const Dwarf_Op *op)
{
	struct eval inner = { .env = e->env, .err = e->err, .depth = e->depth + 1 };
	struct location l;
	Dwarf_Op *ops;
	size_t nr;

	if (!e->env->at_entry) {
		fail(e, -ENODATA, "only its value at the start of the function is known here");
		return;
	}
	if (e->depth > 2 || !e->env->entry_expr(e->env->ctx, op, &ops, &nr)) {
		fail(e, -EBADMSG, "its location expression is damaged");
		return;
	}
	if (evaluate(&inner, ops, nr, &l)) {
		e->code = e->code ? e->code : inner.code;
		return;
	}
	push(e, l.piece[0].value);
}

static void push_static(struct eval *e, u64 svma)
{
	push(e, (struct probe_value){ .off = svma, .is_static = true });
}

static void push_indexed(struct eval *e, const Dwarf_Op *op)
{
	u64 v;

	if (!e->env->indexed(e->env->ctx, op, &v))
		fail(e, -EBADMSG, "its address is not in the debug information");
	else if (op->atom == DW_OP_constx || op->atom == DW_OP_GNU_const_index)
		push_const(e, v);
	else
		push_static(e, v);
}

/* operations that have a number in their code */
static bool step_numbered(struct eval *e, const Dwarf_Op *op)
{
	u8 a = op->atom;
	u64 reg = a == DW_OP_regx ? op->number : (u64)(a - DW_OP_reg0);

	if (a >= DW_OP_lit0 && a <= DW_OP_lit31) {
		push_const(e, a - DW_OP_lit0);
	} else if ((a >= DW_OP_reg0 && a <= DW_OP_reg31) || a == DW_OP_regx) {
		push(e, (struct probe_value){ .text = reg_text(e, reg) });
		e->is_value = true;
	} else if (a >= DW_OP_breg0 && a <= DW_OP_breg31) {
		push_breg(e, a - DW_OP_breg0, op->number);
	} else {
		return false;
	}
	return true;
}

static void step(struct eval *e, const Dwarf_Op *op)
{
	u8 a = op->atom;
	u64 v;

	if (step_numbered(e, op))
		return;
	switch (a) {
	case DW_OP_bregx:
		push_breg(e, op->number, op->number2);
		break;
	case DW_OP_fbreg:
		push_fbreg(e, op->number);
		break;
	case DW_OP_call_frame_cfa:
		push_cfa(e);
		break;
	case DW_OP_addr:
		push_static(e, op->number);
		break;
	case DW_OP_addrx: case DW_OP_GNU_addr_index: case DW_OP_constx: case DW_OP_GNU_const_index:
		push_indexed(e, op);
		break;
	case DW_OP_const1u: case DW_OP_const1s: case DW_OP_const2u: case DW_OP_const2s: case DW_OP_const4u:
	case DW_OP_const4s: case DW_OP_const8u: case DW_OP_const8s: case DW_OP_constu: case DW_OP_consts:
		push_const(e, op->number);
		break;
	case DW_OP_plus_uconst:
		push_const(e, op->number);
		add(e, false);
		break;
	case DW_OP_plus:
		add(e, false);
		break;
	case DW_OP_minus:
		add(e, true);
		break;
	case DW_OP_mul: case DW_OP_and: case DW_OP_or: case DW_OP_xor: case DW_OP_shl: case DW_OP_shr:
	case DW_OP_shra:
		binary(e, a);
		break;
	case DW_OP_dup: case DW_OP_drop: case DW_OP_over: case DW_OP_swap:
		shuffle(e, op);
		break;
	case DW_OP_deref:
		load(e);
		break;
	case DW_OP_stack_value:
		e->is_value = true;
		break;
	case DW_OP_implicit_value:
		if (e->env->implicit(e->env->ctx, op, &v))
			push_const(e, v);
		else
			fail(e, -EOPNOTSUPP, "it is a constant of more than 8 bytes");
		e->is_value = true;
		break;
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		push_entry_value(e, op);
		break;
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		fail(e, -EOPNOTSUPP, "it is a thread-local variable, whose address a probe cannot find");
		break;
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		fail(e, -ENODATA, "it is a pointer to something that was optimised out");
		break;
	case DW_OP_GNU_parameter_ref: case DW_OP_GNU_variable_value:
		fail(e, -ENODATA, "its value is only known to its caller");
		break;
	case DW_OP_nop:
		break;
	default:
		cannot_compute(e);
	}
}

static void finish_piece(struct eval *e, struct location *l, u64 size)
{
	struct location_piece *p;

	if (l->nr == LOCATION_PIECES) {
		fail(e, -EOPNOTSUPP, "it is in too many parts");
		return;
	}
	p = &l->piece[l->nr++];
	*p = (struct location_piece){ .size = size, .is_memory = !e->is_value };
	if (e->sp)
		p->value = e->st[e->sp - 1];
	else
		p->is_missing = true;
	e->sp = 0;
	e->is_value = false;
}

static int evaluate(struct eval *e, const Dwarf_Op *ops, size_t nr, struct location *ret)
{
	ret->nr = 0;
	if (nr > OPS_MAX)
		cannot_compute(e);
	for (size_t i = 0; i < nr && !e->code; i++) {
		if (ops[i].atom == DW_OP_piece)
			finish_piece(e, ret, MAX(ops[i].number, (Dwarf_Word)1));
		else
			step(e, &ops[i]);
	}
	if (!e->code && (e->sp || !ret->nr))
		finish_piece(e, ret, 0);
	/* one that is missing altogether */
	if (!e->code && ret->nr == 1 && ret->piece[0].is_missing)
		fail(e, -ENODATA, "it was optimised out");
	return e->code;
}

int location_evaluate(const struct location_env *env, const Dwarf_Op *ops, size_t nr, struct location *ret,
		      struct err *err)
{
	struct eval e = { .env = env, .err = err };

	return evaluate(&e, ops, nr, ret);
}

const struct location_piece *location_select(const struct location *l, u64 *off, u64 size)
{
	u64 pos = 0;

	for (u32 i = 0; i < l->nr; i++) {
		const struct location_piece *p = &l->piece[i];

		if (!p->size || (*off >= pos && *off - pos <= p->size && size <= p->size - (*off - pos))) {
			*off -= pos;
			return p->is_missing ? NULL : p;
		}
		pos += p->size;
	}
	return NULL;
}
