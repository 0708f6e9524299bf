/*
 * Branch-code: the instructions between the branches of a sample, oldest first (-F brstackinsn,
 * brstackinsnlen, brstackdisasm), and the code around any address. One a worker.
 */
#ifndef PERF_SCRIPT_BRANCH_CODE_H
#define PERF_SCRIPT_BRANCH_CODE_H

#include "../obj/disasm.h"
#include "line-private.h"

/* an instruction at a run-time address; nr_bytes 0: there is no code of that build */
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
/* the worker's */
struct branch_code *line_branch_code_of(struct line_worker *w);
/* the instruction at the address of a frame; text: as a disassembler shows it */
void branch_code_insn(struct branch_code *c, const struct resolved_frame *f, bool text,
		      struct code_insn *ret);

/*
 * Shows the branches of a sample and the code between them. Text: lines that begin with a tab, after the
 * sample's own line; with a format: rows of the key brstackinsn
 */
void line_branch_code(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		      struct strbuf *out);

/* two tabs and the instruction that was sampled; nothing where it is not known */
void line_disasm(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		 struct strbuf *out);

#endif
