/* Lib: loading libraries, and the functions that call into them. */
#include "lib.h"

#include <dlfcn.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <errno.h>
#include <gelf.h>
#include <traceevent/event-parse.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_DEBUGINFOD
#include <elfutils/debuginfod.h>
#endif
#include "../base/log.h"
#include "../base/plugin.h"

static struct {
	const char *name, *without;
	void *handle;		/* NULL until all its functions are found */
	bool warned;
} libs[] = {
#define LIB(name, without) { #name, without, NULL, false },
#define FN(lib, type, name, params, args)
#include "libs.def"
#undef LIB
#undef FN
};

enum {
#define LIB(name, without)
#define FN(lib, type, name, params, args) FN_##name,
#include "libs.def"
#undef FN
	NR_FNS,
};

#define FN_NAME 36
static const struct {
	enum lib lib;
	char name[FN_NAME];
} fns[] = {
#define FN(lib, type, name, params, args) { LIB_##lib + FITS(#name, FN_NAME), #name },
#include "libs.def"
#undef FN
};

/* not static: libdw.h declares some of the functions inline, which may not use what only this file has */
extern void *lib_fn_at[NR_FNS];
void *lib_fn_at[NR_FNS];

#define FN(lib, type, name, params, args) \
	type name params { \
		return ((type (*) params)__atomic_load_n(&lib_fn_at[FN_##name], __ATOMIC_RELAXED)) args; \
	}
#include "libs.def"
#undef FN
#undef LIB

static int find_functions(enum lib lib, void *handle, struct err *err)
{
	for (size_t i = 0; i < NR_FNS; i++) {
		void *fn;

		if (fns[i].lib != lib)
			continue;
		fn = dlsym(handle, fns[i].name);
		if (!fn)
			return err_set(err, -ELIBACC, "the library %s on this machine has no function %s(): "
				       "it is too old for this perf", libs[lib].name, fns[i].name);
		__atomic_store_n(&lib_fn_at[i], fn, __ATOMIC_RELAXED);
	}
	return 0;
}

int lib_load(enum lib lib, struct err *err)
{
	void *handle = __atomic_load_n(&libs[lib].handle, __ATOMIC_ACQUIRE);

	if (handle)
		return 0;
	handle = plugin_open(libs[lib].name, err);
	if (!handle || find_functions(lib, handle, err)) {
		/* not to be confused with a missing file that the library was to read */
		if (err)
			err->code = -ELIBACC;
		return -ELIBACC;
	}
	__atomic_store_n(&libs[lib].handle, handle, __ATOMIC_RELEASE);
	return 0;
}

bool lib_usable(enum lib lib)
{
	struct err err = ERR_INIT;

	if (!lib_load(lib, &err))
		return true;
	if (!__atomic_exchange_n(&libs[lib].warned, true, __ATOMIC_RELAXED)) {
		err_prefix(&err, "%s: ", libs[lib].without);
		log_warn_err(&err);
	}
	return false;
}

void *lib_function(enum lib lib, const char *name)
{
	void *handle = __atomic_load_n(&libs[lib].handle, __ATOMIC_ACQUIRE);

	return handle ? dlsym(handle, name) : NULL;
}
