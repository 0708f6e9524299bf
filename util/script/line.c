/* Lines: one sample as text, field after field in the order that tools parse. */
#include "line.h"

#include <string.h>
#include "../aux/aux.h"
#include "../base/digits.h"
#include "../data/dump.h"
#include "../event/insn-flags.h"
#include "../event/record-type.h"
#include "../resolve/deferred.h"
#include "../session/reads.h"
#include "addr-name.h"
#include "branch-code.h"
#include "callindent.h"
#include "cells.h"
#include "chain.h"
#include "datasrc.h"
#include "line-more.h"
#include "line-payload.h"
#include "line-sample.h"
#include "line-start.h"
#include "line-state.h"
#include "metrics.h"
#include "numbers.h"
#include "sideband.h"

static void put_addr(struct line_worker *w, const struct event_view *v, const struct sample *sm,
		     const struct sample_ctx *at, struct strbuf *out)
{
	u64 mask = v->mask;
	struct resolved_frame f;

	*put_hex16(strbuf_room(out, 16), sm->addr) = '\0';
	out->len += 16;
	if (!line_addr_is_named(v, sm->event) ||
	    !frame_resolve(&w->cache, at, sm->cpumode, sm->addr, true, &f))
		return;
	if (mask & FIELD_BIT(SYM)) {
		strbuf_addch(out, ' ');
		frame_put_sym(&w->cache, &f, mask & FIELD_BIT(SYMOFF), out);
	}
	if (mask & FIELD_BIT(DSO))
		frame_put_dso(&w->cache, &f, mask & FIELD_BIT(DSOFF), out);
}

static void put_before_ip(struct line_worker *w, const struct event_view *v, const struct sample *sm,
			  const struct sample_ctx *at, struct strbuf *out)
{
	u64 m = v->mask;

	if (m & FIELD_BIT(PERIOD)) {
		char *p = put_dec(strbuf_room(out, 32), sm->period, 10);

		*p++ = ' ';
		out->len = p - out->buf;
	}
	if (m & FIELD_BIT(EVENT))
		strbuf_add(out, v->name, v->name_len);
	if (likely(!v->before_ip))
		return;
	if (m & FIELD_BIT(FLAGS))
		line_flags(sm, out);
	if (m & FIELD_BIT(SYNTH) && v->type == ST_SYNTH)
		line_synth(sm, out);
	if (m & FIELD_BIT(TRACE) && sm->raw)
		line_trace(w, sm->event, sm, out);
	if (m & FIELD_BIT(CALLINDENT) && v->branch && sm->event->attr.sample_type & ABI_SAMPLE_INSN_FLAGS)
		line_callindent(w, m, sm, at, out);
	if (m & FIELD_BIT(ADDR) && !v->branch)
		put_addr(w, v, sm, at, out);
	if (m & FIELD_BIT(DATA_SRC))
		line_data_src(w, sm->data_src, out);
	line_numbers(m, BEFORE_IP, sm, out);
	if (m & FIELD_BIT(CGROUP)) {
		const char *name = machine_cgroup(w->sc->s->machine, sm->cgroup);

		strbuf_addch(out, ' ');
		strbuf_add_safe(out, name ? name : "unknown");
	}
	if (m & FIELD_BIT(STACK_END)) {
		strbuf_addch(out, ' ');
		stack_end_format(line_stack_end(w, sm, at), machine_dsos(w->sc->s->machine), out);
	}
}

u32 script_group(const struct script *sc)
{
	return script_fields_any(&sc->o->fields, FIELD_BIT(SRCCODE)) ? 1 : LINE_AHEAD;
}

static void put_behind_ip(struct line_worker *w, u64 m, const struct sample *sm, const struct sample_ctx *at,
			  struct strbuf *out)
{
	const struct pe_attr *attr = &sm->event->attr;
	bool branch = w->sc->view[sm->event->idx].branch;

	if (m & FIELD_BIT(IREGS))
		line_regs(w, attr->sample_regs_intr, sm->intr_abi, sm->intr_regs, out);
	if (m & FIELD_BIT(UREGS))
		line_regs(w, attr->sample_regs_user, sm->user_abi, sm->user_regs, out);
	if (m & (FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF)))
		line_branches(w, m, sm, at, out);
	if (m & FIELD_BIT(IPC) && branch)
		line_ipc(sm, out);
	if (m & (FIELD_BIT(INSN) | FIELD_BIT(INSNLEN)))
		line_insn(w, m & (FIELD_BIT(INSN) | FIELD_BIT(INSNLEN)), sm, at, out);
	if (m & FIELD_BIT(IPC) && !branch)	/* as upstream has it */
		line_ipc(sm, out);
	if (m & FIELD_BIT(DISASM))
		line_insn(w, FIELD_BIT(DISASM), sm, at, out);
	if (m & FIELD_BIT(BPF_OUTPUT) && attr->type == PERF_TYPE_SOFTWARE &&
	    attr->config == PERF_COUNT_SW_BPF_OUTPUT && sm->raw)
		line_bpf_output(sm, out);
	line_numbers(m, BEHIND_IP, sm, out);
	line_branch_code(w, m, sm, at, out);
}

