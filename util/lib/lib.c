/* Lib: loading, again only where it failed. */
#include "lib.h"

#include <errno.h>
#include "../base/log.h"
#include "../base/plugin.h"

int lib_load(struct lib *lib, struct err *err)
{
	const void *ops = __atomic_load_n(&lib->ops, __ATOMIC_ACQUIRE);

	if (ops)
		return 0;
	ops = plugin_load(lib->name, lib->ops_size, err);
	if (!ops) {
		/* not to be mixed up with a missing file that the library was wanted for */
		if (err)
			err->code = -ELIBACC;
		return -ELIBACC;
	}
	__atomic_store_n(&lib->ops, ops, __ATOMIC_RELEASE);
	return 0;
}

bool lib_usable(struct lib *lib, const char *without)
{
	struct err err = ERR_INIT;

	if (!lib_load(lib, &err))
		return true;
	if (!__atomic_exchange_n(&lib->warned, true, __ATOMIC_RELAXED))
		log_warn("%s: %s", without, err.msg);
	return false;
}
