/* Line-more: rare fields of a sample, for which a worker keeps something (line-state.h). */
#ifndef PERF_SCRIPT_LINE_MORE_H
#define PERF_SCRIPT_LINE_MORE_H

#include "line-worker.h"

/* what the worker keeps for rare fields, made at the first call */
struct line_more *line_more_of(struct line_worker *w);
/* the source line of the sample's address where it is another than the last one of the task */
void line_srccode(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		  struct strbuf *out);

/* the instruction at the address of a sample; fields: bits of INSN and INSNLEN, or of DISASM */
void line_insn(struct line_worker *w, u64 fields, const struct sample *sm, const struct sample_ctx *at,
	       struct strbuf *out);
/* the same where its place is known */
void line_insn_at(struct line_worker *w, u64 fields, u64 ip, u32 dso, u64 dso_addr, struct strbuf *out);

#endif
