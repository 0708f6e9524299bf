/* Call chains below a line, and kernel names inside tracepoint texts. */
#include "chain.h"

#include <string.h>
#include "../tep/tracefmt.h"

bool line_stops_at(struct line_worker *w, const struct frame_at *at)
{
	const struct script *sc = w->sc;
	const char *name;
	struct resolved_frame f;

	if (!sc->stop_bt.nr || !frame_resolve_at(&w->cache, at, &f) || !f.sym)
		return false;
	name = frame_name(&w->cache, &f);
	for (size_t i = 0; i < sc->stop_bt.nr; i++)
		if (!strcmp(sc->stop_bt.v[i], name))
			return true;
	return false;
}

/* what stands for the rest of a chain that was not found */
static void put_cookie(u64 cookie, u32 what, struct strbuf *out)
{
	strbuf_addch(out, '\t');
	strbuf_add_hex(out, cookie, 16, ' ');
	strbuf_addstr(out, what & FRAME_SYM ? " (cookie)" : "");
	strbuf_addstr(out, what & FRAME_DSO ? " ([unknown])\n" : "\n");
}

/* the rest of a chain that was not found */
static void put_rest(struct line_worker *w, const struct event_view *v, u64 cookie, u32 nr,
		     struct strbuf *out)
{
	const struct stream_format *f = w->sc->o->format;

	if (!f) {
		put_cookie(cookie, v->frame_what[1], out);
		return;
	}
	if (nr)
		f->next_row(out);
	f->begin_row(out);
	stream_address(f, out, "cookie", cookie);
	f->end_row(out);
}

/* the frames after the recorded runs; *nr frames are written already. false: the chain ends here */
static bool put_unwound(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
			u32 *nr, struct strbuf *out)
{
	const struct stream_format *format = w->sc->o->format;
	struct sample_chain chain = ls->unwound;	/* for each member of a group */
	struct chain_run run;

	while (sample_chain_next(&chain, &run)) {
		for (u64 i = 0; i < run.nr; i++) {
			const struct frame_at at = { &ls->at, run.ip[i], run.cpumode,
						     chain_run_is_caller(&run, i) };

			if ((*nr)++ && unlikely(format))
				format->next_row(out);
			frame_put(&w->cache, &at, v->frame_what[1], out);
			if (line_stops_at(w, &at))
				return false;
		}
	}
	return true;
}

static struct frame_at frame_of_run(struct line_worker *w, const struct line_sample *ls,
				    const struct chain_run *run, u64 i)
{
	u8 side = chain_side(&w->resolver.locator, &ls->at, run->cpumode, run->ip[i]);

	return (struct frame_at){ &ls->at, run->ip[i], side, chain_run_is_caller(run, i) };
}

static void put_frames(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		       struct strbuf *out)
{
	const struct frame_found *first = w->hits.v + ls->hits, *found = first;
	const struct chain_run *run = w->runs.v + ls->runs, *end = run + ls->nr_runs;
	const struct stream_format *format = w->sc->o->format;
	const struct chain_walk *walk = &ls->unwound.walk;
	bool stops = w->sc->stop_bt.nr;
	u32 what = v->frame_what[1], nr;

	for (; run < end; run++) {
		for (u64 i = 0; i < run->nr; i++) {
			const struct frame_at at = frame_of_run(w, ls, run, i);

			if (unlikely(format) && found > first)
				format->next_row(out);
			frame_put_found(&w->cache, &at, what, *found++, out);
			if (unlikely(stops) && line_stops_at(w, &at))
				return;
		}
	}
	nr = found - first;
	if (unlikely(ls->unwound.unwinds) && !put_unwound(w, v, ls, &nr, out))
		return;
	if (unlikely(walk->damaged))
		diag_count(&w->diag, DIAG_BAD_CALLCHAIN, ls->at.when.off);
	if (unlikely(walk->cookie))
		put_rest(w, v, *walk->cookie, nr, out);
}

void line_chain(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		struct strbuf *out)
{
	const struct stream_format *format = w->sc->o->format;

	if (format)
		format->begin_rows(out, "callchain");
	else
		strbuf_addch(out, '\n');
	put_frames(w, v, ls, out);
	if (format)
		format->end_rows(out);
}

static void note_fp(struct line_sample *ls, const struct frame_found *user, u64 nr)
{
	ls->nr_fp = MIN(nr, FP_FRAMES);
	for (u32 i = 0; i < ls->nr_fp; i++)
		ls->fp_dso[i] = user[i].dso;
}

void line_chain_find(struct line_worker *w, const struct event_view *v, struct line_sample *ls)
{
	struct sample_chain chain = sample_chain_of(&w->resolver, &ls->sm, &ls->at, w->sc->o->max_stack);
	struct frame_found *found;
	struct chain_run run;
	u32 what = v->frame_what[1];

	ls->hits = w->hits.nr;
	ls->runs = w->runs.nr;
	ls->nr_fp = 0;
	vec_reserve(&w->hits, w->hits.nr + MIN((u64)(chain.walk.end - chain.walk.at), chain.walk.room));
	found = w->hits.v + w->hits.nr;
	while (chain_next_run(&chain.walk, &run)) {
		vec_push(&w->runs, run);
		for (u64 i = 0; i < run.nr; i++) {
			const struct frame_at at = frame_of_run(w, ls, &run, i);

			*found++ = frame_find(&w->cache, &at, what);
		}
		if (v->counts_fp && run.cpumode == CPUMODE_USER)
			note_fp(ls, found - run.nr, run.nr);
	}
	w->hits.nr = found - w->hits.v;
	ls->nr_runs = w->runs.nr - ls->runs;
	ls->unwound = chain;
}

u64 line_stack_end(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at)
{
	struct sample_chain chain = sample_chain_of(&w->resolver, sm, at, w->sc->o->max_stack);

	return sm->callchain ? stack_end_find(&chain) : 0;
}

void script_count_chains(struct line_worker *w, u32 nr)
{
	for (u32 i = 0; i < nr && w->sc->counts_fp; i++)
		if (w->ahead[i].wanted && w->ahead[i].chain)
			fp_count_add(&w->fp, w->ahead[i].fp_dso, w->ahead[i].nr_fp, 1);
}

/* names a kernel address for %pS in a print format */
static const char *resolve_kernel(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod)
{
	struct line_worker *w = ctx;
	const struct dso *d;
	struct resolved_frame f;

	if (!frame_resolve(&w->cache, w->at, CPUMODE_KERNEL, addr, false, &f) || !f.sym)
		return NULL;
	d = dsos_at(machine_dsos(w->sc->s->machine), f.loc.dso);
	*ret_start = f.sym->start + (addr - f.loc.dso_addr);
	*ret_mod = d->kind == DSO_MODULE ? d->short_name : NULL;
	return frame_name(&w->cache, &f);
}

const struct tracefmt_event *line_trace_event(struct line_worker *w, const struct event *ev)
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
	if (!te)
		diag_count(&w->diag, DIAG_BAD_TRACEPOINT, 0);
	return te;
}

void line_trace(struct line_worker *w, const struct event *ev, const struct sample *sm, struct strbuf *out)
{
	const struct tracefmt_event *te = line_trace_event(w, ev);

	if (te)
		tracefmt_print(w->trace, te, sm->raw, sm->raw_size, out);
}
