/* Lzma: perf's side of the plug-in. */
#ifdef HAVE_LZMA
#include "lzma.h"

static struct lib lib = { "lzma", sizeof(struct lzma_ops) };

int lzma_load(struct err *err)
{
	return lib_load(&lib, err);
}

#define FN(type, name, params, args) type name params { return ((const struct lzma_ops *)lib_ops(&lib))->name args; }
#include "lzma.def"
#endif
