/* Callindent: names of called functions, indented by the depth of calls. */
#ifndef PERF_SCRIPT_CALLINDENT_H
#define PERF_SCRIPT_CALLINDENT_H

#include "line-worker.h"

/* the field callindent of a branch that was made of a trace; mask: the fields of its line */
void line_callindent(struct line_worker *w, u64 mask, const struct sample *sm, const struct sample_ctx *at,
		     struct strbuf *out);
void callindent_free(struct callindent *c);

#endif
