/* Plug-in: libtraceevent, its own functions. Rows in util/lib/libtraceevent.def. */
#include "../util/base/plugin.h"
#include "../util/lib/libtraceevent.h"

void tep_print_info(struct tep_handle *tep, struct trace_seq *s, struct tep_record *record)
{
	tep_print_event(tep, s, record, "%s", TEP_PRINT_INFO);
}

static const struct libtraceevent_ops ops = {
#define FN(type, name, params, args) name,
#include "../util/lib/libtraceevent.def"
#undef FN
};

extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libtraceevent", &ops };
