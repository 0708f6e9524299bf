/*
 * Location: turns a DWARF expression (DWARF 5, sections 2.5 and 2.6) into what the kernel's fetch-arguments
 * can say: registers, memory at a register plus an offset, static addresses, constants, and loads from any
 * of these. What cannot be said is an error with the reason. Expressions are hostile: nothing loops, sizes
 * are bounded. Knows no file: the environment answers what depends on one.
 */
#ifndef PERF_PROBE_LOCATION_H
#define PERF_PROBE_LOCATION_H

#include <elfutils/libdw.h>
#include "../base/arena.h"
#include "../base/err.h"

#define LOCATION_PIECES 8

/* a value: a constant, a static address, or text plus a constant */
struct probe_value {
	const char *text;	/* fetch-argument, "%di" or "+8(%di)"; NULL: a constant or an address */
	s64 off;		/* added to it; the constant, or the svma */
	bool is_static;		/* off is an address as linked */
};

struct location_piece {
	bool is_memory;		/* the object is at the address in value; else value is the object */
	bool is_missing;	/* optimised out */
	struct probe_value value;
	u64 size;		/* bytes; 0: the whole object */
};

struct location {
	struct location_piece piece[LOCATION_PIECES];
	u32 nr;			/* at least 1 */
};

struct location_env {
	void *ctx;
	/* kernel's name of a DWARF register without %; NULL: it has none */
	const char *(*reg)(void *ctx, unsigned int dwarf);
	/* DW_AT_frame_base of the function; 0 or negative with err */
	int (*frame_base)(void *ctx, struct location_piece *ret, struct err *err);
	/* DW_OP_call_frame_cfa */
	int (*cfa)(void *ctx, struct probe_value *ret, struct err *err);
	/* address of DW_OP_addrx, DW_OP_GNU_addr_index and their constants; false: unknown */
	bool (*indexed)(void *ctx, const Dwarf_Op *op, u64 *ret);
	/* expression of DW_OP_entry_value; false: unknown */
	bool (*entry_expr)(void *ctx, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr);
	/* bytes of DW_OP_implicit_value as a number; false: unknown, or too long */
	bool (*implicit)(void *ctx, const Dwarf_Op *op, u64 *ret);
	/* an address that an expression loads from, as text: "@+0x10"; NULL: it cannot be said */
	const char *(*load_static)(void *ctx, u64 svma);
	bool at_entry;		/* nothing of the function has run yet: entry values are the current ones */
	struct arena *mem;
};

/*
 * 0; -ENODATA: optimised out; -EOPNOTSUPP: cannot be said; err has the sentence without the variable's
 * name
 */
int location_evaluate(const struct location_env *env, const Dwarf_Op *ops, size_t nr, struct location *ret,
		      struct err *err);
/* the fetch-argument that loads from address v: "+8(%di)"; NULL if it cannot be said */
const char *location_load(const struct location_env *env, const struct probe_value *v);
/* the piece that holds bytes [off, off + size) of the object; off is reduced to the piece. NULL: none */
const struct location_piece *location_select(const struct location *l, u64 *off, u64 size);

#endif
