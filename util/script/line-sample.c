/* Line-sample: decodes a group, filters it, and looks ahead to what its lines need from memory. */
#include "line-sample.h"

#include <errno.h>
#include "../event/callchain.h"
#include "../event/record.h"
#include "../resolve/deferred.h"
#include "../session/reads.h"
#include "../wall/wall-event.h"
#include "chain.h"
#include "insn-texts.h"
#include "line-more.h"
#include "line-start.h"
#include "line-state.h"

/* -S ADDR: that address, or with --addr-range one of the addresses from there on */
static bool addr_wanted(const struct script_filter *flt, const struct resolved_frame *f)
{
	for (size_t i = 0; i < flt->addrs.nr; i++) {
		if (f->ip - flt->addrs.v[i] < MAX(flt->addr_range, 1u))
			return true;
	}
	return false;
}

bool line_names_wanted(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at)
{
	const struct script_filter *flt = &w->sc->o->filter;
	const struct machine *machine = w->sc->s->machine;
	const struct dso *d;
	const char *name;
	struct resolved_frame f;

	if (flt->sample.comms.active) {
		const struct comm_text *t = line_comm(w, at, sm->tid);

		if (strtab_find(&flt->sample.comms.names, t->text + t->pad, t->len - t->pad - 1) == HIDX_NONE)
			return false;
	}
	if (!flt->sample.dsos.active && !flt->sample.symbols.active)
		return true;
	if (!frame_resolve(&w->cache, at, sm->cpumode, sm->ip, false, &f))
		return false;
	d = dsos_at(machine_dsos(machine), f.loc.dso);
	if (!name_filter_dso(&flt->sample.dsos, d))
		return false;
	name = frame_name(&w->cache, &f);
	if (flt->sample.symbols.active && !addr_wanted(flt, &f) &&
	    !(name && name_filter_has(&flt->sample.symbols, name)))
		return false;
	return true;
}

static bool sample_wanted(const struct line_worker *w, const struct sample *sm)
{
	const struct sample_filter *f = &w->sc->o->filter.sample;

	/* as upstream: guests are shown if a file of one was given */
	if ((sm->cpumode == CPUMODE_GUEST_KERNEL || sm->cpumode == CPUMODE_GUEST_USER) &&
	    !w->sc->s->guest_maps.nr)
		return false;
	return time_filter_ok(&f->times, sm->time) && id_filter_ok(&f->pids, sm->pid) &&
	       id_filter_ok(&f->tids, sm->tid) && id_filter_ok(&f->cpus, sm->cpu);
}

/* the addresses that a later record gives take the place of the marker and cookie at the end */
static void join_chain(struct line_worker *w, const struct rec *chain, struct sample *sm)
{
	u64 cookie, nr;
	const u64 *user = deferred_chain(chain, &cookie, &nr, &w->scratch);

	if (user && callchain_is_deferred(sm))
		callchain_join(sm, user, nr, &w->scratch);
}

/* a record with nothing but a chain, shown as a sample without address */
static int decode_deferred(struct line_worker *w, const struct rec *rec, struct sample *sm)
{
	u64 cookie, nr;
	int ret = sample_decode_id(w->sc->s->data->plan, rec, sm);

	if (ret || !sm->event)
		return ret ? ret : -ENOENT;
	sm->callchain = deferred_chain(rec, &cookie, &nr, &w->scratch);
	if (!sm->callchain)
		return -EBADMSG;
	sm->nr_callchain = nr;
	sm->cpumode = CPUMODE_USER;
	return 0;
}

/* what the line will need of an address whose place is known now */
static struct frame_found find_frame(struct line_worker *w, const struct event_view *v,
				     const struct frame_at *at)
{
	struct frame_found hit = frame_find(&w->cache, at, v->frame_what[0]);

	if (v->mask & (FIELD_BIT(INSN) | FIELD_BIT(DISASM) | FIELD_BIT(INSNLEN)))
		insn_texts_prefetch(line_more_texts(line_more_of(w)), hit.dso, hit.dso_addr);
	return hit;
}

void line_find_frames(struct line_worker *w, struct line_sample *ls)
{
	const struct event_view *v = &w->sc->view[ls->sm.event->idx];
	const struct frame_at at = { &ls->at, ls->sm.ip, ls->sm.cpumode, false };

	if (!(v->mask & FIELD_BIT(IP)))
		return;
	ls->hits = w->hits.nr;
	if (ls->chain)
		line_chain_find(w, v, ls);
	else if (frame_is_bare(v->frame_what[0]))
		vec_push(&w->hits, (struct frame_found){ 0 });
	else
		vec_push(&w->hits, find_frame(w, v, &at));
}

/* tasks that have ended have no names, as in upstream's lines; slices of elapsed time have them to the end */
static void find_task(struct line_worker *w, const struct rec *rec, struct line_sample *ls)
{
	locator_ctx(&w->resolver.locator, ls->sm.pid, ls->sm.tid, session_when(w->sc->s, &ls->sm, rec),
		    &ls->at);
	if (!wall_event_is(ls->sm.event))
		sample_ctx_forget_dead(w->sc->s, &ls->sm, &ls->at);
}

