/* Lib in a static perf: the functions are linked with it, so there is nothing to load or to look up. */
#include "lib.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>
#include "../base/log.h"
#include "../base/plugin.h"

static struct {
	const char *name, *without;
	bool warned;
} libs[] = {
#define LIB(name, without) { #name, without, false },
#define FN(lib, type, name, params, args)
#include "libs.def"
#undef LIB
#undef FN
};

int lib_load(enum lib lib, struct err *err)
{
	if (plugin_find(libs[lib].name, NULL))
		return 0;
	plugin_open(libs[lib].name, err);
	if (err)
		err->code = -ELIBACC;
	return -ELIBACC;
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

/* those that lib.h lets callers ask for: with variable argument lists */
void *lib_function(enum lib lib UNUSED, const char *name)
{
	static const struct { const char *name; void *function; } rows[] = {
		{ "tep_print_event", tep_print_event },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].function;
	return NULL;
}
