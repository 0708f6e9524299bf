/* Inline table: see inline-table.h. */
#include "inline-table.h"

#include <string.h>
#include "../base/search.h"
#include "../obj/dwarf-scopes.h"

/* of a function: each takes as long as the function has inlined calls */
#define PIECES_MAX 4096

struct filling {
	struct inline_table *t;
	struct dwarf_lines *d;
	const char *(*show)(void *ctx, const char *raw, struct arena *arena);
	void *ctx;
	struct { VEC(struct inline_piece); } more;	/* sorted; not in the table yet */
	struct arena scratch;				/* of one piece */
};

/* the position of the first piece that ends after svma */
static size_t position(const struct inline_table *t, u64 svma)
{
	return LOWER_BOUND(t->piece.nr, i, t->piece.v[i].end <= svma);
}

bool inline_table_find(const struct inline_table *t, u64 svma, struct line_info *ret)
{
	size_t at = position(t, svma);
	const struct inline_piece *p = at < t->piece.nr ? &t->piece.v[at] : NULL;

	if (!p || svma < p->start)
		return false;
	*ret = (struct line_info){ .nr_inlined = p->nr_inlined, .inlined = p->inlined };
	return true;
}

/* raw names belong to the debug information, which will be closed */
static const char *keep_name(struct filling *f, const char *raw)
{
	struct inline_table *t = f->t;
	u64 hash = hash_str(raw);
	struct inline_name n;
	u32 id;

	HIDX_FOREACH(&t->by_name, hash, id)
		if (!strcmp(t->name.v[id].raw, raw))
			return t->name.v[id].shown;
	n.raw = arena_strdup(&t->arena, raw);
	n.shown = f->show(f->ctx, n.raw, &t->arena);
	hidx_insert(&t->by_name, hash, t->name.nr);
	vec_push(&t->name, n);
	return n.shown;
}

static bool are_equal(const struct inline_piece *a, const struct line_info *b)
{
	if (a->nr_inlined != b->nr_inlined)
		return false;
	for (u32 i = 0; i < b->nr_inlined; i++)
		if (a->inlined[i].name != b->inlined[i].name)
			return false;
	return true;
}

/* the piece from svma to limit at most; returns its end */
static u64 add_piece(struct filling *f, u64 svma, u64 limit)
{
	struct inline_piece *last = f->more.nr ? &f->more.v[f->more.nr - 1] : NULL;
	struct svma_range same;
	struct line_info info;

	arena_reset(&f->scratch);
	dwarf_lines_inlined(f->d, svma, &f->scratch, &info, &same);
	limit = MIN(limit, same.end);
	for (u32 i = 0; i < info.nr_inlined; i++) {
		struct line_call *c = (struct line_call *)&info.inlined[i];

		c->name = keep_name(f, c->name);
	}
	if (last && last->end == svma && are_equal(last, &info))
		last->end = limit;
	else
		vec_push(&f->more, (struct inline_piece){ svma, limit, info.nr_inlined ?
				   arena_memdup(&f->t->arena, info.inlined,
						info.nr_inlined * sizeof(*info.inlined)) : NULL,
				   info.nr_inlined });
	return limit;
}

/* what the table does not have yet of a range */
static void add_range(struct filling *f, u64 start, u64 end)
{
	const struct inline_table *t = f->t;
	size_t at = position(t, start);

	while (start < end && f->more.nr < PIECES_MAX) {
		const struct inline_piece *next = at < t->piece.nr ? &t->piece.v[at] : NULL;

		if (next && start >= next->start) {
			start = next->end;
			at++;
			continue;
		}
		start = add_piece(f, start, next ? MIN(end, next->start) : end);
	}
}

/* merges from the end on: most pieces stay where they are */
static void insert(struct filling *f)
{
	struct inline_piece *to;
	size_t old = f->t->piece.nr, more = f->more.nr, at = old + more;

	vec_reserve(&f->t->piece, at);
	to = f->t->piece.v;
	f->t->piece.nr = at;
	while (more)
		if (old && to[old - 1].start > f->more.v[more - 1].start)
			to[--at] = to[--old];
		else
			to[--at] = f->more.v[--more];
	f->more.nr = 0;
}

void inline_table_add(struct inline_table *t, struct dwarf_lines *d, u64 start, u64 end, u64 svma,
		      const char *(*show)(void *ctx, const char *raw, struct arena *arena), void *ctx)
{
	struct filling f = { .t = t, .d = d, .show = show, .ctx = ctx };
	struct line_info info;

	add_range(&f, start, end);
	insert(&f);
	if (!inline_table_find(t, svma, &info)) {
		add_range(&f, svma, svma + 1);
		insert(&f);
	}
	vec_release(&f.more);
	arena_release(&f.scratch);
}

u64 inline_table_bytes(const struct inline_table *t)
{
	return t->piece.alloc * sizeof(*t->piece.v) + t->name.alloc * sizeof(*t->name.v) + t->arena.total +
	       (t->by_name.slot ? ((u64)t->by_name.mask + 1) * sizeof(*t->by_name.slot) : 0);
}

void inline_table_release(struct inline_table *t)
{
	vec_release(&t->piece);
	vec_release(&t->name);
	hidx_release(&t->by_name);
	arena_release(&t->arena);
}
