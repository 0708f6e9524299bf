/* Zlib: perf's side of the plug-in. */
#include "zlib.h"

static struct lib lib = { "zlib", sizeof(struct zlib_ops) };

int zlib_load(struct err *err)
{
	return lib_load(&lib, err);
}

#define FN(type, name, params, args) type name params { return ((const struct zlib_ops *)lib_ops(&lib))->name args; }
#include "zlib.def"
