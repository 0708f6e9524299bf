/*
 * Function-symbols: functions that are found in the symbol table first, then by their addresses. Private to
 * the search for functions.
 */
#ifndef PERF_PROBE_FUNCTION_SYMBOLS_H
#define PERF_PROBE_FUNCTION_SYMBOLS_H

#include "functions.h"

/*
 * Appends the function that a name of the symbol table means: aliases ("malloc" for "__libc_malloc"), with or
 * without a version, and parts and clones that the compiler named ("f.isra.0", "f.cold"). False: none
 */
bool function_by_symbol(struct debug_file *d, const char *name, const char *file, struct function_set *ret);
/*
 * Appends the functions whose symbols match a glob, if the whole program is written in C: functions of other
 * languages have names that their symbols do not have. False: it is not, nothing was searched
 */
bool functions_of_c(struct debug_file *d, const char *glob, const char *file, struct function_set *ret);

#endif
