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
		r->unwind = unwind_new(&r->locator, s->symbols, session_elf_machine(s), s->data->swap,
				       s->unwinder);
	return r->unwind;
}

struct chain_walk resolver_join_chain(struct resolver *r, const struct sample *s,
				      const struct sample_ctx *ctx, u64 max)
{
	struct sample whole = *s;
	struct chain_walk walk;

	if (callchain_is_deferred(&whole))
		deferred_join(r->deferred, r->session, ctx, &whole, r->scratch);
	if (lbr_possible(&whole)) {
		r->lbr_whole = lbr_append_tail(r->session->lbr_tails, ctx->when, &whole, r->scratch);
		lbr_join(&whole, r->scratch);
	}
	if (unwind_leaf_possible(&whole))
		unwind_leaf(unwinder(r), &whole, ctx, r->scratch);
	walk = chain_walk_of(&whole, max);
	walk.has_calls = lbr_possible(&whole);
	return walk;
}

/* no user address of any architecture is as large */
#define USER_END (1ull << 56)

void sample_chain_replace_user(struct sample_chain *c)
{
	const struct sample *s = c->sample;
	u64 marker = callchain_user_marker(s), nr;

	if (marker == s->nr_callchain)
		return;
	for (nr = 0; marker + 1 + nr < s->nr_callchain && s->callchain[marker + 1 + nr] < USER_END; nr++)
		;
	c->walk.end = s->callchain + marker;
	c->user = s->callchain + marker + 1;
	c->nr_user = nr;
}

/* an unwound caller is one byte before its return address */
static bool same_return(u64 unwound, u64 user)
{
	return unwound == user || unwound + 1 == user;
}

static bool occurs_before(const u64 *unwound, u64 nr, u64 ip)
{
	for (u64 i = 0; i < nr; i++)
		if (same_return(unwound[i], ip))
			return true;
	return false;
}

u64 chain_splice(u64 *unwound, u64 nr, u64 max, const u64 *user, u64 nr_user)
{
	u64 at = nr_user, found = 0, equal = 0;

	if (!nr)
		return 0;
	for (u64 i = 0; i < nr_user; i++) {
		if (!same_return(unwound[nr - 1], user[i]))
			continue;
		at = found++ ? at : i;
	}
	while (equal < MIN(nr, nr_user) && same_return(unwound[equal], user[equal]))
		equal++;
	if (equal == nr)
		at = nr - 1;
	else if (found != 1 || occurs_before(unwound, nr - 1, user[at]))
		return nr;
	for (at++; at < nr_user && nr < max; at++)
		unwound[nr++] = user[at];
	return nr;
}

/* the frames after a stack that was cut; without any unwound frame, the whole chain of frame pointers */
static int continue_chain(struct sample_chain *c, int nr, u64 max)
{
	u64 *to = c->resolver->unwound, all = MAX(nr, 0);

	if (!all)
		for (; all < MIN(c->nr_user, max); all++)
			to[all] = c->user[all];
	else
		all = chain_splice(to, nr, max, c->user, c->nr_user);
	if (all > (u64)MAX(nr, 0))
		c->unwind_end = STACK_MIXED;
	return all;
}

bool sample_chain_unwind(struct sample_chain *c, struct chain_run *ret)
{
	struct resolver *r = c->resolver;
	u64 max = MIN(c->walk.room, (u64)RESOLVE_MAX_UNWOUND);
	u64 unwound;
	int nr;

	c->unwinds = false;
	if (!max)
		return false;
	if (!r->unwound)
		r->unwound = xreallocarray(NULL, RESOLVE_MAX_UNWOUND, sizeof(*r->unwound));
	nr = unwind_dwarf(unwinder(r), c->sample, c->ctx, r->unwound, max);
	c->unwind_end = unwind_end(r->unwind);
	unwound = MAX(nr, 1);
	if (c->nr_user && c->unwind_end != STACK_COMPLETE && c->unwind_end != STACK_MIXED)
		nr = continue_chain(c, nr, max);
	*ret = (struct chain_run){ r->unwound, MAX(nr, 0), unwound, CPUMODE_USER };
	c->walk.room -= ret->nr;
	return ret->nr > 0;
}

#define DEFAULT_DEPTH 127	/* kernel.perf_event_max_stack */

/* the kernel stopped because it had recorded all that it would */
static bool is_full_chain(const struct sample *s)
{
	u64 depth = s->event && s->event->attr.sample_max_stack ? s->event->attr.sample_max_stack :
		    DEFAULT_DEPTH;
	u64 markers = 1 + (s->nr_callchain && s->callchain[0] == CHAIN_KERNEL);

	return s->nr_callchain >= depth + markers;
}

/*
 * the walk has passed the user marker: at is after the last address, or after the value that ended the chain
 */
static enum stack_why frame_pointers_end(const struct sample_chain *c)
{
	const struct chain_walk *w = &c->walk;
	bool caller;

	if (!chain_is_address(w, w->at[-1]))
		return STACK_NO_FP;
	caller = chain_is_address(w, w->at[-2]);
	return is_full_chain(c->sample) ? STACK_DEPTH : caller ? STACK_COMPLETE : STACK_NO_FP;
}

enum stack_why sample_chain_why(const struct sample_chain *c)
{
	const struct sample *s = c->sample;

	if (c->unwind_end)
		return c->unwind_end;
	if (s->user_stack)
		return !s->user_abi ? STACK_NONE : s->user_stack_size ? STACK_DEPTH : STACK_MEMORY;
	if (c->walk.cookie)
		return STACK_MISSING;
	if (c->walk.cpumode != CPUMODE_USER)
		return STACK_NONE;
	if (!c->walk.room)
		return STACK_DEPTH;
	if (lbr_possible(s))
		return c->resolver->lbr_whole ? STACK_COMPLETE : STACK_DEPTH;
	return frame_pointers_end(c);
}

static u32 dso_at(const struct sample_chain *c, u64 ip)
{
	return ip ? locator_find(&c->resolver->locator, c->ctx, CPUMODE_USER, ip).dso : ID_NONE;
}

/* of the outermost user address at which something is mapped */
static u32 last_dso(const struct sample_chain *chain)
{
	struct sample_chain c = *chain;
	struct chain_run run;
	u32 dso, last = ID_NONE;

	while (sample_chain_next(&c, &run)) {
		for (u64 i = 0; run.cpumode == CPUMODE_USER && i < run.nr; i++) {
			dso = dso_at(&c, run.ip[i]);
			last = dso == ID_NONE ? last : dso;
		}
	}
	return last;
}

u64 stack_end_find(const struct sample_chain *chain)
{
	struct sample_chain c = *chain;
	struct chain_run run;
	u64 last = 0;	/* the outermost user address */
	enum stack_why why;
	u32 dso;

	while (sample_chain_next(&c, &run))
		if (run.cpumode == CPUMODE_USER)
			last = run.ip[run.nr - 1];
	dso = dso_at(&c, last);
	why = stack_why_checked(sample_chain_why(&c), dso != ID_NONE);
	return stack_end_key(why, why == STACK_NO_FP && dso == ID_NONE ? last_dso(chain) : dso);
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
							locator_find(&r->locator, ctx, side, run.ip[i]),
							chain_run_is_caller(&run, i) };
		}
	}
	return nr;
}
