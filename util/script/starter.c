/* Starter: a function for each tracepoint, between the head and the tail of its language. */
#include "starter.h"

#include "../session/session.h"
#include "../tep/tracefmt.h"
#include "function-names.h"
#include "language.h"

int starter_write(const struct language *l, const struct session *s, struct strbuf *out, struct err *err)
{
	const struct feat_blob *blob = &s->data->feat.tracing_data;
	struct tracefmt *t = blob->size ? tracefmt_new(blob->data, blob->size, err) : NULL;
	struct arena names = { 0 };

	if (blob->size && !t)
		return err->code;
	strbuf_addstr(out, l->starter->head);
	for (size_t i = 0; t && i < s->data->evset->ev.nr; i++) {
		const struct event *ev = s->data->evset->ev.v[i];
		const struct tracefmt_event *e = ev->attr.type == PERF_TYPE_TRACEPOINT ?
						 tracefmt_event(t, ev->attr.config) : NULL;

		if (e)
			l->starter->add_function(e, engine_function_name(&names, l, e), out);
	}
	strbuf_addstr(out, l->starter->tail);
	arena_release(&names);
	tracefmt_free(t);
	return 0;
}
