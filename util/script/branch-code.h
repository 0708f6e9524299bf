/*
 * Branch-code: the instructions between the branches of a sample, oldest first (-F brstackinsn,
 * brstackinsnlen, brstackdisasm).
 */
#ifndef PERF_SCRIPT_BRANCH_CODE_H
#define PERF_SCRIPT_BRANCH_CODE_H

#include "insn-code.h"
#include "line-worker.h"

/* the worker's */
struct branch_code *line_branch_code_of(struct line_worker *w);

/*
 * Shows the branches of a sample and the code between them. Text: lines that begin with a tab, after the
 * sample's own line; with a format: rows of the key brstackinsn
 */
void line_branch_code(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		      struct strbuf *out);

/* two tabs and the instruction that was sampled; nothing where it is not known */
void line_disasm(struct line_worker *w, const struct resolved_frame *f, struct strbuf *out);

#endif