/* decodes a sample and says whether it is shown */
static bool sample_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain,
			   struct line_sample *ls)
{
	const struct session *s = w->sc->s;
	struct sample *sm = &ls->sm;
	const struct event_view *v;

	if (w->sc->all_numbers && rec->type == REC_SAMPLE && sample_decode_numbers(s->data->plan, rec, sm)) {
		v = &w->sc->view[sm->event->idx];
		if (!v->mask || !sample_wanted(w, sm))
			return false;
		ls->chain = false;
		ls->bare = v->bare;
		ls->plain = v->plain;
		return true;
	}
	if (rec->type == REC_CALLCHAIN_DEFERRED ? decode_deferred(w, rec, sm) :
	    sample_decode(s->data->plan, rec, sm, &w->scratch) || !sm->event) {
		diag_count_record(&w->diag, DIAG_TRUNCATED_RECORD, rec->off, record_name(rec->type));
		return false;
	}
	if (unlikely(chain && chain->p))
		join_chain(w, chain, sm);
	v = &w->sc->view[sm->event->idx];
	if ((!v->mask && !session_has_reads(s, sm)) || !sample_wanted(w, sm))
		return false;
	ls->chain = v->chain;
	ls->bare = v->bare && rec->type == REC_SAMPLE;
	ls->plain = v->plain && rec->type == REC_SAMPLE;
	return true;
}

bool script_sample(struct line_worker *w, const struct rec *rec, const struct rec *chain,
		   struct line_sample *ls)
{
	const struct session *s = w->sc->s;

	arena_reset(&w->scratch);
	if (sample_decode(s->data->plan, rec, &ls->sm, &w->scratch) || !ls->sm.event)
		return false;
	if (chain && chain->p)
		join_chain(w, chain, &ls->sm);
	find_task(w, rec, ls);
	return true;
}

bool script_sample_wanted(struct line_worker *w, const struct line_sample *ls)
{
	return sample_wanted(w, &ls->sm) && line_names_wanted(w, &ls->sm, &ls->at);
}

/* --switch-on and --switch-off: the events that switch are shown where that is asked for */
bool script_switched_on(struct line_worker *w, const struct event *ev)
{
	const struct script *sc = w->sc;
	bool show = sc->o->show & SHOW_ON_OFF;

	if (sc->switch_on != ID_NONE && !w->state.on) {
		w->state.on = ev->idx == sc->switch_on;
		return w->state.on && show;
	}
	if (ev->idx != sc->switch_off || !w->state.on)
		return true;
	w->state.on = false;
	return show;
}

static bool is_line(u32 type)
{
	return type == REC_SAMPLE || type == REC_CALLCHAIN_DEFERRED;
}

/*
 * Samples that are made of one operation of a trace follow each other, and so do their lines, which differ in
 * the event only. b comes right after a in the file, so no record about tasks or maps is between them
 */
static bool is_same(const struct line_worker *w, const struct rec *rec, const struct line_sample *a,
		    const struct line_sample *b)
{
	const struct sample *p = &a->sm, *q = &b->sm;
	const struct event_view *v = &w->sc->view[p->event->idx], *u = &w->sc->view[q->event->idx];

	return b->plain && a->plain && rec[1].off == rec->off + rec->size && p->ip == q->ip &&
	       p->time == q->time && p->tid == q->tid && p->pid == q->pid && p->cpu == q->cpu &&
	       p->cpumode == q->cpumode && p->period == q->period && v->mask == u->mask &&
	       v->name_len == u->name_len;
}

void script_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain, u32 nr)
{
	struct line_sample *ls = w->ahead;
	s32 tid[LINE_AHEAD];
	u32 line[LINE_AHEAD], nr_lines = 0;

	arena_reset(&w->scratch);
	w->hits.nr = w->runs.nr = 0;
	for (u32 i = 0; i < nr; i++) {
		ls[i].bare = ls[i].plain = ls[i].same = false;
		ls[i].wanted = is_line(rec[i].type) &&
			       sample_prepare(w, &rec[i], chain ? &chain[i] : NULL, &ls[i]);
		if (ls[i].wanted && !w->sc->view[ls[i].sm.event->idx].bare) {
			tid[nr_lines] = ls[i].sm.tid;
			line[nr_lines++] = i;
			ls[i].same = i && ls[i - 1].wanted && is_same(w, &rec[i - 1], &ls[i - 1], &ls[i]);
		}
	}
	machine_expect_tasks(w->sc->s->machine, tid, nr_lines);
	for (u32 k = 0; k < nr_lines; k++) {
		if (ls[line[k]].same)
			continue;
		find_task(w, &rec[line[k]], &ls[line[k]]);
		line_find_frames(w, &ls[line[k]]);
	}
}
