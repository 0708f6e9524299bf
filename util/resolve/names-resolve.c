/* Names-resolve: frames are named once, after counting. See names.h. */
#include "inlines.h"

#include <stdlib.h>
#include "../base/sort.h"
#include "../session/session.h"
#include "../sym/lines.h"
#include "../sym/debuginfod.h"
#include "data-types.h"
#include "dso-hits.h"
#include "symbol-frames.h"

/*
 * moves the dsos with most samples to the front, then those that are only in call chains: the time for
 * servers may not suffice for all
 */
static void most_samples_first(const struct session *s, u32 *ids, size_t nr)
{
	u32 nr_hit, *hit = session_dsos_by_samples(s, &nr_hit);
	struct sort_pair *pair = xcalloc(2 * nr + 1, sizeof(*pair));

	for (size_t i = 0; i < nr; i++) {
		u32 k = 0;

		while (k < nr_hit && hit[k] != ids[i])
			k++;
		pair[i] = (struct sort_pair){ k, ids[i] };
	}
	sort_pairs(pair, pair + nr, nr);
	for (size_t i = 0; i < nr; i++)
		ids[i] = pair[i].val;
	free(pair);
	free(hit);
}

/* of the dsos that contain frames */
static void load_tables(struct names *n, const struct session *s)
{
	size_t nr_dsos = machine_dsos(n->machine)->dso.nr, nr;
	u32 *nr_frames = xcalloc(nr_dsos + 1, sizeof(*nr_frames)), *ids;

	vec_foreach(&n->frame, f)
		if (f->dso < nr_dsos)
			nr_frames[f->dso]++;
	ids = dsos_by_frames(nr_frames, nr_dsos, &nr);
	if (symbols_fetch(n->symbols))
		most_samples_first(s, ids, nr);
	if (n->inline_finder && !n->only_hits)
		inline_finder_begin(n);
	symbols_load_then(n->symbols, n->pool, ids, nr,
			  n->inline_finder && !n->only_hits ? inline_finder_dso : NULL, n);
	free(nr_frames);
	free(ids);
}

struct find_task {
	struct names *n;
	u32 *sym;
};
#define FIND_BATCH 8192

static void find_batch(void *arg, unsigned int worker, size_t batch)
{
	struct find_task *t = arg;
	const struct names *n = t->n;
	size_t end = MIN((batch + 1) * FIND_BATCH, n->frame.nr);

	for (size_t i = batch * FIND_BATCH; i < end; i++)
		t->sym[i] = frame_sym_idx(n->symbols, &n->frame.v[i]);
}

static void find_symbols(struct names *n, u32 *sym)
{
	struct find_task t = { .n = n, .sym = sym };

	pool_run_shown(n->pool, "finding functions", (n->frame.nr + FIND_BATCH - 1) / FIND_BATCH,
		       find_batch, &t);
}

static u32 name_add(struct names *n, u32 frame, u32 sym)
{
	vec_push(&n->named, (struct named){ .dso = n->frame.v[frame].dso, .sym = sym, .frame = frame });
	return n->named.nr - 1;
}

/* by position in a dso's table: number of its name plus one */
static u32 *table_names(u32 **of_dso, const struct names *n, u32 dso)
{
	if (!of_dso[dso])
		of_dso[dso] = xcalloc(symbols_table(n->symbols, dso)->nr, sizeof(u32));
	return of_dso[dso];
}

/*
 * frames without symbol that are callers have the name of the other frame at their address, if there is one
 */
static void name_bare_callers(struct names *n, const u32 *sym)
{
	struct hidx idx = { 0 };

	for (u32 i = 0; i < n->frame.nr; i++)
		if (sym[i] == ID_NONE && !n->frame.v[i].caller)
			hidx_insert(&idx, frame_hash(n->frame.v[i].dso, n->frame.v[i].addr), i);
	for (u32 i = 0; i < n->frame.nr; i++) {
		const struct frame *f = &n->frame.v[i];
		u32 other;

		if (sym[i] != ID_NONE || !f->caller)
			continue;
		n->named_of[i] = ID_NONE;
		HIDX_FOREACH(&idx, frame_hash(f->dso, f->addr), other)
			if (n->frame.v[other].dso == f->dso && n->frame.v[other].addr == f->addr)
				n->named_of[i] = n->named_of[other];
		if (n->named_of[i] == ID_NONE)
			n->named_of[i] = name_add(n, i, ID_NONE);
	}
	hidx_release(&idx);
}

/* where the number of a frame's name plus one is kept; NULL: it is a name of its own */
static u32 *known_name(const struct names *n, u32 **of_dso, u32 *unnamed, u32 frame, u32 sym)
{
	u32 dso = n->frame.v[frame].dso;

	if (sym != ID_NONE)
		return &table_names(of_dso, n, dso)[sym];
	return n->join_unnamed && dso != ID_NONE ? &unnamed[dso] : NULL;
}

