/*
 * Symvec: a table of symbols while it is built, and the rules that clean it up: sorted by start, one symbol
 * per address (the alias that users expect), sizes for symbols without one. Owns copies of the names.
 */
#ifndef PERF_OBJ_SYMVEC_H
#define PERF_OBJ_SYMVEC_H

#include "../base/arena.h"
#include "../base/vec.h"

struct symbol {
	u64 start, end;		/* in the dso's address space (see loc.dso_addr); end is exclusive */
	const char *name;	/* raw (mangled), as in the file: to show it, call symbols_name() */
	u8 binding;		/* 'g' global, 'l' local, 'w' weak, or SYMBOL_GUESSED */
	u8 type;		/* ELF STT_* */
	bool shared;		/* one of several functions whose equal code the linker has folded */
};
/* the file has no symbol there, but unwind information of a function, which is named after its place */
#define SYMBOL_GUESSED '?'

/* addresses are relative to the first one, names to the first of their kind */
struct packed_symbol {
	u32 start, size, name;
	u8 binding, type;
	bool shared, lent;
};

#define SYMVEC_NONE UINT32_MAX

struct symvec {
	struct { VEC(struct symbol); } sym;
	/* of the names of one address the last one that was added counts, not the best */
	bool last_alias;
	bool borrow_names;	/* names that are added end with a NUL and live longer: they are not copied */
	const char *lent, *lent_end;	/* so do names that are there; NULL: none */
	bool demangle;		/* aliases are compared as they will be shown */
	size_t settled;		/* number of symbols from the start that symvec_settle() has sorted */
	/*
	 * for each bucket of addresses from near_lo on, the last symbol at or before it;
	 * NULL: too few symbols
	 */
	u32 *near;
	u64 near_lo, near_nr;	/* near has one more entry than buckets */
	u8 near_shift;		/* a bucket is 1 << near_shift bytes */
	/*
	 * for each symbol the nearest one before it that reaches farther; NULL: no symbol is
	 * nested in another
	 */
	u32 *outer;
	/* the symbols after symvec_pack(), instead of sym.v; NULL: they are not packed */
	struct packed_symbol *packed;
	u64 packed_start;		/* added to their addresses */
	const char *packed_names[2];	/* to their names: lent ones, others */
	struct arena names;
	char *pos, *end;	/* unused bytes of the current chunk of names */
};

/* copies len bytes of name, unless names are borrowed; end == start means that the size is unknown */
void symvec_add(struct symvec *v, u64 start, u64 end, const char *name, size_t len, u8 binding, u8 type);
/* sorts and chooses among aliases; may be called between additions, to look names up with symvec_exact() */
void symvec_settle(struct symvec *v);
/* the symbol that starts at addr among those that existed when the table was settled, or NULL */
const struct symbol *symvec_exact(const struct symvec *v, u64 addr);
/* the last of these that starts at addr or before, or NULL */
const struct symbol *symvec_before(const struct symvec *v, u64 addr);
/*
 * settles and cleans up; limit is the maximum end of the last symbol (0: unknown). Call it once, after all
 * symbols were added
 */
void symvec_finish(struct symvec *v, u64 limit);
/*
 * after that: symbols take half as much memory, and are read by symvec_at() only. If they are too far apart,
 * nothing is changed
 */
void symvec_pack(struct symvec *v);
/* the symbol at a position, whether they are packed or not */
struct symbol symvec_at(const struct symvec *v, u32 i);
static inline u64 symvec_start(const struct symvec *v, u32 i)
{
	return unlikely(v->packed) ? v->packed_start + v->packed[i].start : v->sym.v[i].start;
}

static inline u64 symvec_end(const struct symvec *v, u32 i)
{
	return unlikely(v->packed) ? symvec_start(v, i) + v->packed[i].size : v->sym.v[i].end;
}

/* position of the innermost symbol at addr, or SYMVEC_NONE */
u32 symvec_find(const struct symvec *v, u64 addr);
/* the same, with addresses around addr that have the same answer; hi is exclusive */
struct symvec_span {
	u64 lo, hi;
};
u32 symvec_find_span(const struct symvec *v, u64 addr, struct symvec_span *ret);
/*
 * forgets all symbols of a finished table but those at these positions, in rising order; rest() is called now
 * and then: names that were read until then are not needed any more
 */
void symvec_keep(struct symvec *v, const u32 *idx, size_t nr, void (*rest)(void *ctx), void *ctx);
void symvec_release(struct symvec *v);
/* memory that it takes, about */
u64 symvec_bytes(const struct symvec *v);

#endif
