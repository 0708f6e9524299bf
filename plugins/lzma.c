/* Plug-in: lzma, its own functions. Rows in util/lib/lzma.def. */
#include "../util/base/plugin.h"
#include "../util/lib/lzma.h"

static const struct lzma_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/lzma.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "lzma", &ops };
