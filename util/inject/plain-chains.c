/*
 * Plain-chains: call chains instead of registers and stacks (resolve/plain-chain.h), as record --unwind-live
 * writes them. Events with stacks but without call chains keep their stacks: their samples have no place for
 * a chain.
 */
#include "inject-private.h"
#include "../base/log.h"
#include "../event/record-type.h"
#include "../resolve/plain-chain.h"

#include <errno.h>

struct plain_chains_state {
	struct resolver resolver;
	struct arena scratch;
	u64 dropped;
};

int plain_chains_start(struct inject *in, struct err *err)
{
	struct plain_chains_state *st;
	size_t nr = 0;

	vec_foreach(&in->set->ev, ev) {
		nr += plain_chain_applies(&(*ev)->attr);
		plain_chain_attr(&(*ev)->attr);
	}
	if (!nr) {
		err_set(err, -ENOENT, "%s has no events with call chains and stacks",
			in->session->data->path);
		err_hint(err, "record with --call-graph dwarf");
		return -ENOENT;
	}
	st = in->plain_chains = xcalloc(1, sizeof(*st));
	resolver_init(&st->resolver, in->session, &st->scratch);
	return 0;
}

/* in pipes records may begin anywhere, and parts of a sample are copied if they are not aligned */
static struct rec aligned(struct plain_chains_state *st, const struct rec *rec)
{
	struct rec ret = *rec;

	if ((uintptr_t)rec->p % sizeof(u64))
		ret.p = arena_memdup(&st->scratch, rec->p, rec->size);
	return ret;
}

int plain_chains_record(struct inject *in, const struct rec *from, u64 time UNUSED)
{
	struct plain_chains_state *st = in->plain_chains;
	struct resolver *r = &st->resolver;
	struct sample_ctx ctx;
	struct sample s;
	struct rec rec;

	if (from->type != REC_SAMPLE)
		return 1;
	arena_reset(&st->scratch);
	rec = aligned(st, from);
	/* with the attributes of the copy a damaged sample would be read in another way */
	if (sample_decode(in->session->data->plan, &rec, &s, &st->scratch)) {
		st->dropped++;
		return 0;
	}
	if (!s.event || !plain_chain_applies(&s.event->attr))
		return 1;
	ctx = locator_sample_ctx(&r->locator, in->session, &s, &rec);
	if (sample_plain_chain(r, &rec, &s, &ctx, &in->buf)) {
		st->dropped++;
		return 0;
	}
	return inject_flush(in);
}

void plain_chains_end(struct inject *in)
{
	struct plain_chains_state *st = in->plain_chains;

	if (!st)
		return;
	if (st->dropped)
		log_warn("samples that were left out, damaged or too large to be converted: %llu",
			 (unsigned long long)st->dropped);
	resolver_release(&st->resolver);
	arena_release(&st->scratch);
	free(st);
	in->plain_chains = NULL;
}