/* frames with the same symbol get the same id; an address without one is a name of its own, or its dso's */
static void assign_named(struct names *n, const u32 *sym)
{
	size_t nr_dsos = machine_dsos(n->machine)->dso.nr;
	u32 **of_dso = xcalloc(nr_dsos, sizeof(*of_dso));
	u32 *unnamed = xcalloc(nr_dsos, sizeof(*unnamed));
	bool bare_callers = false;

	vec_reserve(&n->named, n->frame.nr);
	for (u32 i = 0; i < n->frame.nr; i++) {
		u32 *known = known_name(n, of_dso, unnamed, i, sym[i]);

		if (!known) {
			bare_callers |= n->frame.v[i].caller;
			n->named_of[i] = n->frame.v[i].caller ? ID_NONE : name_add(n, i, ID_NONE);
			continue;
		}
		if (!*known)
			*known = name_add(n, i, sym[i]) + 1;
		n->named_of[i] = *known - 1;
	}
	if (bare_callers)
		name_bare_callers(n, sym);
	for (size_t d = 0; d < nr_dsos; d++)
		free(of_dso[d]);
	free(of_dso);
	free(unnamed);
}

static u64 by_dso_and_symbol(const struct named *nm)
{
	return (u64)nm->dso << 32 | nm->sym;
}

/*
 * A dso has many more symbols than frames refer to, and only the names and starts of those symbols are still
 * used
 */
static void forget_symbols(struct names *n)
{
	struct symbols *s = n->symbols;
	u32 nr_dsos = machine_dsos(n->machine)->dso.nr;
	struct sort_pair *pair = xreallocarray(NULL, 2 * n->named.nr + 1, sizeof(*pair));
	u32 *idx = xreallocarray(NULL, n->named.nr + 1, sizeof(*idx));
	size_t nr = 0, at = 0;

	for (u32 i = 0; i < n->named.nr; i++)
		if (n->named.v[i].sym != ID_NONE)
			pair[nr++] = (struct sort_pair){ by_dso_and_symbol(&n->named.v[i]), i };
	sort_pairs(pair, pair + nr, nr);
	for (u32 dso = 0; dso < nr_dsos; dso++) {
		u32 kept = 0;

		for (; at < nr && pair[at].key >> 32 == dso; at++) {
			idx[kept] = pair[at].key;
			n->named.v[pair[at].val].sym = kept++;
		}
		symbols_keep(s, dso, idx, kept);
	}
	symbols_forget_lists(s);
	free(pair);
	free(idx);
	alloc_give_back();
}

static void name_batch(void *arg, unsigned int worker, size_t batch)
{
	struct names *n = arg;
	size_t end = MIN((batch + 1) * FIND_BATCH, n->named.nr);

	for (size_t i = batch * FIND_BATCH; i < end; i++) {
		struct named *nm = &n->named.v[i];

		if (nm->sym != ID_NONE)
			nm->name = symbols_name(n->symbols, nm->dso, nm->sym,
						&n->worker_arena[worker].arena);
	}
}

/* demangling is the largest part of naming */
static void find_names(struct names *n)
{
	n->nr_arenas = pool_nr_workers(n->pool);
	n->worker_arena = xcalloc_aligned(n->nr_arenas, sizeof(*n->worker_arena));
	pool_run_shown(n->pool, "naming functions", (n->named.nr + FIND_BATCH - 1) / FIND_BATCH,
		       name_batch, n);
}

void names_init(struct names *n, const struct session *s)
{
	*n = (struct names){ .machine = s->machine, .symbols = s->symbols, .pool = s->pool };
}

void names_resolve(struct names *n, const struct session *s, bool symbols, bool inlines)
{
	size_t nr = n->frame.nr;
	u32 *sym = xreallocarray(NULL, nr + 1, sizeof(u32));

	n->named_of = xreallocarray(NULL, nr + 1, sizeof(u32));
	n->dso_text = xcalloc(machine_dsos(n->machine)->dso.nr + 1, sizeof(u32));
	if (inlines)
		n->inline_finder = inline_finder_new(n);
	if (symbols) {
		load_tables(n, s);
		find_symbols(n, sym);
	} else {
		for (size_t i = 0; i < nr; i++)
			sym[i] = ID_NONE;
	}
	if (n->only_hits && n->inline_finder)
		inline_finder_ask(n);
	assign_named(n, sym);
	free(sym);
	if (n->only_hits)
		forget_symbols(n);
	find_names(n);
	if (n->only_hits && n->inline_finder) {
		inline_finder_run(n);
		alloc_give_back();
	}
}

void names_take_lowest(struct names *n)
{
	for (u32 i = 0; i < n->frame.nr; i++) {
		struct named *nm = &n->named.v[n->named_of[i]];

		if (n->frame.v[i].addr < n->frame.v[nm->frame].addr)
			nm->frame = i;
	}
}

void names_types(struct names *n, const struct session *s)
{
	n->types = data_types_new(s);
}

void names_release(struct names *n)
{
	vec_release(&n->frame);
	free(n->named_of);
	free(n->dso_text);
	lines_free(n->lines);
	data_types_free(n->types);
	inline_finder_free(n->inline_finder);
	free(n->inl_start);
	vec_release(&n->inl);
	vec_release(&n->named);
	strtab_release(&n->texts);
	arena_release(&n->arena);
	for (u32 i = 0; i < n->nr_arenas; i++)
		arena_release(&n->worker_arena[i].arena);
	free(n->worker_arena);
}
