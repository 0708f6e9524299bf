/* Insn-code: instructions at run-time addresses, from the code of their functions. One a worker. */
#ifndef PERF_SCRIPT_INSN_CODE_H
#define PERF_SCRIPT_INSN_CODE_H

#include "../base/types.h"

struct resolved_frame;
struct session;

/* an instruction at a run-time address; nr_bytes 0: the code of that build was not found */
struct code_insn {
	u64 ip;
	const u8 *byte;
	u32 nr_bytes;
	const char *text;	/* good until the next call; NULL: no disassembler, or it was not asked for */
	bool stops;		/* known: what follows in memory is not executed next */
};

struct branch_code;
struct branch_code *branch_code_new(const struct session *s);
void branch_code_free(struct branch_code *c);
/* the instruction at the address of a frame; text: as a disassembler shows it */
void branch_code_insn(struct branch_code *c, const struct resolved_frame *f, bool text,
		      struct code_insn *ret);

#endif
