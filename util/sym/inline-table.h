/*
 * Inline table: the inlined functions at all addresses of some functions, by ranges of addresses, so that
 * later addresses in the same functions need no debug information. Belongs to one thread at a time.
 */
#ifndef PERF_SYM_INLINE_TABLE_H
#define PERF_SYM_INLINE_TABLE_H

#include "../base/arena.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../obj/dwarf-lines.h"

/* svmas, end is exclusive */
struct inline_piece {
	u64 start, end;
	const struct line_call *inlined;	/* as struct line_info */
	u32 nr_inlined;
};

struct inline_name {
	const char *raw, *shown;
};

/* zeroed: empty */
struct inline_table {
	struct { VEC(struct inline_piece); } piece;	/* sorted, they do not overlap */
	struct { VEC(struct inline_name); } name;
	struct hidx by_name;
	struct arena arena;
};

/* false: the address is not in the table */
bool inline_table_find(const struct inline_table *t, u64 svma, struct line_info *ret);
/*
 * Adds the addresses of the function from start to end (exclusive), or the most part of a very large one;
 * svma, which is in it, is added in any case. show() returns the name to show of a raw one, in the arena
 */
void inline_table_add(struct inline_table *t, struct dwarf_lines *d, u64 start, u64 end, u64 svma,
		      const char *(*show)(void *ctx, const char *raw, struct arena *arena), void *ctx);
/* about how many bytes it takes */
u64 inline_table_bytes(const struct inline_table *t);
void inline_table_release(struct inline_table *t);

#endif
