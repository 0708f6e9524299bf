/*
 * Cfi: call frame information of an ELF file (.eh_frame, else .debug_frame): how to get from a function's
 * registers to its caller's, at any address. Rules are cached by address, and equal ones are kept once. One
 * user at a time: a worker opens its own.
 */
#ifndef PERF_OBJ_CFI_H
#define PERF_OBJ_CFI_H

#include "../../arch/arch.h"

#define CFI_REGS ARCH_DWARF_REGS

enum cfi_kind {
	CFI_SAME,	/* the caller's value is the callee's */
	CFI_UNDEFINED,
	CFI_AT_CFA,	/* in memory at CFA + off */
	CFI_CFA,	/* is CFA + off */
	CFI_EXPR,	/* see cfi_evaluate() */
};

struct cfi_rule {
	/* the caller's address is that of an interrupted instruction, not of a call */
	bool signal;
	u8 ra;			/* column that holds the return address */
	bool cfa_expr;
	u8 cfa_reg;
	s32 cfa_off;
	u64 same;		/* bit n: reg[n] is CFI_SAME */
	void *frame;		/* libdw's frame, kept for expressions; NULL: there are none */
	/* registers that have to be computed: neither same nor undefined; off and kind are those of reg[] */
	u8 nr_moved;
	struct cfi_move {
		s32 off;
		u8 reg, kind;
	} moved[CFI_REGS];
	struct {
		s32 off;
		u8 kind;
	} reg[CFI_REGS];
};

struct cfi;
struct elf_obj;
/*
 * takes ownership of o; if o is NULL, returns NULL. high: the DWARF number of register CFI_REGS - 1, if it is
 * another one; else 0
 */
struct cfi *cfi_new(struct elf_obj *o, unsigned int high);
void cfi_free(struct cfi *c);
/* valid until cfi_free(); NULL if nothing is known about that address */
const struct cfi_rule *cfi_find(struct cfi *c, u64 svma);
const struct elf_obj *cfi_elf(const struct cfi *c);

/* the values that an expression may need */
struct cfi_machine {
	u64 reg[CFI_REGS];
	u64 valid;		/* bit n: reg[n] is known */
	u64 cfa;
	u64 bias;		/* run-time address - svma */
	/* reads a word of memory; false: it was not recorded */
	bool (*read)(void *ctx, u64 addr, unsigned int size, u64 *ret);
	void *ctx;
	unsigned int word;	/* bytes */
};

/* the CFA of a rule with cfa_expr; false: a value that it needs is not known */
bool cfi_evaluate_cfa(const struct cfi_rule *r, const struct cfi_machine *m, u64 *ret);
/* the caller's value of a register of kind CFI_EXPR */
bool cfi_evaluate(const struct cfi_rule *r, unsigned int reg, const struct cfi_machine *m, u64 *ret);

#endif
