/* Field worker: formats of payloads, read when a key first needs them. */
#include "field-worker.h"

#include "../resolve/kernel-names.h"
#include "field.h"

static const char *resolve_kernel(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	struct field_worker *w = ctx;
	struct kernel_name found;

	if (!kernel_name_find(w->resolver, &w->rs->ctx, addr, &w->names, &found))
		return NULL;
	*ret_start = found.start;
	*ret_mod = found.module;
	return found.name;
}

const struct tracefmt_event *field_worker_event(struct field_worker *w, const struct feat_blob *formats,
						const struct event *ev)
{
	struct err err = ERR_INIT;

	if (ev->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	if (!w->trace_tried) {
		w->trace_tried = true;
		w->trace = formats->data ? tracefmt_new(formats->data, formats->size, &err) : NULL;
		if (w->trace && w->resolver)
			tracefmt_set_resolver(w->trace, resolve_kernel, w);
	}
	return w->trace ? tracefmt_event(w->trace, ev->attr.config) : NULL;
}

const struct tracefmt_event *field_worker_format(struct field_worker *w, const struct resolved_sample *rs)
{
	w->rs = rs;
	return field_worker_event(w, &rs->features->tracing_data, rs->sample->event);
}

void field_worker_release(struct field_worker *w)
{
	tracefmt_free(w->trace);
	strtab_release(&w->texts);
	arena_release(&w->names);
	strbuf_release(&w->text);
	strbuf_release(&w->scratch);
	*w = (struct field_worker){ 0 };
}
