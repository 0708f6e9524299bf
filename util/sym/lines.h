/*
 * Lines: source lines and inlined functions of addresses in dsos, kept once found. lines_load() runs one dso a task in the
 * pool; between two loads everything is const and thread-safe. The debug information is that of the file which the dso's
 * symbols came from.
 */
#ifndef PERF_SYM_LINES_H
#define PERF_SYM_LINES_H

#include "../base/pool.h"
#include "../obj/dwarf-lines.h"
#include "sym.h"

struct lines;

struct line_query {
	u32 dso;
	u64 addr;	/* as loc.dso_addr */
};

/* with_lines: false where only the names of inlined functions are asked for */
struct lines *lines_new(const struct symbols *s, u32 nr_dsos, bool with_lines);
/* there are more dsos now */
void lines_grow(struct lines *l, u32 nr_dsos);
void lines_free(struct lines *l);
/* finds what is not known yet; the dsos' symbols must be loaded. q is reordered */
void lines_load(struct lines *l, struct pool *pool, struct line_query *q, size_t nr);
/* the same for queries that are all of one loaded dso, in the calling thread: one thread a dso */
void lines_load_dso(struct lines *l, u32 dso, struct line_query *q, size_t nr);
/* a dso that has been looked at and has no debug information: lines_find() knows nothing about any address of it */
bool lines_none(const struct lines *l, u32 dso);
/* NULL: has to be loaded. An address that nothing is known about gives an empty info. Names are as shown (demangled) */
const struct line_info *lines_find(const struct lines *l, u32 dso, u64 addr);

#endif
