/* Plug-in: libelf, its own functions. Rows in util/lib/libelf.def. */
#include "../util/base/plugin.h"
#include "../util/lib/libelf.h"

static const struct libelf_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/libelf.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libelf", &ops };
