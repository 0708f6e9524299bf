/* Inlines: the inlined functions that contain a frame's address, as frames and names of their own. */
#include "inlines.h"

#include <stdlib.h>

#include "../base/sort.h"
#include "../machine/machine.h"
#include "../sym/lines.h"

/* programs and libraries, and a kernel whose vmlinux has debug information */
static bool may_have_lines(const struct names *n, u32 frame)
{
	const struct frame *f = &n->frame.v[frame];
	const struct symtab *t;

	if (f->dso == ID_NONE || dsos_at(machine_dsos(n->machine), f->dso)->kind == DSO_USER)
		return f->dso != ID_NONE;
	t = symbols_table(n->symbols, f->dso);
	return t && t->debug_info;
}

struct queries {
	VEC(struct line_query);
};

/* equal names inside one function are one name */
static u32 inlined_name(struct names *n, struct hidx *idx, const char *name, u32 of)
{
	const struct named base = n->named.v[n->named_of[of]];
	u64 hash = hash_mix(hash_str(name), (u64)base.dso << 32 | base.sym);
	size_t len = strlen(name);
	char *text;
	u32 id;

	/* a function inlined into a copy of itself is shown as that copy */
	if (base.name && !strcmp(base.name, name))
		return n->named_of[of];
	HIDX_FOREACH(idx, hash, id) {
		const struct named *nm = &n->named.v[id];

		if (nm->dso == base.dso && nm->sym == base.sym && !strncmp(nm->name, name, len) &&
		    nm->name[len] == ' ' && nm->name[len + 1] == '(')
			return id;
	}
	text = arena_alloc(&n->arena, len + sizeof(" (inlined)"));
	memcpy(text, name, len);
	memcpy(text + len, " (inlined)", sizeof(" (inlined)"));
	id = n->named.nr;
	/* the next frame will be one of this name */
	vec_push(&n->named,
		 (struct named){ .dso = base.dso, .sym = base.sym, .frame = n->frame.nr, .name = text });
	hidx_insert(idx, hash, id);
	return id;
}

struct found_inline {
	u32 frame;
	struct line_info info;
};
struct found_inlines {
	VEC(struct found_inline);
};

/* a frame, and the address of its code */
struct asked_frame {
	u32 frame;
	u64 code;
};

/* frames of one dso, and what was found at them */
struct dso_inlines {
	size_t first, nr;		/* in the finder's frame[] */
	struct queries query;		/* while they are not answered */
	struct { VEC(struct asked_frame); } asked;
	struct found_inlines found;
} CACHE_ALIGNED;

struct inline_finder {
	struct lines *lines;
	u32 nr_dsos;
	struct dso_inlines *dso;
	u32 *frame;			/* by dso */
};

struct inline_finder *inline_finder_new(const struct names *n)
{
	struct inline_finder *f = xcalloc(1, sizeof(*f));

	f->nr_dsos = machine_dsos(n->machine)->dso.nr;
	f->lines = lines_new(n->symbols, f->nr_dsos, false);
	f->dso = xcalloc_aligned(f->nr_dsos, sizeof(*f->dso));
	return f;
}

void inline_finder_free(struct inline_finder *f)
{
	if (!f)
		return;
	for (u32 d = 0; d < f->nr_dsos; d++) {
		vec_release(&f->dso[d].query);
		vec_release(&f->dso[d].asked);
		vec_release(&f->dso[d].found);
	}
	lines_free(f->lines);
	free(f->dso);
	free(f->frame);
	free(f);
}

void inline_finder_begin(struct names *n)
{
	struct inline_finder *f = n->inline_finder;
	size_t nr = 0;

	vec_foreach(&n->frame, frame)
		if (frame->dso < f->nr_dsos)
			f->dso[frame->dso].nr++;
	for (u32 d = 0; d < f->nr_dsos; d++) {
		f->dso[d].first = nr;
		nr += f->dso[d].nr;
		f->dso[d].nr = 0;
	}
	f->frame = xreallocarray(NULL, nr + 1, sizeof(*f->frame));
	for (u32 i = 0; i < n->frame.nr; i++) {
		struct dso_inlines *d = n->frame.v[i].dso < f->nr_dsos ? &f->dso[n->frame.v[i].dso] : NULL;

		if (d)
			f->frame[d->first + d->nr++] = i;
	}
}

static void ask(const struct names *n, u32 dso)
{
	const struct symbols *s = n->symbols;
	struct dso_inlines *d = &n->inline_finder->dso[dso];
	const u32 *frame = n->inline_finder->frame + d->first;

	if (dsos_at(machine_dsos(n->machine), dso)->kind != DSO_USER || !lines_know_inlines(s, dso))
		return;
	for (size_t i = 0; i < d->nr; i++) {
		const struct frame *f = &n->frame.v[frame[i]];
		struct asked_frame a = { frame[i], frame_code(s, f) };

		vec_push(&d->asked, a);
		if (frame_sym_idx(s, f) != ID_NONE)
			vec_push(&d->query, (struct line_query){ dso, a.code });
	}
}

