/*
 * Moved-text: a program that copies its text to anonymous or memfd memory, to have it in huge pages, maps
 * that memory in place of the text; the address identifies it. Only the text of the program itself counts,
 * because libraries may be unloaded and their addresses reused by a JIT compiler; or memory between two maps
 * of one file, whose offsets continue across it.
 */
#include "machine-private.h"

#include <sys/mman.h>

/* neighbours in /proc/PID/maps: memory that was moved in pieces */
#define PIECES 8

/* a child that did not call exec runs the text of its parent */
static const struct maps *owner_of_text(const struct machine *w, u32 maps)
{
	const struct maps *s = &w->maps.v[maps];

	while (!s->own_text && s->parent != ID_NONE)
		s = &w->maps.v[s->parent];
	return s;
}

bool moved_text_find(const struct machine *w, u32 maps, const struct dso_key *key, struct map *m)
{
	const struct maps *s = owner_of_text(w, maps);

	if (!dso_key_is_code(key))
		return false;
	for (u32 i = 0; i < s->nr_text; i++) {
		const struct map *text = &w->map.v[s->text[i]];

		if (m->start < text->start || m->end > text->end)
			continue;
		m->dso = text->dso;
		m->pgoff = text->pgoff + (m->start - text->start);
		return true;
	}
	return false;
}

/* true for memory: maps of files that are there, or were moved, are none */
static bool is_memory(const struct machine *w, const struct map *m)
{
	const struct dso *d = w->dsos.dso.v[m->dso];

	return m->prot & PROT_EXEC && (d->kind == DSO_PERFMAP || (d->kind == DSO_USER && !d->buildid_len &&
		dso_key_is_code(&(struct dso_key){ .name = d->long_name, .prot = m->prot })));
}

/* end is a map of a file: are there executable pieces of memory before it, and before them the same file? */
static void fill_hole(struct machine *w, const struct maps *s, const struct map *end)
{
	u64 at = end->start;

	for (u32 n = 1; n <= PIECES && n < s->nr_own; n++) {
		struct map *m = &w->map.v[s->own[s->nr_own - 1 - n]];

		if (m->end != at || m->dso == ID_NONE)
			return;
		at = m->start;
		if (is_memory(w, m))
			continue;
		if (n == 1 || m->dso != end->dso || end->pgoff - m->pgoff != end->start - m->start)
			return;
		for (u32 k = 1; k < n; k++) {
			struct map *piece = &w->map.v[s->own[s->nr_own - 1 - k]];

			piece->dso = m->dso;
			piece->pgoff = m->pgoff + (piece->start - m->start);
		}
		return;
	}
}

void moved_text_added(struct machine *w, u32 maps, u32 map)
{
	struct maps *s = &w->maps.v[maps];
	const struct map *m = &w->map.v[map];

	if (w->dsos.dso.v[m->dso]->kind != DSO_USER || is_memory(w, m))
		return;
	fill_hole(w, s, m);
	if (m->prot & PROT_EXEC && s->own_text && s->nr_text < MAPS_TEXTS &&
	    (!s->nr_text || w->map.v[s->text[0]].dso == m->dso))
		s->text[s->nr_text++] = map;
}
