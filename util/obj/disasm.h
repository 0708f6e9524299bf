/*
 * Disasm: machine code as text, one instruction after another, by a plug-in (ops below). Which plug-in and
 * how it was asked never changes where instructions begin.
 */
#ifndef PERF_OBJ_DISASM_H
#define PERF_OBJ_DISASM_H

#include "../base/err.h"

enum disasm_kind { DISASM_OTHER, DISASM_JUMP, DISASM_CALL, DISASM_RETURN };

/* what an instruction does with its operands, as far as data flow needs it */
enum disasm_effect {
	DISASM_OPAQUE,		/* only `written` is known */
	DISASM_MOVE,		/* copies its source, a register or memory, to its destination */
	DISASM_EXTEND,		/* the same with the sign of a source of 4 bytes */
	DISASM_ADDRESS,		/* the result is the address of its memory operand, or its constant */
	DISASM_ADD,		/* adds registers, or a register and a constant, to its destination */
	DISASM_PUSH_POP,	/* accesses the top of the stack */
	DISASM_COMPARE,		/* x86: sets flags only; a conditional jump after it may be one with it */
	DISASM_NOP,		/* does nothing; x86: its operands are left out */
};

enum disasm_operand_kind { DISASM_REG, DISASM_MEM, DISASM_IMM };

#define DISASM_NO_REG 0xff

struct disasm_operand {
	u8 kind;		/* enum disasm_operand_kind */
	bool written;		/* else it is only read */
	u8 size;		/* bytes */
	/* DWARF number of a general register: it, or the base; DISASM_NO_REG: none, or another */
	u8 reg;
	u8 index;		/* the same for the index */
	u8 scale;		/* of the index */
	bool opaque;		/* memory: the address depends on more, such as a segment */
	bool gs, fs;		/* x86: the address also adds the base of this segment, and nothing else */
	s64 value;		/* constant; displacement; without base and index the address as linked */
};
#define DISASM_OPERANDS 4

struct disasm_insn {
	u64 addr;
	u8 size;
	u8 kind;		/* enum disasm_kind */
	bool has_target;	/* the operands are one address in code: target */
	u64 target;
	/* these are known for x86-64 and arm64 */
	bool has_detail;
	u8 effect;		/* enum disasm_effect */
	bool conditional;	/* a jump that may not be taken */
	u8 nr_operands;
	struct disasm_operand operand[DISASM_OPERANDS];
	u64 written;		/* general registers that change: bit n is DWARF register n */
	char mnemonic[40];	/* "mov"; "(bad)" where no instruction begins */
	char operands[200];	/* "" if there are none */
};

struct disasm_target {
	u16 e_machine;
	bool is64, big_endian;
	bool intel;		/* x86: the syntax of Intel's manuals, not AT&T's */
};

/* the ops of plug-in libcapstone */
struct disasm_plugin_ops {
	/* *ret, or NULL and msg */
	void *(*open)(const struct disasm_target *t, char *msg, size_t msg_size);
	/* the instruction at code, of which len bytes may be read; false: there is none */
	bool (*next)(void *handle, const u8 *code, size_t len, u64 addr, struct disasm_insn *ret);
	void (*close)(void *handle);
};

struct disasm;
/* NULL with err: the plug-in is missing, or it does not know the machine */
struct disasm *disasm_open(const struct disasm_target *t, struct err *err);
/*
 * the instruction at code, len > 0 bytes; where there is none, "(bad)" of the smallest size that the machine
 * has. size is between 1 and len
 */
void disasm_next(struct disasm *d, const u8 *code, size_t len, u64 addr, struct disasm_insn *ret);
void disasm_close(struct disasm *d);

#endif
