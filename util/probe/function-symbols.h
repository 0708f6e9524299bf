/*
 * Function-symbols: functions that are found by the symbol table first, then by their addresses. Private to
 * the
 * search for functions.
 */
#ifndef PERF_PROBE_FUNCTION_SYMBOLS_H
#define PERF_PROBE_FUNCTION_SYMBOLS_H

#include "functions.h"

/*
 * Appends the function that a name of the symbol table means: aliases ("malloc" of "__libc_malloc"), with
 * or without
 * a version, and parts and clones that the compiler named ("f.isra.0", "f.cold"). False: none
 */
bool function_by_symbol(struct debug_file *d, const char *name, const char *file, struct function_set *ret);
/*
 * Appends the functions whose symbols match a glob, if the whole program is of C: other languages have
 * names that
 * symbols do not have. False: it is not, nothing was searched
 */
bool functions_of_c(struct debug_file *d, const char *glob, const char *file, struct function_set *ret);
/* whether the code at addr does not belong to the function of this name (a glob), but chooses it (IFUNC) */
bool function_is_chosen(struct debug_file *d, u64 addr, const char *name, bool is_glob);
/* calls fn for each name of a function until it returns false */
void function_symbols(struct debug_file *d, bool (*fn)(void *ctx, const char *name, u64 addr), void *ctx);
/* whether several symbols of the kernel's file have the name, which then says no place to the kernel */
bool function_name_is_shared(struct debug_file *d, const char *name);
/* of the kernel's file: the address of its symbol _text; 0: none */
u64 kernel_text_address(struct debug_file *d);
/* whether the kernel's code at an address only exists while it starts */
bool kernel_code_is_early(struct debug_file *d, u64 svma);

#endif
