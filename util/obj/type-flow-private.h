/* What the files of type-flow share: the state of the registers, and where an operand points. */
#ifndef PERF_OBJ_TYPE_FLOW_PRIVATE_H
#define PERF_OBJ_TYPE_FLOW_PRIVATE_H

#include "type-flow.h"

#define FLOW_REGS 32

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_POINTER,		/* address of an object of the type, plus off */
	VALUE_ADDRESS,		/* the address off, as linked */
};

struct flow_value {
	u8 kind;		/* enum value_kind */
	u32 type;
	s64 off;
};

struct flow_state {
	bool reached;
	struct flow_value reg[FLOW_REGS];
};

/* an instruction without its text */
struct flow_insn {
	u64 addr, target, written;
	u8 size, kind, effect, nr_operands;
	bool has_target, conditional, known;
	bool leads;		/* a block begins here */
	u32 block;		/* number of its block, if it leads */
	char mnemonic[16];
	struct disasm_operand operand[DISASM_OPERANDS];
};

struct flow {
	const struct type_flow *t;
	struct dwarf_function f;
	struct { VEC(struct flow_insn); } insn;
	struct { VEC(struct flow_state); } block;	/* the states at their beginnings */
};

/* an object that an operand accesses */
struct flow_target {
	u32 type;		/* TYPE_NONE: unknown */
	u32 off;
	u8 why;			/* enum access_why */
};

struct flow_target flow_operand(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   const struct disasm_operand *o);
/* what is in a register before the instruction */
struct flow_value flow_register(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			   u8 reg);
/* the address of a memory operand, without its index; an array becomes its element if there is one */
struct flow_value flow_address(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			  const struct disasm_operand *o);

#endif
