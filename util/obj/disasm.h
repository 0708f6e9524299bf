/*
 * Disasm: machine code as text, one instruction after another, by a plug-in (ops below). Which plug-in and
 * how it was asked never changes where instructions begin.
 */
#ifndef PERF_OBJ_DISASM_H
#define PERF_OBJ_DISASM_H

#include "../base/err.h"

enum disasm_kind { DISASM_OTHER, DISASM_JUMP, DISASM_CALL, DISASM_RETURN };

struct disasm_insn {
	u64 addr;
	u8 size;
	u8 kind;		/* enum disasm_kind */
	bool has_target;	/* the operands are one address in code: target */
	u64 target;
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
