/* Function-names: systems and names of tracepoints as identifiers. */
#include "function-names.h"

#include <ctype.h>
#include "../tep/tracefmt.h"
#include "language.h"

void engine_add_identifier(const char *name, struct strbuf *out)
{
	if (*name >= '0' && *name <= '9')
		strbuf_addch(out, '_');
	for (; *name; name++)
		strbuf_addch(out, (*name & 0x80) || !(isalnum((u8)*name)) ? '_' : *name);
}

const char *engine_function_name(struct arena *a, const struct language *l, const struct tracefmt_event *e)
{
	struct strbuf name = STRBUF_INIT;
	const char *ret;

	engine_add_identifier(tracefmt_event_system(e), &name);
	strbuf_addstr(&name, l->scope);
	engine_add_identifier(tracefmt_event_name(e), &name);
	ret = arena_strdup(a, strbuf_str(&name));
	strbuf_release(&name);
	return ret;
}
