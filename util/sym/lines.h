/*
 * Lines: source lines and inlined functions of addresses in dsos, kept once found. lines_load() runs one dso
 * per task in the pool; between two loads everything is const and thread-safe. Debug information
 * is read from the file from which the dso's symbols came; jitdump files have lines of their own.
 */
#ifndef PERF_SYM_LINES_H
#define PERF_SYM_LINES_H

#include "../base/pool.h"
#include "../obj/dwarf-lines.h"
#include "sym.h"

struct lines;

/*
 * true if debug information of a loaded dso has inlined functions: only then lines_load() without lines finds
 * anything
 */
bool lines_know_inlines(const struct symbols *s, u32 dso);

struct line_query {
	u32 dso;
	u64 addr;	/* as loc.dso_addr */
};

/* with_lines: false if only the names of inlined functions are needed */
struct lines *lines_new(const struct symbols *s, u32 nr_dsos, bool with_lines);
/* names stay mangled, because they are stored and not shown */
void lines_keep_raw(struct lines *l);
/* the number of dsos has grown */
void lines_grow(struct lines *l, u32 nr_dsos);
void lines_free(struct lines *l);
/* finds lines that are not known yet; the symbols of the dsos must be loaded. q is reordered */
void lines_load(struct lines *l, struct pool *pool, struct line_query *q, size_t nr);
/* the same for queries about one loaded dso, in the calling thread; one thread per dso */
void lines_load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr);
/*
 * the same if these are all queries about the dso: closes its debug information afterwards. Only without
 * lines
 */
void lines_load_dso_once(struct lines *l, u32 dso, struct line_query *q, size_t nr);
/* warns, once per file, of split debug information (.dwo files) that was needed and not found */
void lines_note_missing(const struct symbols *s);
/*
 * true for a dso whose debug information was searched and not found: lines_find() finds nothing at any of its
 * addresses
 */
bool lines_none(const struct lines *l, u32 dso);
/*
 * NULL: lines_load() has not been called for the address. If nothing is known about it, the info is empty.
 * Names are demangled, unless lines_keep_raw()
 */
const struct line_info *lines_find(const struct lines *l, u32 dso, u64 addr);

#endif
