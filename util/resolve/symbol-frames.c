/* Symbol frames: see symbol-frames.h. */
#include "symbol-frames.h"

#include <stdlib.h>

#include "../base/sort.h"
#include "../sym/lines.h"

u32 *dsos_by_frames(const u32 *nr_frames, size_t nr_dsos, size_t *ret_nr)
{
	struct sort_pair *pair = xcalloc(2 * nr_dsos + 1, sizeof(*pair));
	u32 *ids = xreallocarray(NULL, nr_dsos + 1, sizeof(*ids));
	size_t nr = 0;

	for (u32 d = 0; d < nr_dsos; d++)
		pair[d] = (struct sort_pair){ UINT64_MAX - nr_frames[d], d };
	sort_pairs(pair, pair + nr_dsos, nr_dsos);
	for (; nr < nr_dsos && pair[nr].key < UINT64_MAX; nr++)
		ids[nr] = pair[nr].val;
	free(pair);
	*ret_nr = nr;
	return ids;
}

void symbol_frames_load(struct symbol_frames *f, const struct session *s, const u32 *nr_frames)
{
	size_t nr_dsos = machine_dsos(s->machine)->dso.nr, nr;
	u32 *ids = dsos_by_frames(nr_frames, nr_dsos, &nr);

	f->symbols = s->symbols;
	f->ready = xcalloc(nr_dsos + 1, sizeof(*f->ready));
	symbols_load(s->symbols, s->pool, ids, nr);
	for (size_t i = 0; i < nr; i++)
		f->ready[ids[i]] = symbols_table(s->symbols, ids[i]) &&
				   (!f->inlines || !lines_know_inlines(s->symbols, ids[i]));
	free(ids);
}

void symbol_frames_release(struct symbol_frames *f)
{
	free(f->ready);
	f->ready = NULL;
}
