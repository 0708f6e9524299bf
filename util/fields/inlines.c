/* Inlines: the functions that a frame's address is in besides the compiled one, as frames and names of their own. */
#include "names.h"

#include <stdlib.h>

#include "../sym/lines.h"

static bool is_asked(const struct names *n, u32 frame)
{
	const struct frame *f = &n->frames.frame.v[frame];

	return f->dso != WORLD_NONE && n->named.v[n->named_of[frame]].sym != WORLD_NONE &&
	       dsos_at(world_dsos(n->session->world), f->dso)->kind == DSO_USER;
}

static bool is_user(const struct names *n, u32 frame)
{
	const struct frame *f = &n->frames.frame.v[frame];

	return f->dso != WORLD_NONE && dsos_at(world_dsos(n->session->world), f->dso)->kind == DSO_USER;
}

static void load_lines(const struct names *n, struct lines *l, bool (*asked)(const struct names *n, u32 frame))
{
	struct { VEC(struct line_query); } q = { 0 };

	for (u32 i = 0; i < n->frames.frame.nr; i++)
		if (!lines_none(l, n->frames.frame.v[i].dso) && asked(n, i))
			vec_push(&q, (struct line_query){ n->frames.frame.v[i].dso, n->frames.frame.v[i].addr });
	lines_load(l, n->session->pool, q.v, q.nr);
	vec_release(&q);
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
	vec_push(&n->named, (struct named){ .dso = base.dso, .sym = base.sym, .frame = n->frames.frame.nr, .name = text });
	hidx_insert(idx, hash, id);
	return id;
}

void names_inlines(struct names *n)
{
	struct lines *l = n->inline_lines;
	struct { VEC(u32); } named = { 0 };	/* of the new frames */
	struct hidx idx = { 0 };

	load_lines(n, l, is_asked);
	n->nr_plain = n->frames.frame.nr;
	n->inl_start = xreallocarray(NULL, (size_t)n->nr_plain + 1, sizeof(u32));
	for (u32 i = 0; i < n->nr_plain; i++) {
		const struct frame f = n->frames.frame.v[i];
		const struct line_info *info = !lines_none(l, f.dso) && is_asked(n, i) ? lines_find(l, f.dso, f.addr) : NULL;

		n->inl_start[i] = n->inl.nr;
		for (u32 k = info ? info->nr_inlined : 0; k-- > 0;) {
			if (!info->inlined[k].name || !info->inlined[k].name[0])
				continue;
			vec_push(&named, inlined_name(n, &idx, info->inlined[k].name, i));
			vec_push(&n->inl, n->frames.frame.nr);
			vec_push(&n->frames.frame, f);
		}
	}
	n->inl_start[n->nr_plain] = n->inl.nr;
	n->named_of = xreallocarray(n->named_of, n->frames.frame.nr + 1, sizeof(u32));
	if (named.nr)
		memcpy(n->named_of + n->nr_plain, named.v, named.nr * sizeof(u32));
	vec_release(&named);
	hidx_release(&idx);
	lines_free(l);
	n->inline_lines = NULL;
}

void names_lines(struct names *n)
{
	n->lines = lines_new(n->session->symbols, world_dsos(n->session->world)->dso.nr, true);
	load_lines(n, n->lines, is_user);
}
