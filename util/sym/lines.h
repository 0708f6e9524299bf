/*
 * Lines: source lines and inlined functions of addresses in dsos, kept once found. lines_load() runs one dso
 * per task in the pool; between two loads everything is const and thread-safe. The debug information is that
 * of the file from which the dso's symbols came; jitdump files have lines of their own.
 */
#ifndef PERF_SYM_LINES_H
#define PERF_SYM_LINES_H

#include "../base/pool.h"
#include "../obj/dwarf-lines.h"
#include "sym.h"

struct lines;

/*
 * whether debug information of a loaded dso can tell functions that were inlined at its addresses: only then
 * lines_load() without lines finds anything
 */
bool lines_know_inlines(const struct symbols *s, u32 dso);

struct line_query {
	u32 dso;
	u64 addr;	/* as loc.dso_addr */
};

/* with_lines: false if only the names of inlined functions are needed */
struct lines *lines_new(const struct symbols *s, u32 nr_dsos, bool with_lines);
/* names are to be stored, not shown: they stay mangled */
void lines_keep_raw(struct lines *l);
/* tells it that the number of dsos has grown */
void lines_grow(struct lines *l, u32 nr_dsos);
void lines_free(struct lines *l);
/* finds lines that are not known yet; the symbols of the dsos must be loaded. q is reordered */
void lines_load(struct lines *l, struct pool *pool, struct line_query *q, size_t nr);
/* the same for queries about one loaded dso, in the calling thread; one thread per dso */
void lines_load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr);
/*
 * the same for all queries that there will be about the dso: its debug information is closed again. Only
 * without lines
 */
void lines_load_dso_once(struct lines *l, u32 dso, struct line_query *q, size_t nr);
/* warns of files whose split debug information (.dwo files) was asked for, and is not there, once per file */
void lines_note_missing(const struct symbols *s);
/*
 * true for a dso without debug information, once it has been searched: lines_find() finds nothing at any
 * address of it
 */
bool lines_none(const struct lines *l, u32 dso);
/*
 * NULL: it must be loaded first. If nothing is known about an address, the info is empty. Names are
 * demangled, as they are shown
 */
const struct line_info *lines_find(const struct lines *l, u32 dso, u64 addr);

#endif