static void put_ip(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		   struct strbuf *out)
{
	const struct frame_at at = { &ls->at, ls->sm.ip, ls->sm.cpumode, false };

	if (ls->chain)
		line_chain(w, v, ls, out);
	else
		frame_put_found(&w->cache, &at, v->frame_what[0], w->hits.v[ls->hits], out);
}

static bool same_frames(const struct line_worker *w, const struct event *a, const struct event *b)
{
	const struct event_view *p = &w->sc->view[a->idx], *q = &w->sc->view[b->idx];

	return p->frame_what[0] == q->frame_what[0] && !((p->mask ^ q->mask) & FIELD_BIT(IP));
}

/* the same text as of other lines */
static void bare_line(struct line_worker *w, const struct rec *rec, const struct event_view *v,
		      const struct line_sample *ls, struct strbuf *out)
{
	const struct sample *sm = &ls->sm;
	char *p;

	if (v->mask & ~(FIELD_BIT(IP) | FIELD_BIT(ADDR)))
		line_start(w, v, sm, sm->tid, rec, &ls->at, out);
	if (v->mask & (FIELD_BIT(EVENT) | FIELD_BIT(PERIOD)) || v->before_ip)
		put_before_ip(w, v, sm, &ls->at, out);
	p = strbuf_room(out, 40);
	*p++ = ' ';
	p = put_hex16(p, sm->ip);
	if (v->to) {
		p = mempcpy(p, " => ", 4);
		p = put_hex16(p, sm->addr);
	}
	*p++ = '\n';
	*p = '\0';
	out->len = p - out->buf;
	line_end_part(w, sm->event->idx, true, out);
}

/* a line as the one before, with the name of another event, which is as long */
static void same_line(struct line_worker *w, const struct event_view *v, struct strbuf *out)
{
	const struct line_plain *last = &w->last;
	char *p = strbuf_room(out, last->len);

	memcpy(p, out->buf + last->start, last->len);
	if (v->mask & FIELD_BIT(EVENT))
		memcpy(p + last->name_at, v->name, v->name_len);
	p[last->len] = '\0';
	out->len += last->len;
}

/* the address of a plain line, and the instruction there */
static void put_place(struct line_worker *w, const struct event_view *v, const struct line_sample *ls,
		      struct strbuf *out)
{
	struct frame_found hit = w->hits.v[ls->hits];
	u64 m = v->mask, bytes = m & (FIELD_BIT(INSN) | FIELD_BIT(INSNLEN));

	put_ip(w, v, ls, out);
	if (likely(!v->behind_ip))
		return;
	if (frame_is_bare(v->frame_what[0])) {	/* it was not looked up */
		put_behind_ip(w, m, &ls->sm, &ls->at, out);
		return;
	}
	if (bytes)
		line_insn_at(w, bytes, ls->sm.ip, hit.dso, hit.dso_addr, out);
	if (m & FIELD_BIT(DISASM))
		line_insn_at(w, FIELD_BIT(DISASM), ls->sm.ip, hit.dso, hit.dso_addr, out);
}

static void plain_line(struct line_worker *w, const struct rec *rec, const struct event_view *v,
		       const struct line_sample *ls, struct strbuf *out)
{
	size_t start = out->len;

	if (ls->same) {
		same_line(w, v, out);
	} else {
		line_start(w, v, &ls->sm, ls->sm.tid, rec, &ls->at, out);
		put_before_ip(w, v, &ls->sm, &ls->at, out);
		w->last.name_at = out->len - v->name_len - start;
		put_place(w, v, ls, out);
		strbuf_addch(out, '\n');
		w->last.start = start;
		w->last.len = out->len - start;
	}
	line_end_part(w, ls->sm.event->idx, true, out);
}

/* false: nothing to show */
static bool sample_line(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
			struct strbuf *out)
{
	const struct sample *sm = &ls->sm;
	const struct event_view *v = &w->sc->view[sm->event->idx];

