/* Pack-frames: see pack-frames.h. */
#include "pack-frames.h"

#include <stdlib.h>
#include "../resolve/names.h"
#include "../resolve/sample-frames.h"

static void load_symbols(const struct pack_frames *p, const struct session *s)
{
	struct { VEC(u32); } ids = { 0 };

	for (size_t i = 0; i < p->nr; i += pack_frames_of_dso(p, i))
		vec_push(&ids, p->v[i].dso);
	symbols_load(s->symbols, s->pool, ids.v, ids.nr);
	vec_release(&ids);
}

void pack_frames_find(struct pack_frames *p, const struct session *s, bool (*wanted)(const struct dso *d))
{
	size_t nr = session_sample_frames(s, &p->v);

	for (size_t i = 0; i < nr; i++)
		if (!wanted || wanted(dsos_at(machine_dsos(s->machine), p->v[i].dso)))
			p->v[p->nr++] = p->v[i];
	load_symbols(p, s);
	/* those at which readers look for symbols and lines */
	for (size_t i = 0; i < p->nr; i++) {
		p->v[i].addr = frame_code(s->symbols, &p->v[i]);
		p->v[i].caller = false;
	}
	p->nr = frames_sort(p->v, p->nr);
}

size_t pack_frames_of_dso(const struct pack_frames *p, size_t at)
{
	size_t end = at;

	while (end < p->nr && p->v[end].dso == p->v[at].dso)
		end++;
	return end - at;
}

/* the functions that contain the frames, which are sorted: so are the functions, but for nested ones */
static void find_symbols(struct pack_frames *p, const struct symbols *s, const struct frame *f, size_t nr,
			 struct sympack_dso *out)
{
	const struct symtab *tab = symbols_table(s, f->dso);
	bool *hit = xcalloc(tab->nr + 1, sizeof(*hit));
	struct symbol *sym;
	u32 nr_hit = 0;

	for (size_t i = 0; i < nr; i++) {
		u32 at = symbols_find_idx(s, f->dso, f[i].addr);

		nr_hit += at != ID_NONE && !hit[at];
		if (at != ID_NONE)
			hit[at] = true;
	}
	out->sym = sym = arena_alloc(&p->arena, nr_hit * sizeof(*sym) + 1);
	for (u32 i = 0; i < tab->nr; i++)
		if (hit[i] && !(p->no_guesses && tab->sym[i].binding == SYMBOL_GUESSED))
			sym[out->nr_syms++] = tab->sym[i];
	free(hit);
}

struct sympack_dso pack_frames_dso(struct pack_frames *p, const struct session *s, size_t at, size_t nr)
{
	const struct frame *f = &p->v[at];
	const struct dso *d = dsos_at(machine_dsos(s->machine), f->dso);
	const struct symtab *tab = symbols_table(s->symbols, f->dso);
	struct sympack_dso out = {
		.kind = d->kind, .name = d->long_name, .ino = d->ino, .ino_gen = d->ino_gen, .maj = d->maj,
		.min = d->min, .pid = d->pid, .letter = tab->source, .adjust = tab->adjust,
		.debug_info = tab->debug_info, .file = tab->file,
	};

	out.nr_segs = symbols_segments(s->symbols, f->dso, &out.seg);
	find_symbols(p, s->symbols, f, nr, &out);
	return out;
}

void pack_frames_release(struct pack_frames *p)
{
	free(p->v);
	arena_release(&p->arena);
}
