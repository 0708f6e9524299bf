/*
 * Wall-ready: what is known of a record from its bytes alone: a sample decoded, and its call chain as stacks
 * are written. A thread of the pool does this for a batch of records while the caller works on the one
 * before, so it uses nothing that changes: no symbols, maps or tasks.
 */
#ifndef PERF_INJECT_WALL_READY_H
#define PERF_INJECT_WALL_READY_H

#include "../base/strbuf.h"
#include "../session/session.h"
#include "wall-fields.h"

#define WALL_READY_MAX 512u	/* records of a batch */

struct wall_ready {
	struct sample s;	/* with a chain at odd addresses, until the next batch */
	bool ok;		/* decoded: a sample of an event, or the trailer of another record */
	bool has_chain;		/* false: it has none, or more than the record is needed to know it */
	u64 hash;		/* sequences_hash() of the chain */
	size_t at;		/* of its first address in chains, with context markers */
	u32 nr;
};

struct wall_ready_batch {
	struct wall_ready v[WALL_READY_MAX];
	struct strbuf chains;
	struct arena arena;
};

/* what all batches share: const */
struct wall_ready_how {
	const struct sample_plan *plan;
	const struct wall_fields *event;	/* by event idx */
	bool has_leaves;	/* a chain may lack the caller of a leaf function: it is in a register */
};

void wall_ready_fill(const struct wall_ready_how *how, struct wall_ready_batch *b, const struct rec *rec,
		     size_t nr);
static inline const u64 *wall_ready_chain(const struct wall_ready_batch *b, const struct wall_ready *r)
{
	return (const u64 *)(b->chains.buf + r->at);
}
void wall_ready_release(struct wall_ready_batch *b);

#endif
