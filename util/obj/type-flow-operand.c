/* Type-flow: what an operand in memory points to. */
#include "type-flow-private.h"

#include <stdlib.h>

/* the best of what is known of an access; the smallest struct that has it is right in any case */
struct choice {
	const struct flow *fl;
	u64 size;		/* bytes that are accessed */
	bool indexed;
	bool any;		/* something was known of the address */
	u32 type;
	u32 off;
	u64 type_size;
};

static bool is_open_array(struct dwarf_types *d, u32 type)
{
	return dwarf_type_info(d, type).kind == TYPE_ARRAY && !dwarf_type_info(d, type).size;
}

/* whether bytes [off, off + size) are in the struct: an array without a size may follow it */
static bool struct_has(struct dwarf_types *d, u32 type, u64 struct_size, u64 off, u64 size)
{
	struct data_members all = { 0 };
	bool ret = size <= struct_size && off <= struct_size - size;

	if (!ret && off <= UINT32_MAX) {
		dwarf_type_members(d, type, &all);
		ret = all.nr && is_open_array(d, all.v[all.nr - 1].type) && off >= all.v[all.nr - 1].off;
		vec_release(&all);
	}
	return ret;
}

/*
 * an index selects an element: the member at off is in an array, or the type contains no array, as in an
 * array of such structs; else the address may be element -1 of a neighbour
 */
static bool index_fits(struct dwarf_types *d, u32 type, u64 off)
{
	return dwarf_type_at(d, type, off, NULL).in_array || !dwarf_type_has_array(d, type);
}

static bool scalar_fits(u64 type_size, s64 off, u64 size)
{
	return type_size && off % (s64)type_size == 0 &&
	       (size == type_size || (size >= 16 && size % type_size == 0));
}

static void take(struct choice *c, u32 type, u64 off, u64 size)
{
	if (c->type && c->type_size <= size)
		return;
	c->type = type;
	c->off = off;
	c->type_size = size;
}

/* an object of that type, with the access at byte off of it; exact: it is not an array */
static void consider(struct choice *c, u32 type, s64 off, bool exact)
{
	struct dwarf_types *d = c->fl->t->types;
	struct type_info info = dwarf_type_info(d, type);

	for (int i = 0; i < 8 && info.kind == TYPE_ARRAY; i++) {
		u64 element = dwarf_type_info(d, info.of).size;

		c->any = true;
		/* a constant that is far in it may belong to an index that is negative */
		if (!element || off < 0 || (info.size && (u64)off + c->size > info.size) ||
		    (c->indexed && (u64)off >= element && (u64)off >= info.size / 2))
			return;
		type = info.of;
		off %= (s64)element;
		exact = false;
		info = dwarf_type_info(d, type);
	}
	if (info.kind == TYPE_OTHER || info.kind == TYPE_ARRAY)
		return;
	c->any = true;
	if (info.kind == TYPE_STRUCT) {
		if (off >= 0 && struct_has(d, type, info.size, off, c->size) &&
		    (!c->indexed || index_fits(d, type, off)))
			take(c, dwarf_type_canonical(d, type), off, info.size);
	} else if (scalar_fits(info.size, off, c->size) &&
		   (!exact || (!off && !c->indexed && c->size == info.size))) {
		/* any struct is a better answer */
		take(c, dwarf_type_canonical(d, type), 0, UINT64_MAX - 1);
	}
}

static bool add(s64 a, s64 b, s64 *ret)
{
	return !__builtin_add_overflow(a, b, ret);
}

/* variables of the function whose value is a pointer, and which are in the register here */
static void consider_register(struct choice *c, const struct flow_insn *in, u8 reg, s64 disp)
{
	struct dwarf_types *d = c->fl->t->types;
	const struct variable *v;
	s64 off;

	FLOW_FOREACH_VARIABLE(c->fl, in, v) {
		struct type_info info;

		if (v->place != PLACE_VALUE || v->reg != reg)
			continue;
		info = dwarf_type_info(d, v->type);
		/* the variable is the register plus v->off */
		if (info.kind == TYPE_POINTER && info.of && !__builtin_sub_overflow(disp, v->off, &off))
			consider(c, info.of, off, false);
	}
}

/* variables that are in memory: on the stack, or beside a register */
static void consider_memory(struct choice *c, const struct flow_insn *in, u8 reg, s64 disp)
{
	const struct cfi_rule *rule = c->fl->t->cfi ? cfi_find(c->fl->t->cfi, in->addr) : NULL;
	bool is_frame = rule && !rule->cfa_expr && rule->cfa_reg == reg;
	const struct variable *v;
	s64 off, frame;

	FLOW_FOREACH_VARIABLE(c->fl, in, v) {
		s64 at = disp;

		if (v->place == PLACE_FRAME && is_frame &&
		    !__builtin_sub_overflow(disp, rule->cfa_off, &frame))
			at = frame;
		else if (v->place != PLACE_MEMORY || v->reg != reg)
			continue;
		if (__builtin_sub_overflow(at, v->off, &off) || off < 0 ||
		    (u64)off >= dwarf_type_info(c->fl->t->types, v->type).size)
			continue;
		consider(c, v->type, off, true);
	}
}

static void consider_value(struct choice *c, const struct flow_value *v, s64 disp)
{
	u32 type;
	s64 off;

	if ((v->kind != VALUE_POINTER && v->kind != VALUE_ADDRESS) || !add(v->off, disp, &off))
		return;
	if (v->kind == VALUE_POINTER) {
		consider(c, v->type, off, false);
		return;
	}
	type = dwarf_types_static(c->fl->t->types, &c->fl->f, off, &off);
	if (type)
		consider(c, type, off, true);
}

