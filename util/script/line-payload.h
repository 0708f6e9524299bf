/* Line-payload: registers, branch stacks and BPF output of a sample. */
#ifndef PERF_SCRIPT_LINE_PAYLOAD_H
#define PERF_SCRIPT_LINE_PAYLOAD_H

#include "line-worker.h"

void line_regs(const struct line_worker *w, u64 mask, u64 abi, const u64 *regs, struct strbuf *out);
void line_branches(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		   struct strbuf *out);
/* the address of a branch's end as its dso has it, for brstackoff */
u64 line_branch_off(const struct line_worker *w, const struct resolved_frame *f);
void line_bpf_output(const struct sample *sm, struct strbuf *out);

#endif
