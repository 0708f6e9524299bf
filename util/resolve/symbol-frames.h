/*
 * Symbol frames: where only functions matter, all addresses of a symbol can be one frame while samples are
 * looked up, and so can all addresses of a file without a symbol, if the file's symbols are loaded by then.
 * There are far fewer such frames than addresses, so tables are small, and equal call chains are found while
 * they are counted.
 */
#ifndef PERF_RESOLVE_SYMBOL_FRAMES_H
#define PERF_RESOLVE_SYMBOL_FRAMES_H

#include "../session/session.h"

struct symbol_frames {
	const struct symbols *symbols;
	bool inlines;		/* inlined functions are wanted: with them, addresses of a function differ */
	u8 *ready;		/* by dso: a symbol's addresses are one frame, whose address is its start */
};

/* loads the symbols of dsos and makes them ready; nr_frames: by dso. Until then, addresses are apart */
void symbol_frames_load(struct symbol_frames *f, const struct session *s, const u32 *nr_frames);
void symbol_frames_release(struct symbol_frames *f);

/*
 * the dsos that have frames, those with most first, because they take longest: an array that the caller frees
 */
u32 *dsos_by_frames(const u32 *nr_frames, size_t nr_dsos, size_t *ret_nr);

#endif