/* a thread-local variable of the program itself, which is at a constant distance from the thread pointer */
static void consider_thread(struct choice *c, s64 distance)
{
	s64 off;
	u32 type = dwarf_types_thread(c->fl->t->types, &c->fl->f, distance, &off);

	if (type)
		consider(c, type, off, true);
}

static bool is_pointer_register(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
				u8 reg)
{
	struct flow_value v = flow_register(fl, in, s, reg);

	return v.kind == VALUE_POINTER || v.kind == VALUE_ADDRESS;
}

static void consider_operand(struct choice *c, const struct flow_insn *in, const struct flow_state *s,
			     const struct disasm_operand *o)
{
	const struct flow *fl = c->fl;
	u8 base = o->reg;

	/* of two registers without a factor either can be the pointer */
	if (c->indexed && o->scale == 1 && base < FLOW_REGS && o->index < FLOW_REGS &&
	    !is_pointer_register(fl, in, s, base) && is_pointer_register(fl, in, s, o->index))
		base = o->index;
	if (base == DISASM_NO_REG) {
		consider_value(c, &(struct flow_value){ .kind = VALUE_ADDRESS }, o->value);
	} else if (base < FLOW_REGS) {
		consider_register(c, in, base, o->value);
		if (!c->type)
			consider_memory(c, in, base, o->value);
		if (!c->type)
			consider_value(c, &s->reg[base], o->value);
		/*
		 * code at fixed addresses: the displacement is an array's address, the register its index.
		 * Displacements in the kernel are negative; others are variables of a CPU
		 */
		if (!c->any && fl->t->fixed && fl->t->abi->dwarf_sp != base &&
		    (!fl->t->patched || o->value < 0)) {
			c->indexed = true;
			consider_value(c, &(struct flow_value){ .kind = VALUE_ADDRESS }, o->value);
		}
	}
}

struct flow_target flow_operand(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   const struct disasm_operand *o)
{
	struct choice c = { .fl = fl, .size = o->size, .indexed = o->index != DISASM_NO_REG };

	/* the kernel's variables of a CPU: their addresses as linked are distances from the segment's base */
	if (o->gs && fl->t->patched && o->size && o->reg == DISASM_NO_REG && !c.indexed)
		consider_value(&c, &(struct flow_value){ .kind = VALUE_ADDRESS }, o->value);
	else if (o->fs && !fl->t->patched && o->size && o->reg == DISASM_NO_REG && !c.indexed)
		consider_thread(&c, o->value);
	else if (o->opaque || !o->size)
		return (struct flow_target){ .why = ACCESS_NO_VARIABLE };
	else
		consider_operand(&c, in, s, o);
	if (!c.type)
		return (struct flow_target){ .why = c.any ? ACCESS_BAD_OFFSET : ACCESS_NO_VARIABLE };
	return (struct flow_target){ .type = c.type, .off = c.off, .why = ACCESS_TYPED };
}
struct flow_value flow_register(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   u8 reg)
{
	struct dwarf_types *d = fl->t->types;
	struct flow_value ret = { 0 };
	const struct variable *v;
	u32 type;

	if (reg >= FLOW_REGS)
		return ret;
	FLOW_FOREACH_VARIABLE(fl, in, v) {
		struct type_info info;

		if (v->place != PLACE_VALUE || v->reg != reg)
			continue;
		info = dwarf_type_info(d, v->type);
		if (info.kind != TYPE_POINTER || dwarf_type_info(d, info.of).kind == TYPE_OTHER)
			continue;
		type = dwarf_type_canonical(d, info.of);
		/* two pointers of different types in one register: the code has it both ways */
		if (ret.kind && (ret.type != type || ret.off != -v->off))
			return s->reg[reg];
		ret = (struct flow_value){ VALUE_POINTER, type, -v->off };
	}
	return ret.kind ? ret : s->reg[reg];
}

/* a pointer to a number that steps through an array points to such a number all the time */
static struct flow_value stepped(const struct flow *fl, struct flow_value v)
{
	struct type_info info = dwarf_type_info(fl->t->types, v.type);

	if (v.kind == VALUE_POINTER && (info.kind == TYPE_SCALAR || info.kind == TYPE_POINTER) &&
	    v.off % (s64)info.size == 0)
		v.off = 0;
	return v;
}

struct flow_value flow_address(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			  const struct disasm_operand *o)
{
	struct flow_value v = { .kind = VALUE_ADDRESS };
	u32 type;

	if (o->opaque)
		return (struct flow_value){ 0 };
	if (o->reg != DISASM_NO_REG)
		v = flow_register(fl, in, s, o->reg);
	if ((v.kind != VALUE_POINTER && v.kind != VALUE_ADDRESS) || !add(v.off, o->value, &v.off))
		return (struct flow_value){ 0 };
	if (o->index == DISASM_NO_REG)
		return stepped(fl, v);
	/* an element of an array */
	if (v.kind == VALUE_ADDRESS) {
		type = dwarf_types_static(fl->t->types, &fl->f, v.off, &v.off);
		v = (struct flow_value){ VALUE_POINTER, type, v.off };
	}
	for (int i = 0; i < 8; i++) {
		struct type_info info = dwarf_type_info(fl->t->types, v.type);
		u64 element = info.kind == TYPE_ARRAY ? dwarf_type_info(fl->t->types, info.of).size : 0;

		if (!element)
			return i ? v : (struct flow_value){ 0 };
		if (v.off < 0 || ((u64)v.off >= element && (u64)v.off >= info.size / 2))
			return (struct flow_value){ 0 };
		v.type = info.of;
		v.off %= (s64)element;
	}
	return (struct flow_value){ 0 };
}
