/* Plug-in: zstd, its own functions. Rows in util/lib/zstd.def. */
#include "../util/base/plugin.h"
#include "../util/lib/zstd.h"

static const struct zstd_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/zstd.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "zstd", &ops };
