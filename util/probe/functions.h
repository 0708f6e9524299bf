/*
 * Functions: finds functions of the source by name, with their code: out of line, and copies inlined into
 * other functions. Reads only the units that may contain the name.
 */
#ifndef PERF_PROBE_FUNCTIONS_H
#define PERF_PROBE_FUNCTIONS_H

#include "../base/vec.h"
#include "debug-file.h"

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

/*
 * Functions of that name, which may be mangled, demangled, or partly qualified, with parameter types or
 * without; a glob if is_glob. file: only functions whose source file ends with that path; NULL: any. Inlined
 * copies are found unless no_inlines. 0, or -ENOENT with err, which proposes near names.
 */
int functions_find(struct debug_file *d, const char *name, bool is_glob, const char *file, bool no_inlines,
		   struct function_set *ret, struct err *err);
/* the function whose code is at svma; false: none. Its inlined copies are not looked for */
bool function_at(struct debug_file *d, u64 svma, struct function *ret);
/* the first line of the next function; UINT32_MAX: unknown */
u32 function_end_line(struct function *f);
void functions_release(struct function_set *set);

/* true if path is file, or ends with "/" and file */
bool source_file_matches(const char *path, const char *file);
/* whether name means the function; exposed for tests */
bool function_name_matches(const char *query, const char *name, const char *linkage_name);

/* full is query, or ends with "::" and query */
bool function_name_is_tail(const char *full, const char *query);

#endif
