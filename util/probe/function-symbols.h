/*
 * Function-symbols: addresses of functions by their names in the symbol table, for those that debug
 * information names otherwise.
 */
#ifndef PERF_PROBE_FUNCTION_SYMBOLS_H
#define PERF_PROBE_FUNCTION_SYMBOLS_H

#include "../base/types.h"
#include "../base/vec.h"

struct debug_link;

struct symbol_addresses {
	VEC(u64);
};

/*
 * The functions that a name of the symbol table means: aliases ("malloc" for "__libc_malloc"), with or
 * without a version, and parts and clones that the compiler named ("f.isra.0", "f.cold")
 */
void function_symbols_named(struct debug_link *l, const char *name, struct symbol_addresses *ret);
/* the functions whose symbols match a glob */
void function_symbols_matching(struct debug_link *l, const char *glob, struct symbol_addresses *ret);

#endif
