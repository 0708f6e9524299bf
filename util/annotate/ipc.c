/* Annotate: instructions per cycle of the functions in which rows of a report are. */
#include "annotate.h"

static void sum_up(const struct view_listing *l, struct named_ipc *ret)
{
	vec_foreach(&l->block, b) {
		ret->cycles += b->cycles;
		ret->insns += b->insns;
	}
	ret->covered = l->covered;
	ret->all = l->insns;
}

void annotate_ipc(struct hist *h, const struct sample_filter *filter)
{
	struct annotate_opts o = { .filter = *filter };
	struct annotate a = { .session = h->session, .opts = &o, .hist = h };
	struct names *n = &h->names;
	struct arena arena = { 0 };
	struct view_listing l;

	annotate_count_blocks(&a);
	n->ipc = arena_alloc(&n->arena, (n->named.nr + 1) * sizeof(*n->ipc));
	memset(n->ipc, 0, (n->named.nr + 1) * sizeof(*n->ipc));
	for (u32 i = 0; i < n->named.nr && a.block.nr; i++) {
		const struct named *nm = &n->named.v[i];

		if (nm->dso == ID_NONE || nm->sym == ID_NONE || !annotate_has_blocks(&a, nm->dso, nm->sym))
			continue;
		annotate_function(&a, &(struct annotated){ .dso = nm->dso, .symbol = nm->sym }, &arena, &l);
		sum_up(&l, &n->ipc[i]);
		annotate_listing_release(&l);
		arena_reset(&arena);
	}
	arena_release(&arena);
	vec_release(&a.block);
}
