/* Plug-in: zlib, its own functions. Rows in util/lib/zlib.def. */
#include "../util/base/plugin.h"
#include "../util/lib/zlib.h"

static const struct zlib_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/zlib.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "zlib", &ops };
