/* Resolver: see resolver.h. */
#include "resolver.h"

#include <stdlib.h>
#include "deferred.h"

void resolver_init(struct resolver *r, const struct session *s, struct arena *scratch)
{
	*r = (struct resolver){ .session = s, .scratch = scratch };
	locator_init(&r->locator, s->machine);
}

void resolver_release(struct resolver *r)
{
	unwind_free(r->unwind);
	locator_release(&r->locator);
	free(r->unwound);
	r->unwind = NULL;
	r->unwound = NULL;
}

static struct unwind *unwinder(struct resolver *r)
{
	const struct session *s = r->session;

	if (!r->unwind)
		r->unwind = unwind_new(&r->locator, s->symbols, session_elf_machine(s), s->data->swap);
	return r->unwind;
}

struct chain_walk resolver_join_chain(struct resolver *r, const struct sample *s,
				      const struct sample_ctx *ctx, u64 max)
{
	struct sample whole = *s;

	if (callchain_is_deferred(&whole))
		deferred_join(r->deferred, r->session, ctx, &whole, r->scratch);
	if (lbr_possible(&whole))
		lbr_join(&whole, r->scratch);
	if (unwind_leaf_possible(&whole))
		unwind_leaf(unwinder(r), &whole, ctx, r->scratch);
	return chain_walk_of(&whole, max);
}

bool sample_chain_unwind(struct sample_chain *c, struct chain_run *ret)
{
	struct resolver *r = c->resolver;
	u64 max = MIN(c->walk.room, (u64)RESOLVE_MAX_UNWOUND);
	int nr;

	c->unwinds = false;
	if (!max)
		return false;
	if (!r->unwound)
		r->unwound = xreallocarray(NULL, RESOLVE_MAX_UNWOUND, sizeof(*r->unwound));
	nr = unwind_dwarf(unwinder(r), c->sample, c->ctx, r->unwound, max);
	*ret = (struct chain_run){ r->unwound, MAX(nr, 0), CPUMODE_USER };
	c->walk.room -= ret->nr;
	return ret->nr > 0;
}

size_t chain_resolve(struct resolver *r, const struct sample *sample, const struct sample_ctx *ctx,
		     struct frame_loc *out, size_t max)
{
	struct sample_chain chain = sample_chain_of(r, sample, ctx, max);
	struct chain_run run;
	size_t nr = 0;

	while (sample_chain_next(&chain, &run)) {
		for (u64 i = 0; i < run.nr; i++) {
			u8 side = chain_side(&r->locator, ctx, run.cpumode, run.ip[i]);

			out[nr++] = (struct frame_loc){ run.ip[i],
							locator_find(&r->locator, ctx, side, run.ip[i]) };
		}
	}
	return nr;
}
