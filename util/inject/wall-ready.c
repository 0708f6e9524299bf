/* Wall-ready: see wall-ready.h. */
#include "wall-ready.h"
#include "../base/sequences.h"
#include "../event/record-type.h"
#include "../record/wall-switches.h"
#include "../resolve/plain-chain.h"

/* idle tasks, and samples that only wake others, are asked for no stack */
static bool wants_chain(const struct wall_ready_how *how, const struct sample *s)
{
	switch (how->event[s->event->idx].kind) {
	case KIND_SWITCH:
	case KIND_SAMPLE:
		return s->tid != 0;
	case KIND_BPF:
	case KIND_SLOT:
	case KIND_ENTRY:
	case KIND_MARK:
		return true;
	default:
		return false;
	}
}

/* nothing but the recorded chain is needed */
static bool is_plain(const struct wall_ready_how *how, const struct sample *s)
{
	return s->nr_callchain && !unwind_possible(s) && !callchain_is_deferred(s) && !lbr_possible(s) &&
	       !(how->has_leaves && unwind_leaf_possible(s));
}

static void put_chain(struct wall_ready_batch *b, struct wall_ready *r)
{
	const u64 *chain;

	/* its number of entries is before the first one */
	r->at = b->chains.len + sizeof(u64);
	plain_chain_put_recorded(&r->s, &b->chains);
	chain = wall_ready_chain(b, r);
	r->nr = chain[-1];
	r->hash = sequences_hash(chain, r->nr);
	r->has_chain = true;
}

static void take_record(const struct wall_ready_how *how, struct wall_ready_batch *b, struct wall_ready *r,
			const struct rec *rec)
{
	r->has_chain = false;
	if (rec->type != REC_SAMPLE) {
		r->ok = !sample_decode_id(how->plan, rec, &r->s);
		return;
	}
	r->ok = !sample_decode(how->plan, rec, &r->s, &b->arena) && r->s.event;
	if (r->ok && wants_chain(how, &r->s) && is_plain(how, &r->s))
		put_chain(b, r);
}

void wall_ready_fill(const struct wall_ready_how *how, struct wall_ready_batch *b, const struct rec *rec,
		     size_t nr)
{
	strbuf_reset(&b->chains);
	arena_reset(&b->arena);
	for (size_t i = 0; i < nr; i++)
		take_record(how, b, &b->v[i], &rec[i]);
}

void wall_ready_release(struct wall_ready_batch *b)
{
	strbuf_release(&b->chains);
	arena_release(&b->arena);
}
