/*
 * Function: a function of the source as its debug information has it, with its code. Names and DIEs belong to
 * the debug file.
 */
#ifndef PERF_PROBE_FUNCTION_H
#define PERF_PROBE_FUNCTION_H

#include <elfutils/libdw.h>
#include "../base/types.h"
#include "../base/vec.h"

struct debug_unit;

/* code of a function */
struct function_code {
	Dwarf_Die die;		/* subprogram with code, or inlined_subroutine */
	struct debug_unit *unit;
	u64 entry;
	bool is_inlined;
};

struct function {
	Dwarf_Die die;		/* abstract or with code: names, parameters, place in the source */
	Dwarf_Die origin;	/* what all instances of the function refer to */
	struct debug_unit *unit;
	const char *name;	/* as in the source, without its scope */
	const char *file;	/* NULL: unknown */
	u32 line;		/* its first line; 0: unknown */
	u32 end_line;		/* ask function_end_line() */
	struct { VEC(struct function_code); } code;	/* sorted by address */
};

struct function_set {
	VEC(struct function);
};

/* adds code that begins at die's first address, unless the function has it already */
void function_add_code(struct function *f, struct debug_unit *unit, Dwarf_Die *die, bool is_inlined);
/* the first line of the next function; UINT32_MAX: unknown */
u32 function_end_line(struct function *f);
void functions_release(struct function_set *set);

#endif
