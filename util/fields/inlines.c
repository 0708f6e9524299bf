/* Inlines: the functions that a frame's address is in besides the compiled one, as frames and names of their own. */
#include "names.h"

#include <stdlib.h>

#include "../sym/lines.h"

static bool is_user(const struct names *n, u32 frame)
{
	const struct frame *f = &n->frame.v[frame];

	return f->dso != WORLD_NONE && dsos_at(world_dsos(n->session->world), f->dso)->kind == DSO_USER;
}

struct queries {
	VEC(struct line_query);
};

static void add_query(const struct names *n, u32 frame, struct queries *q)
{
	vec_push(q, (struct line_query){ n->frame.v[frame].dso, n->frame.v[frame].addr });
}

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

		if (nm->dso == base.dso && nm->sym == base.sym && !strncmp(nm->name, name, len) && nm->name[len] == ' ' &&
		    nm->name[len + 1] == '(')
			return id;
	}
	text = arena_alloc(&n->arena, len + sizeof(" (inlined)"));
	memcpy(text, name, len);
	memcpy(text + len, " (inlined)", sizeof(" (inlined)"));
	id = n->named.nr;
	/* the next frame will be one of it */
	vec_push(&n->named, (struct named){ .dso = base.dso, .sym = base.sym, .frame = n->frame.nr, .name = text });
	hidx_insert(idx, hash, id);
	return id;
}

static void load_lines(const struct names *n)
{
	struct queries q = { 0 };

	vec_foreach(&n->with_lines, frame)
		add_query(n, *frame, &q);
	lines_load(n->inline_lines, n->session->pool, q.v, q.nr);
	vec_release(&q);
}

void names_inlines(struct names *n)
{
	struct lines *l = n->inline_lines;
	struct { VEC(u32); } named = { 0 };	/* of the new frames */
	struct hidx idx = { 0 };
	u32 at = 0;

	load_lines(n);
	n->nr_plain = n->frame.nr;
	n->inl_start = xreallocarray(NULL, (size_t)n->nr_plain + 1, sizeof(u32));
	vec_foreach(&n->with_lines, frame) {
		const u32 i = *frame;
		const struct frame f = n->frame.v[i];
		const struct line_info *info = lines_find(l, f.dso, f.addr);

		while (at <= i)
			n->inl_start[at++] = n->inl.nr;
		for (u32 k = info ? info->nr_inlined : 0; k-- > 0;) {
			if (!info->inlined[k].name || !info->inlined[k].name[0])
				continue;
			vec_push(&named, inlined_name(n, &idx, info->inlined[k].name, i));
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
	vec_release(&n->with_lines);
	lines_free(l);
	n->inline_lines = NULL;
}

void names_lines(struct names *n)
{
	struct queries q = { 0 };

	n->lines = lines_new(n->session->symbols, world_dsos(n->session->world)->dso.nr, true);
	for (u32 i = 0; i < n->frame.nr; i++)
		if (is_user(n, i))
			add_query(n, i, &q);
	lines_load(n->lines, n->session->pool, q.v, q.nr);
	vec_release(&q);
}