/* the file is closed at once: several with their debug information unpacked would take much memory */
static void answer(struct inline_finder *f, u32 dso)
{
	struct dso_inlines *d = &f->dso[dso];

	if (!d->query.nr)
		return;
	lines_load_dso_once(f->lines, dso, d->query.v, d->query.nr);
	vec_foreach(&d->asked, a) {
		const struct line_info *info = lines_find(f->lines, dso, a->code);

		if (info && info->nr_inlined)
			vec_push(&d->found, (struct found_inline){ a->frame, *info });
	}
	vec_release(&d->query);
	vec_release(&d->asked);
}

void inline_finder_dso(void *names, u32 dso)
{
	const struct names *n = names;

	ask(n, dso);
	answer(n->inline_finder, dso);
}

void inline_finder_ask(struct names *n)
{
	inline_finder_begin(n);
	for (u32 dso = 0; dso < n->inline_finder->nr_dsos; dso++)
		ask(n, dso);
}

static void answer_task(void *ctx, unsigned int worker UNUSED, size_t dso)
{
	answer(ctx, dso);
}

void inline_finder_run(struct names *n)
{
	pool_run_shown(n->pool, "finding inlined functions", n->inline_finder->nr_dsos, answer_task,
		       n->inline_finder);
}

/* all results, sorted by frame */
static struct found_inlines sorted_founds(const struct inline_finder *f)
{
	struct found_inlines all = { 0 }, ret = { 0 };
	struct sort_pair *pair;

	for (u32 d = 0; d < f->nr_dsos; d++)
		vec_foreach(&f->dso[d].found, found)
			vec_push(&all, *found);
	pair = xreallocarray(NULL, 2 * all.nr + 1, sizeof(*pair));
	for (size_t i = 0; i < all.nr; i++)
		pair[i] = (struct sort_pair){ all.v[i].frame, i };
	sort_pairs(pair, pair + all.nr, all.nr);
	vec_reserve(&ret, all.nr);
	for (size_t i = 0; i < all.nr; i++)
		vec_push(&ret, all.v[pair[i].val]);
	free(pair);
	vec_release(&all);
	return ret;
}

void names_inlines(struct names *n)
{
	struct { VEC(u32); } named = { 0 };	/* of the new frames */
	struct hidx idx = { 0 };
	struct found_inlines found = sorted_founds(n->inline_finder);
	u32 at = 0;

	n->nr_plain = n->frame.nr;
	n->inl_start = xreallocarray(NULL, (size_t)n->nr_plain + 1, sizeof(u32));
	vec_foreach(&found, at_frame) {
		const struct line_info *info = &at_frame->info;
		const u32 frame = at_frame->frame;
		const struct frame f = n->frame.v[frame];

		while (at <= frame)
			n->inl_start[at++] = n->inl.nr;
		for (u32 k = info->nr_inlined; k-- > 0;) {
			if (!info->inlined[k].name || !info->inlined[k].name[0])
				continue;
			vec_push(&named, inlined_name(n, &idx, info->inlined[k].name, frame));
			vec_push(&n->inl, n->frame.nr);
			vec_push(&n->frame, f);
		}
	}
	while (at <= n->nr_plain)
		n->inl_start[at++] = n->inl.nr;
	n->named_of = xreallocarray(n->named_of, n->frame.nr + 1, sizeof(u32));
	if (named.nr)
		memcpy(n->named_of + n->nr_plain, named.v, named.nr * sizeof(u32));
	vec_release(&named);
	hidx_release(&idx);
	vec_release(&found);
	inline_finder_free(n->inline_finder);
	n->inline_finder = NULL;
}

u32 names_inline_depth(const struct names *n, u32 frame)
{
	u32 low = 0, high = n->nr_plain, at = frame - n->nr_plain;

	if (!n->inl_start || frame < n->nr_plain)
		return 0;
	/* the last frame whose functions begin at or before this one: inl[i] is the frame nr_plain + i */
	while (high - low > 1) {
		u32 middle = low + (high - low) / 2;

		if (n->inl_start[middle] <= at)
			low = middle;
		else
			high = middle;
	}
	return at - n->inl_start[low] + 1;
}

void names_lines(struct names *n)
{
	struct queries q = { 0 };

	n->lines = lines_new(n->symbols, machine_dsos(n->machine)->dso.nr, true);
	for (u32 i = 0; i < n->frame.nr; i++)
		if (may_have_lines(n, i))
			vec_push(&q, (struct line_query){ n->frame.v[i].dso,
							  frame_code(n->symbols, &n->frame.v[i]) });
	lines_load(n->lines, n->pool, q.v, q.nr);
	vec_release(&q);
}
