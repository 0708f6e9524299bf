/*
 * Plain chain: a sample with user registers and a copy of its stack becomes one with a call chain only, as if
 * the kernel had recorded that: any reader of perf.data can show it, and it takes some hundred bytes instead
 * of thousands. Used while recording (record --unwind-live) and on finished files (inject).
 *
 * Unwound frames are the sampled address, then for each caller the address of the byte before the return
 * address, as all commands show stacks that they unwind themselves.
 */
#ifndef PERF_RESOLVE_PLAIN_CHAIN_H
#define PERF_RESOLVE_PLAIN_CHAIN_H

#include "resolver.h"

/* frames of a plain chain: what every reader takes */
#define PLAIN_CHAIN_MAX 127u

/* samples of such an event are converted: they have a stack, and a call chain which takes its place */
bool plain_chain_applies(const struct pe_attr *attr);
/* the attributes that such an event has afterwards; others stay as they are */
void plain_chain_attr(struct pe_attr *attr);
/*
 * Appends the whole call chain of a sample (sample_chain_of()) as the kernel records one: the number of
 * entries, then these, with context markers between them. All are u64.
 */
void plain_chain_put(struct resolver *r, const struct sample *s, const struct sample_ctx *ctx,
		     struct strbuf *out);
/* the same for a sample whose chain the kernel recorded as a whole: nothing is unwound or joined */
void plain_chain_put_recorded(const struct sample *s, struct strbuf *out);
/*
 * Appends the SAMPLE record rec, which is decoded in s, to out with its whole call chain (sample_chain_of())
 * instead of its registers and stack; one without a stack as it is. -ENOTSUP: the record is of the other
 * byte order, or unaligned; nothing was appended then. -E2BIG: the new record would be too large.
 */
int sample_plain_chain(struct resolver *r, const struct rec *rec, const struct sample *s,
		       const struct sample_ctx *ctx, struct strbuf *out);

#endif
