/*
 * Functions: finds functions of the source by name, with their code: out of line, and copies inlined into
 * other functions. Reads only the units that may contain the name.
 */
#ifndef PERF_PROBE_FUNCTIONS_H
#define PERF_PROBE_FUNCTIONS_H

#include "debug-file.h"
#include "function.h"

/*
 * Functions of that name, which may be mangled, demangled, or partly qualified, with parameter types or
 * without; a glob if is_glob. file: only functions whose source file ends with that path; NULL: any. Inlined
 * copies are found unless no_inlines. 0, or -ENOENT with err, which proposes near names.
 */
int functions_find(struct debug_file *d, const char *name, bool is_glob, const char *file, bool no_inlines,
		   struct function_set *ret, struct err *err);
/* the function whose code is at svma; false: none. Its inlined copies are not looked for */
bool function_at(struct debug_file *d, u64 svma, struct function *ret);

#endif
