/* Libdw: perf's side of the plug-in. */
#include "libdw.h"

static struct lib lib = { "libdw", sizeof(struct libdw_ops) };

int libdw_load(struct err *err)
{
	return lib_load(&lib, err);
}

bool libdw_usable(void)
{
	return lib_usable(&lib, "no source lines, no inlined functions, no stacks unwound by call frame information");
}

#define FN(type, name, params, args) type name params { return ((const struct libdw_ops *)lib_ops(&lib))->name args; }
#include "libdw.def"
