/* What the files of type-flow share: the state of the registers, and where an operand points. */
#ifndef PERF_OBJ_TYPE_FLOW_PRIVATE_H
#define PERF_OBJ_TYPE_FLOW_PRIVATE_H

#include "type-flow.h"

#define FLOW_REGS 32
#define FLOW_SLOTS 24	/* of the stack */

enum value_kind {
	VALUE_UNKNOWN,
	VALUE_POINTER,		/* address of an object of the type, plus off */
	VALUE_ADDRESS,		/* the address off, as linked */
	VALUE_OFFSET,		/* an entry of table `type`, which is an offset from the table */
	VALUE_CODE,		/* where table `type` says that a jump goes to */
};

struct flow_value {
	u8 kind;		/* enum value_kind */
	u32 type;
	s64 off;
};

struct flow_state {
	bool reached;
	struct flow_value reg[FLOW_REGS], slot[FLOW_SLOTS];
};

/* an instruction without its text */
struct flow_insn {
	u64 addr, target, written;
	u8 size, kind, effect, nr_operands;
	bool has_target, conditional, known;
	bool leads;		/* a block begins here */
	bool entered;		/* code goes here in ways that are not seen */
	u32 block;		/* number of its block, if it leads */
	char mnemonic[16];
	struct disasm_operand operand[DISASM_OPERANDS];
};

/* where the function's code may go to through an address in data */
struct flow_table {
	u64 base;
	u32 entry;		/* bytes of an entry: 4 (offset from base), 8 (address), 0: no table */
	struct { VEC(u32); } to;	/* instructions */
	struct flow_state out;	/* what is known on all ways into the table */
};

struct flow {
	const struct type_flow *t;
	struct dwarf_function f;
	u64 start, end;		/* the code that was asked for; more of the function may be elsewhere */
	struct { VEC(struct flow_insn); } insn;
	/* the variables that have a place at instruction i: active[first[i]] to active[first[i + 1]] */
	u32 *first, *active;
	struct { VEC(struct flow_state); } block;	/* the states at their beginnings */
	/* where registers are kept on the stack: offsets from the canonical frame address */
	s64 slot[FLOW_SLOTS];
	u32 nr_slots;
	/* the first: all that any jump without a known target may go to */
	struct { VEC(struct flow_table); } table;
};

/* variables at an instruction: where their numbers begin in f.variable; they end where the next one begins */
static inline const u32 *flow_active(const struct flow *fl, const struct flow_insn *in)
{
	return fl->active + fl->first[in - fl->insn.v];
}
#define FLOW_FOREACH_VARIABLE(fl, in, v) \
	for (const u32 *k_ = flow_active(fl, in); \
	     k_ < flow_active(fl, (in) + 1) && ((v) = &(fl)->f.variable.v[*k_], true); k_++)

/* the instruction at an address, or NULL */
struct flow_insn *flow_insn_at(const struct flow *fl, u64 addr);
/* whether instruction i comes after the one before it */
static inline bool flow_is_next(const struct flow *fl, size_t i)
{
	return i && i < fl->insn.nr && fl->insn.v[i - 1].addr + fl->insn.v[i - 1].size == fl->insn.v[i].addr;
}
/* finds the tables of jumps and where they lead; false: there are too many */
bool flow_find_tables(struct flow *fl);
/* a kernel that changes its code: marks where it goes then; false: that is not known */
bool flow_find_patches(struct flow *fl);
/* whether a no-operation may be replaced by anything while the kernel runs */
bool flow_is_replaced(const struct flow *fl, const struct flow_insn *in);
/* whether a call is that of the kernel's tracer, which changes no register */
bool flow_is_traced(const struct flow *fl, const struct flow_insn *in);
/* true if all targets of a jump are known; true for instructions that do not jump */
bool flow_jump_known(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s);
void flow_release_tables(struct flow *fl);
/* of a load: what the entry is (VALUE_OFFSET, VALUE_CODE), or unknown */
struct flow_value flow_table_entry(const struct flow *fl, const struct flow_insn *in,
				   const struct flow_state *s, const struct disasm_operand *mem, u32 size);
/* the table through which a jump without a target goes */
struct flow_table *flow_jump_table(const struct flow *fl, const struct flow_insn *in,
				   const struct flow_state *s);

/* finds the slots of the stack that hold registers */
void flow_find_slots(struct flow *fl);
/* the place of a memory operand in the frame, from the canonical frame address; false: it is not in it */
bool flow_frame_offset(const struct flow *fl, const struct flow_insn *in, const struct disasm_operand *mem,
		       s64 *ret);
void flow_store(const struct flow *fl, const struct flow_insn *in, struct flow_state *s);
/* what is in the slot that an instruction loads */
struct flow_value flow_slot(const struct flow *fl, const struct flow_insn *in, const struct flow_state *s,
			    const struct disasm_operand *mem);

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
