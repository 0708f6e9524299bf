/* Plug-in: libdw, its own functions. Rows in util/lib/libdw.def. */
#include "../util/base/plugin.h"
#include "../util/lib/libdw.h"

static const struct libdw_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/libdw.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libdw", &ops };
