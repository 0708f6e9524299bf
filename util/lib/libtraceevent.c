/* Libtraceevent: perf's side of the plug-in. */
#include "libtraceevent.h"

static struct lib lib = { "libtraceevent", sizeof(struct libtraceevent_ops) };

int libtraceevent_load(struct err *err)
{
	return lib_load(&lib, err);
}

bool libtraceevent_usable(void)
{
	return lib_usable(&lib, "tracepoints are not printed");
}

#define FN(type, name, params, args) type name params { return ((const struct libtraceevent_ops *)lib_ops(&lib))->name args; }
#include "libtraceevent.def"
