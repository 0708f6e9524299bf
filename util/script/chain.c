/* Call chains below a line, and kernel names inside tracepoint texts. */
#include "script.h"

#include <string.h>
#include "../session/resolve.h"
#include "../tep/tracefmt.h"
#include "../unwind/unwind.h"

#define UNWOUND_MAX 1024

static bool is_stop(struct line_worker *w, const struct whence *at, u8 cpumode, u64 ip)
{
	const struct script *sc = w->sc;
	const char *name;
	struct frame f;

	if (!sc->stop_bt.nr || !frame_resolve(&w->cache, at, cpumode, ip, false, &f) || !f.sym)
		return false;
	name = frame_name(&w->cache, &f);
	for (size_t i = 0; i < sc->stop_bt.nr; i++)
		if (!strcmp(sc->stop_bt.v[i], name))
			return true;
	return false;
}

/* the user frames of a sample that has registers and a copy of the stack; nr frames are out already */
static void put_unwound(struct line_worker *w, const struct event_view *v, const struct sample *sm, const struct whence *at,
			u32 nr, struct strbuf *out)
{
	u64 ips[UNWOUND_MAX];
	u32 max = w->sc->o->max_stack > nr ? w->sc->o->max_stack - nr : 0;
	int found;

	if (!w->unwind)
		w->unwind = unwind_new(w->sc->s->world, w->sc->s->symbols, session_machine(w->sc->s));
	found = unwind_dwarf(w->unwind, sm, at->space, at->time, at->off, ips, MIN(max, (u32)UNWOUND_MAX));
	for (int i = 0; i < found; i++) {
		frame_put(&w->cache, at, CPUMODE_USER, ips[i], v->frame_what[1], out);
		if (is_stop(w, at, CPUMODE_USER, ips[i]))
			return;
	}
}

/* what stands for the rest of a chain that was not found */
static void put_cookie(u64 cookie, u32 what, struct strbuf *out)
{
	strbuf_addch(out, '\t');
	strbuf_add_hex(out, cookie, 16, ' ');
	strbuf_addstr(out, what & FRAME_SYM ? " (cookie)" : "");
	strbuf_addstr(out, what & FRAME_DSO ? " ([unknown])\n" : "\n");
}

void line_chain(struct line_worker *w, const struct event_view *v, const struct line_sample *ls, struct strbuf *out)
{
	const struct sample *sm = &ls->sm;
	const struct whence *at = &ls->at;
	u8 cpumode = sm->cpumode;
	u32 nr = 0;
	size_t start, holes = w->cache.hole.nr;

	strbuf_addch(out, '\n');
	start = out->len;
	for (u64 i = 0; i < sm->nr_callchain && nr < w->sc->o->max_stack; i++) {
		u64 ip = sm->callchain[i];

		if (ip >= CHAIN_CONTEXT_MAX) {
			if (!chain_marker_mode(ip, &cpumode)) {
				/* what came before it is not trusted either */
				diag_count(&w->diag, DIAG_BAD_CALLCHAIN, at->off);
				strbuf_setlen(out, start);
				w->cache.hole.nr = holes;
				return;
			}
			if (ip == CHAIN_USER_DEFERRED && i + 1 < sm->nr_callchain) {
				put_cookie(sm->callchain[++i], v->frame_what[1], out);
				nr++;
			}
			continue;
		}
		frame_put_hit(&w->cache, at, cpumode, ip, v->frame_what[1], w->hits.v[ls->hits + nr], out);
		nr++;
		if (is_stop(w, at, cpumode, ip))
			return;
	}
	if (unwind_possible(sm))
		put_unwound(w, v, sm, at, nr, out);
}

void line_chain_find(struct line_worker *w, const struct event_view *v, struct line_sample *ls)
{
	struct sample *sm = &ls->sm;
	u8 cpumode = sm->cpumode;
	u32 nr = 0;

	if (unlikely(unwind_leaf_possible(sm))) {
		if (!w->unwind)
			w->unwind = unwind_new(w->sc->s->world, w->sc->s->symbols, session_machine(w->sc->s));
		unwind_leaf(w->unwind, sm, ls->at.space, ls->at.time, ls->at.off, &w->scratch);
	}
	ls->hits = w->hits.nr;
	vec_reserve(&w->hits, w->hits.nr + MIN(sm->nr_callchain, (u64)w->sc->o->max_stack));
	for (u64 i = 0; i < sm->nr_callchain && nr < w->sc->o->max_stack; i++) {
		u64 ip = sm->callchain[i];

		if (ip >= CHAIN_CONTEXT_MAX) {
			chain_marker_mode(ip, &cpumode);
			continue;
		}
		w->hits.v[ls->hits + nr++] = frame_find(&w->cache, &ls->at, cpumode, ip, v->frame_what[1]);
	}
	w->hits.nr += nr;
}

/* names a kernel address for %pS in a print format */
static const char *resolve_kernel(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	struct line_worker *w = ctx;
	const struct dso *d;
	struct frame f;

	if (!frame_resolve(&w->cache, &w->at, CPUMODE_KERNEL, addr, false, &f) || !f.sym)
		return NULL;
	d = dsos_at(world_dsos(w->sc->s->world), f.loc.dso);
	*ret_start = f.sym->start + (addr - f.loc.dso_addr);
	*ret_mod = d->kind == DSO_MODULE ? d->short_name : NULL;
	return frame_name(&w->cache, &f);
}

void line_trace(struct line_worker *w, const struct event *ev, const struct sample *sm, struct strbuf *out)
{
	const struct feat_blob *blob = &w->sc->s->data->feat.tracing_data;
	const struct tracefmt_event *te;

	if (!w->trace_tried) {
		w->trace_tried = true;
		w->trace = tracefmt_new(blob->data, blob->size, &w->trace_err);
		if (w->trace)
			tracefmt_set_resolver(w->trace, resolve_kernel, w);
	}
	te = w->trace ? tracefmt_event(w->trace, ev->attr.config) : NULL;
	if (!te) {
		diag_count(&w->diag, DIAG_BAD_TRACEPOINT, 0);
		return;
	}
	tracefmt_print(w->trace, te, sm->raw, sm->raw_size, out);
}
