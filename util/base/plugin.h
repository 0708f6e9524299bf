/*
 * Plug-ins: heavy optional libraries, each behind a small shared object built from plugins/NAME.c and loaded when first needed,
 * so that start-up does not pay for them and one binary runs where they are absent. NAME is the library's row in
 * config/libs.tsv. A plug-in exports one struct, PLUGIN_SYMBOL, whose ops are declared by the module that uses it. Without a
 * plugins/NAME.c it is empty and only names the library, whose functions util/lib/libs.def lists.
 *
 * Looked up beside the running binary (lib/perf/ of a build, ../lib/perf/ of an installation), then in the directory that
 * "make install" was configured for; never in the current directory or where the environment says. It and its directory
 * must belong to root or to the owner of the binary and not be writable by everybody: then it is as trustworthy as the binary is.
 * A binary that has capabilities of its own takes one from beside itself only where root alone can write, all the way up.
 */
#ifndef PERF_BASE_PLUGIN_H
#define PERF_BASE_PLUGIN_H

#include "err.h"
#include "strbuf.h"

#define PLUGIN_ABI 1
#define PLUGIN_SYMBOL perf_plugin
#define PLUGIN_SYMBOL_NAME "perf_plugin"

struct plugin {
	u32 abi;		/* PLUGIN_ABI */
	u32 ops_size;		/* sizeof of what ops points at: a plug-in of another version is refused */
	const char *name;
	const void *ops;
};

/*
 * The ops of a plug-in; it stays loaded until the program ends, and asking again is cheap. NULL with err: not there (it says where
 * was looked), not loadable (a library it needs is missing), or refused.
 */
const void *plugin_load(const char *name, size_t ops_size, struct err *err);
/*
 * The same for a plug-in without ops, which is nothing but a library (util/lib/lib.h): a handle for dlsym(), which finds the
 * library's functions. It stays loaded, too.
 */
void *plugin_open(const char *name, struct err *err);
/* whether its file is there and would be trusted; its path appended to ret_path where that is not NULL. Loads nothing */
bool plugin_find(const char *name, struct strbuf *ret_path);

#endif
