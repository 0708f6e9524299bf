/* Field worker: formats of payloads, read when a key first asks for them. */
#include "field-worker.h"

#include "field.h"

static const char *resolve_kernel(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	struct field_worker *w = ctx;
	const struct session *s = w->hit->session;
	struct loc loc = world_locate(s->world, w->hit->whence.space, CPUMODE_KERNEL, addr, w->hit->whence.time, w->hit->whence.off);
	const struct symbol *sym = loc.dso == WORLD_NONE ? NULL : symbols_find(s->symbols, loc.dso, loc.dso_addr);
	const struct dso *d = dsos_at(world_dsos(s->world), loc.dso);

	if (!sym)
		return NULL;
	*ret_start = sym->start + (addr - loc.dso_addr);
	*ret_mod = d->kind == DSO_MODULE ? d->short_name : NULL;
	return symbols_show(s->symbols, loc.dso, sym, &w->names);
}

const struct tracefmt_event *field_worker_format(struct field_worker *w, const struct hit *hit)
{
	const struct feat_blob *blob = &hit->session->data->feat.tracing_data;
	struct err err = ERR_INIT;

	if (hit->sample->event->attr.type != PERF_TYPE_TRACEPOINT)
		return NULL;
	w->hit = hit;
	if (!w->trace_tried) {
		w->trace_tried = true;
		w->trace = blob->data ? tracefmt_new(blob->data, blob->size, &err) : NULL;
		if (w->trace)
			tracefmt_set_resolver(w->trace, resolve_kernel, w);
	}
	return w->trace ? tracefmt_event(w->trace, hit->sample->event->attr.config) : NULL;
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
