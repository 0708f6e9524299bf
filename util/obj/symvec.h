/*
 * Symvec: a table of symbols while it is put together, and the rules that make it a clean one: sorted by start, one symbol an
 * address (the alias that users expect), sizes for those that have none. Owns the names it was given.
 */
#ifndef PERF_OBJ_SYMVEC_H
#define PERF_OBJ_SYMVEC_H

#include "../base/arena.h"
#include "../base/vec.h"

struct symbol {
	u64 start, end;		/* in the dso's address space (see loc.dso_addr); end is exclusive */
	const char *name;	/* raw (mangled) as in the file: show symbols_name() instead */
	u8 binding;		/* 'g' global, 'l' local, 'w' weak */
	u8 type;		/* ELF STT_* */
};

#define SYMVEC_NONE UINT32_MAX

struct symvec {
	struct { VEC(struct symbol); } sym;
	bool last_alias;	/* of the names of one address the last that was added counts, not the best */
	bool demangle;		/* aliases are compared as they will be shown */
	size_t settled;		/* how many from the front symvec_settle() has sorted */
	u32 *near;		/* for each bucket of addresses from near_lo on the last symbol at or before it; NULL: too few symbols */
	u64 near_lo, near_nr;	/* near has one more entry than buckets */
	u8 near_shift;		/* a bucket is 1 << near_shift bytes */
	u32 *outer;		/* of each symbol the nearest before it that reaches farther; NULL: no symbol nests in another */
	struct arena names;
	char *pos, *end;	/* free bytes of the chunk of names that is being filled */
};

/* copies len bytes of name; end == start means that the size is unknown */
void symvec_add(struct symvec *v, u64 start, u64 end, const char *name, size_t len, u8 binding, u8 type);
/* sorts and chooses among aliases; may be called between additions, to look names up with symvec_exact() */
void symvec_settle(struct symvec *v);
/* the symbol that starts at addr among those that were there when the table was settled, or NULL */
const struct symbol *symvec_exact(const struct symvec *v, u64 addr);
/* settles and cleans up; limit is where the last symbol ends at most (0: unknown). Call once, after all symbols are there */
void symvec_finish(struct symvec *v, u64 limit);
/* position of the innermost symbol at addr or SYMVEC_NONE */
u32 symvec_find(const struct symvec *v, u64 addr);
void symvec_release(struct symvec *v);

#endif
