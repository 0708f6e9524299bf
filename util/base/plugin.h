/*
 * Plug-ins: heavy optional libraries, each in a small shared object built from plugins/NAME.c and loaded
 * when first needed, so that start-up does not pay for them and one binary runs where they are absent. NAME
 * is the library's row in config/libs.tsv. A plug-in exports one struct, PLUGIN_SYMBOL, whose ops are
 * declared by the module that uses it. Without a plugins/NAME.c it is empty and only names the library, whose
 * functions util/lib/libs.def lists.
 *
 * It is looked up beside the running binary (lib/perf/ of a build, ../lib/perf/ of an installation, or by the
 * name that the installed program has instead), then in the directory that "make install" was configured for;
 * never in the current directory or in one that the environment names. It and its directory must belong to
 * root or to the owner of the binary and not be writable by everybody: then it is as trustworthy as the
 * binary is. A binary with capabilities takes a plug-in from beside itself only if root alone can write to
 * that directory and all its parents.
 */
#ifndef PERF_BASE_PLUGIN_H
#define PERF_BASE_PLUGIN_H

#include "err.h"
#include "strbuf.h"

#define PLUGIN_ABI 3
/* a static perf has all of them inside, each by another name */
#ifndef PLUGIN_SYMBOL
#define PLUGIN_SYMBOL perf_plugin
#endif
#define PLUGIN_SYMBOL_NAME "perf_plugin"

struct plugin {
	u32 abi;		/* PLUGIN_ABI */
	/* sizeof of the struct that ops points to: a plug-in of another version is refused */
	u32 ops_size;
	const char *name;
	const void *ops;
};

/*
 * The ops of a plug-in. It stays loaded until the program ends, and asking again is cheap. NULL with err if
 * it is not found (err lists the paths), cannot be loaded (a library that it needs is missing), or is
 * refused.
 */
const void *plugin_load(const char *name, size_t ops_size, struct err *err);
/*
 * The same for a plug-in without ops, which only wraps a library (util/lib/lib.h): returns a handle with
 * which dlsym() finds the library's functions. It stays loaded, too.
 */
void *plugin_open(const char *name, struct err *err);
/*
 * whether the file of the plug-in exists and would be trusted; appends its path to ret_path if that is not
 * NULL. Loads nothing
 */
bool plugin_find(const char *name, struct strbuf *ret_path);

#endif
