/* Zstd: perf's side of the plug-in. */
#ifdef HAVE_ZSTD
#include "zstd.h"

static struct lib lib = { "zstd", sizeof(struct zstd_ops) };

int zstd_load(struct err *err)
{
	return lib_load(&lib, err);
}

#define FN(type, name, params, args) type name params { return ((const struct zstd_ops *)lib_ops(&lib))->name args; }
#include "zstd.def"
#endif
