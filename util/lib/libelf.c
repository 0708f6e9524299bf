/* Libelf: perf's side of the plug-in. */
#include "libelf.h"

static struct lib lib = { "libelf", sizeof(struct libelf_ops) };

int libelf_load(struct err *err)
{
	return lib_load(&lib, err);
}

bool libelf_usable(void)
{
	return lib_usable(&lib, "no symbols of files, only those of the kernel and of perf maps");
}

#define FN(type, name, params, args) type name params { return ((const struct libelf_ops *)lib_ops(&lib))->name args; }
#include "libelf.def"