	if (!line_names_wanted(w, sm, &ls->at) || !script_switched_on(w, sm->event))
		return false;
	w->passed = true;
	w->at = &ls->at;
	if (w->sc->o->format) {
		cells_sample(w, rec, ls, out);
		line_end_part(w, sm->event->idx, true, out);
		return true;
	}
	if (unlikely(v->mask & FIELD_BIT(BRCNTR)))
		line_more_counters(w->sc->s, out);
	line_start(w, v, sm, sm->tid, rec, &ls->at, out);
	put_before_ip(w, v, sm, &ls->at, out);
	if (v->mask & FIELD_BIT(IP))
		put_ip(w, v, ls, out);
	if (unlikely(v->to)) {
		strbuf_addstr(out, " => ");
		put_addr(w, v, sm, &ls->at, out);
	}
	if (v->behind_ip)
		put_behind_ip(w, v->mask, sm, &ls->at, out);
	if (unlikely(v->mask & FIELD_BIT(SRCCODE)))
		line_srccode(w, sm, &ls->at, out);
	strbuf_addch(out, '\n');
	line_end_part(w, sm->event->idx, true, out);
	return true;
}

/* a chain that is not joined to its samples is a line of its own */
static void deferred_line(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
			  struct strbuf *out)
{
	const struct sample *sm = &ls->sm;
	const struct event_view *v = &w->sc->view[sm->event->idx];
	u64 cookie, nr;

	deferred_chain(rec, &cookie, &nr, &w->scratch);
	if (w->sc->o->format) {
		cells_deferred(w, rec, ls, cookie, out);
		line_end_part(w, sm->event->idx, true, out);
		return;
	}
	line_start(w, v, sm, sm->tid, rec, &ls->at, out);
	strbuf_addf(out, "DEFERRED CALLCHAIN [cookie: %llx]", (unsigned long long)cookie);
	if (v->mask & FIELD_BIT(IP))
		put_ip(w, v, ls, out);
	strbuf_addch(out, '\n');
	line_end_part(w, sm->event->idx, true, out);
}

/* -D: where a sample was, before its line */
static void put_frame(struct line_worker *w, const struct line_sample *ls, struct strbuf *out)
{
	const struct comm_text *t;
	const struct dso *dso;
	struct strbuf comm = STRBUF_INIT;
	struct resolved_frame f;

	if (!w->sc->o->dump || !frame_resolve(&w->cache, &ls->at, ls->sm.cpumode, ls->sm.ip, false, &f))
		return;
	t = line_comm(w, &ls->at, ls->sm.tid);
	dso = dsos_at(machine_dsos(w->sc->s->machine), f.loc.dso);
	strbuf_add(&comm, t->text + t->pad, t->len - t->pad - 1);
	dump_frame(strbuf_str(&comm), ls->sm.tid, dso ? dso_path(dso) : NULL, w->sc->o->words, out);
	strbuf_release(&comm);
	line_end_part(w, ID_NONE, false, out);
}

/* a sample of a group that is read together: a line for each member that counted */
static void group_lines(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
			struct strbuf *out)
{
	struct line_sample part = *ls;
	bool shown = false;
	int what;

	for (u32 i = 0; (what = session_read(w->sc->s, rec, i, &part.sm)) >= 0; i++) {
		if (what)
			put_frame(w, ls, out);
		if (!what || !w->sc->view[part.sm.event->idx].mask)
			continue;
		part.hits = ls->hits;
		if (!same_frames(w, part.sm.event, ls->sm.event))
			line_find_frames(w, &part);
		shown |= sample_line(w, rec, &part, out);
	}
	if (shown && script_metrics_wanted(w->sc))
		line_metrics(w, rec, ls, out);
}

void script_line(struct line_worker *w, const struct rec *rec, u32 i, struct strbuf *out)
{
	const struct line_sample *ls = &w->ahead[i];

	if (ls->bare || ls->plain) {
		w->passed = true;
		return (ls->bare ? bare_line : plain_line)(w, rec, &w->sc->view[ls->sm.event->idx], ls, out);
	}
	if (w->sc->o->dump) {
		dump_record(w->sc->s->data, rec, DUMP_SCRIPT, w->sc->o->words, out);
		aux_dump(w->sc->s->data, rec, w->sc->s->trace_type, w->sc->o->words, out);
	}
	if (!ls->wanted && w->sc->o->show && rec->type != REC_SAMPLE)
		line_side_band(w, rec, out);
	line_end_part(w, ID_NONE, false, out);
	if (!ls->wanted)
		return;
	if (rec->type == REC_CALLCHAIN_DEFERRED)
		return deferred_line(w, rec, ls, out);
	if (session_has_reads(w->sc->s, &ls->sm))
		return group_lines(w, rec, ls, out);
	put_frame(w, ls, out);
	sample_line(w, rec, ls, out);
}
