/*
 * Dwarf-expr: evaluates DWARF expressions (DWARF 5, sections 2.5 and 2.6): locations of variables, bases of
 * frames, rules of frames. A value is a number, or a register, address or text plus a constant, so the same
 * expression gives numbers to an unwinder, and descriptions to those that have no running program. What
 * depends on a program, a file or a frame is asked for by callbacks. Expressions are hostile: stack, steps,
 * nesting and parts are bounded here. Owns nothing.
 */
#ifndef PERF_OBJ_DWARF_EXPR_H
#define PERF_OBJ_DWARF_EXPR_H

#include <elfutils/libdw.h>
#include "../base/types.h"

#define DWARF_PIECES 8
#define DWARF_WORD UINT64_MAX	/* a size: an address of the machine */

enum dwarf_base {
	DWARF_NUMBER,		/* off is the value */
	DWARF_REGISTER,		/* the content of register reg, plus off */
	DWARF_FRAME,		/* the canonical frame address plus off */
	DWARF_STATIC,		/* the address off, as linked */
	DWARF_THREAD,		/* off bytes from the start of a thread's block of variables */
	DWARF_TEXT,		/* what text says, plus off */
};

struct dwarf_value {
	const char *text;	/* of DWARF_TEXT: the callback's */
	s64 off;
	u32 reg;		/* of DWARF_REGISTER: DWARF number */
	enum dwarf_base base;
};

struct dwarf_piece {
	bool is_memory;		/* the object is at the address in value; else value is the object */
	bool is_missing;	/* optimised out */
	struct dwarf_value value;
	u64 size;		/* bytes; 0: the whole object */
};

struct dwarf_location {
	u32 nr;			/* at least 1 */
	struct dwarf_piece piece[DWARF_PIECES];
};

/* why there is no value */
enum dwarf_failure {
	DWARF_OK,
	DWARF_DAMAGED,		/* not an expression, or endless */
	DWARF_COMPUTED,		/* computed from something else than numbers, or by an unknown operation */
	DWARF_NOT_KNOWN,	/* a register, frame or address that the callback does not know */
	DWARF_NO_ADDRESS,	/* an index that is not in the file's tables */
	DWARF_TOO_LONG,		/* a constant of more than 8 bytes */
	DWARF_TOO_MANY,		/* more than DWARF_PIECES */
	DWARF_GONE,		/* optimised out */
	DWARF_POINTS_TO_GONE,	/* a pointer to something that was optimised out */
	DWARF_ENTRY_ONLY,	/* only known where the function begins */
	DWARF_CALLER_ONLY,	/* only known to the caller */
	DWARF_THREAD_LOCAL,	/* thread-local, and there is no callback for it */
	DWARF_DESCRIBED,	/* the callback has noted why */
};

/* Callbacks return an enum dwarf_failure. Those that are NULL fail, if nothing else is said */
struct dwarf_env {
	void *ctx;		/* the caller's */
	int (*reg)(const struct dwarf_env *env, u64 reg, struct dwarf_value *ret);
	/* size bytes of memory at addr, or DWARF_WORD */
	int (*load)(const struct dwarf_env *env, const struct dwarf_value *addr, u64 size,
		    struct dwarf_value *ret);
	int (*cfa)(const struct dwarf_env *env, struct dwarf_value *ret);
	int (*frame_base)(const struct dwarf_env *env, struct dwarf_value *ret);
	/* an address as linked; NULL: DWARF_STATIC */
	int (*addr)(const struct dwarf_env *env, u64 svma, struct dwarf_value *ret);
	/* the address of thread-local data; v is its offset in the block, and gets the address */
	int (*thread)(const struct dwarf_env *env, struct dwarf_value *v);
	/* operands in other sections, and blocks of up to 8 bytes, as a number: dwarf_operand_number() */
	bool (*number)(const struct dwarf_env *env, const Dwarf_Op *op, u64 *ret);
	/* the expression in DW_OP_entry_value: dwarf_operand_expr() */
	bool (*expr)(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr);
	bool at_entry;		/* nothing of the function has run yet: entry values are the current ones */
	Dwarf_Attribute *attr;	/* for the two functions below: whose value the expression is */
	bool is_big_endian;	/* the same: the file */
};

/* an enum dwarf_failure; *ret is undefined unless it is DWARF_OK. An empty expression is DWARF_GONE */
int dwarf_evaluate(const struct dwarf_env *env, const Dwarf_Op *ops, size_t nr, struct dwarf_location *ret);

/* callbacks for expressions of a file that libdw reads */
bool dwarf_operand_number(const struct dwarf_env *env, const Dwarf_Op *op, u64 *ret);
bool dwarf_operand_expr(const struct dwarf_env *env, const Dwarf_Op *op, Dwarf_Op **ret_ops, size_t *ret_nr);
/* up to 8 bytes as a number; false: there are more, or none */
bool dwarf_block_number(const Dwarf_Block *block, bool is_big_endian, u64 *ret);

#endif
