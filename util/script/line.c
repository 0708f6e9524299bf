/* Lines: one sample as text, field after field in the order that tools parse. */
#include "cells-private.h"
#include "batch.h"
#include "branch-code.h"
#include "line-state.h"
#include "../event/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../aux/aux.h"
#include "../event/callchain.h"
#include "../event/insn-flags.h"
#include "../resolve/deferred.h"
#include "../base/digits.h"
#include "../data/dump.h"
#include "../session/reads.h"
#include "../wall/wall-event.h"

#define LINE_START_MAX (160 + LINE_TOD_MAX)	/* the text before the period, without the name */

/* The name as shown: escaped, padded with blanks to 16 before it, and one blank after. Made once per name. */
static const struct comm_text *comm_text(struct line_worker *w, const struct sample_ctx *at, s32 tid)
{
	u32 id = at->thread ? machine_comm_id(w->sc->s->machine, at->thread, at->when) : ID_NONE;
	struct strbuf name = STRBUF_INIT;
	struct comm_text *t;

	if (id == ID_NONE) {
		t = &w->no_comm;
		snprintf(w->no_comm_text, sizeof(w->no_comm_text), "%*s:%d ",
			 MAX(0, 15 - snprintf(NULL, 0, "%d", tid)), "", tid);
		t->text = w->no_comm_text;
		t->len = strlen(t->text);
		t->pad = strspn(t->text, " ");
		return t;
	}
	while (w->comm.nr <= id)
		vec_push(&w->comm, (struct comm_text){ NULL, 0, 0 });
	t = &w->comm.v[id];
	if (likely(t->text))
		return t;
	strbuf_add_safe(&name, machine_comm_name(w->sc->s->machine, id));
	t->pad = name.len < 16 ? 16 - name.len : 0;
	t->len = t->pad + name.len + 1;
	t->text = memset(arena_alloc(&w->names, t->len), ' ', t->len);
	if (name.len)
		memcpy((char *)t->text + t->pad, name.buf, name.len);
	strbuf_release(&name);
	return t;
}

/* -L: eight letters of it */
static const struct strbuf *latency_comm(struct line_worker *w, const struct comm_text *t)
{
	strbuf_reset(&w->short_comm);
	strbuf_add(&w->short_comm, t->text + t->pad, t->len - t->pad - 1);
	return &w->short_comm;
}

static void put_comm(struct line_worker *w, const struct event_view *v, const struct sample_ctx *at, s32 tid,
		     struct strbuf *out)
{
	const struct comm_text *t = comm_text(w, at, tid);
	u32 skip;

	if (w->sc->o->latency) {
		strbuf_addf(out, "%8.8s ", strbuf_str(latency_comm(w, t)));
		return;
	}
	skip = v->mask & FIELD_BIT(IP) && v->chain ? t->pad : 0;

	strbuf_add(out, t->text + skip, t->len - skip);
}

static char *put_s32(char *p, s32 v, int width)
{
	if (likely(v >= 0))
		return put_dec(p, v, width);
	return p + snprintf(p, 16, "%*d", width, v);
}

static char *put_ids(char *p, u64 mask, s32 pid, s32 tid)
{
	if (mask & FIELD_BIT(PID) && mask & FIELD_BIT(TID))
		return p + snprintf(p, 32, "%7d/%-7d ", pid, tid);
	p = put_s32(p, mask & FIELD_BIT(PID) ? pid : tid, 7);
	*p++ = ' ';
	return p;
}

static char *put_cpu(char *p, u32 cpu)
{
	*p++ = '[';
	if (likely(cpu < 100)) {
		*p++ = '0';
		p = put_digits_fixed(p, cpu, 2);
	} else if (cpu == (u32)-1) {	/* not known: as a number of three columns */
		p = mempcpy(p, "-01", 3);
	} else {
		p = put_s32(p, (s32)cpu, 0);
	}
	*p++ = ']';
	*p++ = ' ';
	return p;
}

char *line_misc(char *p, u16 misc, u32 rec_type)
{
	static const struct { u16 bits; char letter; } modes[] = {
		{ 1, 'K' }, { 2, 'U' }, { 3, 'H' }, { 4, 'G' }, { 5, 'g' }
	};
	char *start = p;

	for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
		if ((misc & modes[i].bits) == modes[i].bits)
			*p++ = modes[i].letter;
	if (misc & 1u << 13) {
		if (rec_type == REC_MMAP || rec_type == REC_MMAP2)
			*p++ = 'M';
		else if (rec_type == REC_COMM)
			*p++ = 'E';
		else if (rec_type == REC_SWITCH || rec_type == REC_SWITCH_CPU_WIDE)
			*p++ = 'S';
	}
	if (misc & MISC_SWITCH_OUT_PREEMPT && (rec_type == REC_SWITCH || rec_type == REC_SWITCH_CPU_WIDE) &&
	    misc & 1u << 13)
		*p++ = 'p';
	do
		*p++ = ' ';
	while (p - start < 6);
	return p;
}

static char *put_time(char *p, u64 t, bool ns)
{
	u64 part = t % 1000000000;

	p = put_dec(p, t / 1000000000, 5);
	*p++ = '.';
	p = put_digits_fixed(p, part / 1000, 6);
	if (ns) {
		part %= 1000;
		*p++ = '0' + part / 100;
		p = put_digits_fixed(p, part % 100, 2);
	}
	*p++ = ':';
	*p++ = ' ';
	return p;
}

u64 line_time_shown(struct line_worker *w, u64 t)
{
	const struct script_opts *o = w->sc->o;
	u64 shown = t;

	if (o->reltime) {
		if (!w->state.first_time)
			w->state.first_time = t;
		shown = t - w->state.first_time;
	}
	if (o->deltatime) {
		shown = w->state.prev_time ? t - w->state.prev_time : 0;
		w->state.prev_time = t;
	}
	return shown;
}

#define GUEST_FIELDS (FIELD_BIT(MACHINE_PID) | FIELD_BIT(VCPU))

static void put_guest(struct line_worker *w, u64 m, const struct sample *sm, struct strbuf *out)
{
	const struct session_guest *g = session_guest_of(w->sc->s, sm->id);

	if (g && m & FIELD_BIT(MACHINE_PID))
		strbuf_addf(out, "VM:%5d ", g->machine_pid);
	if (g && m & FIELD_BIT(VCPU))
		strbuf_addf(out, "VCPU:%03d ", g->vcpu);
}

void line_start(struct line_worker *w, const struct event_view *v, const struct sample *sm, s32 named_tid,
		const struct rec *rec, const struct sample_ctx *at, struct strbuf *out)
{
	u64 m = v->mask;
	char *p;

	if (unlikely(m & GUEST_FIELDS && w->sc->s->guest.nr))
		put_guest(w, m, sm, out);
	if (m & FIELD_BIT(COMM))
		put_comm(w, v, at, named_tid, out);
	p = strbuf_room(out, LINE_START_MAX);
	if (m & (FIELD_BIT(PID) | FIELD_BIT(TID)))
		p = put_ids(p, m, sm->pid, sm->tid);
	if (m & FIELD_BIT(CPU) && w->sc->o->latency)
		*(p = put_s32(p, (s32)sm->cpu, 3)) = ' ', p++;
	else if (m & FIELD_BIT(CPU))
		p = put_cpu(p, sm->cpu);
	if (m & FIELD_BIT(MISC))
		p = line_misc(p, rec->misc, rec->type);
	if (m & FIELD_BIT(TOD))
		p = line_more_tod(w->sc->s, sm->time, w->sc->o->ns, p);
	if (m & FIELD_BIT(TIME))
		p = put_time(p, line_time_shown(w, sm->time), w->sc->o->ns);
	*p = '\0';
	out->len = p - out->buf;
}

/* only page faults are known to have their address inside the sampled process */
static bool addr_is_code_or_data(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       (ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS ||
		ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MIN ||
		ev->attr.config == PERF_COUNT_SW_PAGE_FAULTS_MAJ);
}

bool line_addr_has_name(const struct event_view *v, const struct event *ev)
{
	return v->branch || addr_is_code_or_data(ev);
}

bool line_addr_is_named(const struct event_view *v, const struct event *ev)
{
	return v->mask & (FIELD_BIT(SYM) | FIELD_BIT(DSO)) && line_addr_has_name(v, ev);
}

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

struct line_more *line_more_of(struct line_worker *w)
{
	if (!w->more)
		w->more = line_more_new(w->sc->s, w->cache.lines);
	return w->more;
}

void line_srccode(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at,
		  struct strbuf *out)
{
	struct resolved_frame f;

	if (!frame_resolve(&w->cache, at, sm->cpumode, sm->ip, false, &f) ||
	    line_more_source(line_more_of(w), sm->tid, &f, w->dry || w->cache.blocked, out))
		return;
	vec_push(&w->lines, (struct line_query){ f.loc.dso, f.loc.dso_addr });
	w->cache.blocked = true;
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

/* -S ADDR: that address, or with --addr-range one of the addresses from there on */
static bool addr_wanted(const struct script_filter *flt, const struct resolved_frame *f)
{
	for (size_t i = 0; i < flt->addrs.nr; i++) {
		if (f->ip - flt->addrs.v[i] < MAX(flt->addr_range, 1u))
			return true;
	}
	return false;
}

/* comm, dso, symbol, address: false where the sample is not wanted */
static bool names_wanted(struct line_worker *w, const struct sample *sm, const struct sample_ctx *at)
{
	const struct script_filter *flt = &w->sc->o->filter;
	const struct machine *machine = w->sc->s->machine;
	const struct dso *d;
	const char *name;
	struct resolved_frame f;

	if (flt->sample.comms.active) {
		const struct comm_text *t = comm_text(w, at, sm->tid);

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

/* frames as the fields of its event want them */
static void find_frames(struct line_worker *w, struct line_sample *ls)
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
		vec_push(&w->hits, frame_find(&w->cache, &at, v->frame_what[0]));
}

static bool same_frames(const struct line_worker *w, const struct event *a, const struct event *b)
{
	const struct event_view *p = &w->sc->view[a->idx], *q = &w->sc->view[b->idx];

	return p->frame_what[0] == q->frame_what[0] && !((p->mask ^ q->mask) & FIELD_BIT(IP));
}

/* tasks that have ended have no names, as in upstream's lines; slices of elapsed time have them to the end */
static void find_task(struct line_worker *w, const struct rec *rec, struct line_sample *ls)
{
	locator_ctx(&w->resolver.locator, ls->sm.pid, ls->sm.tid, session_when(w->sc->s, &ls->sm, rec),
		    &ls->at);
	if (!wall_event_is(ls->sm.event))
		sample_ctx_forget_dead(w->sc->s, &ls->sm, &ls->at);
}

/* decodes a sample and says whether it is shown; looks ahead to what its frames need from memory */
static bool sample_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain,
			   struct line_sample *ls)
{
	const struct session *s = w->sc->s;
	struct sample *sm = &ls->sm;

	if (rec->type == REC_CALLCHAIN_DEFERRED ? decode_deferred(w, rec, sm) :
	    sample_decode(s->data->plan, rec, sm, &w->scratch) || !sm->event) {
		diag_count_record(&w->diag, DIAG_TRUNCATED_RECORD, rec->off, record_name(rec->type));
		return false;
	}
	if (unlikely(chain && chain->p))
		join_chain(w, chain, sm);
	if ((!w->sc->view[sm->event->idx].mask && !session_has_reads(s, sm)) ||
	    !sample_wanted(w, sm))
		return false;
	ls->chain = w->sc->view[sm->event->idx].chain;
	if (w->sc->view[sm->event->idx].bare)
		return true;
	find_task(w, rec, ls);
	find_frames(w, ls);
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
	return sample_wanted(w, &ls->sm) && names_wanted(w, &ls->sm, &ls->at);
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

void line_end_part(struct line_worker *w, u32 event, bool sample, const struct strbuf *out)
{
	if (w->parts && out->len > (w->parts->nr ? w->parts->v[w->parts->nr - 1].end : 0))
		vec_push(w->parts, (struct line_part){ event, sample, out->len });
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

/* false: nothing to show */
static bool sample_line(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
			struct strbuf *out)
{
	const struct sample *sm = &ls->sm;
	const struct event_view *v = &w->sc->view[sm->event->idx];

	if (!names_wanted(w, sm, &ls->at) || !script_switched_on(w, sm->event))
		return false;
	w->passed = true;
	if (v->bare) {
		bare_line(w, rec, v, ls, out);
		return true;
	}
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

static bool is_line(u32 type)
{
	return type == REC_SAMPLE || type == REC_CALLCHAIN_DEFERRED;
}

void script_prepare(struct line_worker *w, const struct rec *rec, const struct rec *chain, u32 nr)
{
	arena_reset(&w->scratch);
	w->hits.nr = w->runs.nr = 0;
	for (u32 i = 0; i < nr; i++)
		w->ahead[i].wanted = is_line(rec[i].type) &&
				     sample_prepare(w, &rec[i], chain ? &chain[i] : NULL, &w->ahead[i]);
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
	t = comm_text(w, &ls->at, ls->sm.tid);
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
			find_frames(w, &part);
		shown |= sample_line(w, rec, &part, out);
	}
	if (shown && script_metrics_wanted(w->sc))
		line_metrics(w, rec, ls, out);
}

void script_line(struct line_worker *w, const struct rec *rec, u32 i, struct strbuf *out)
{
	const struct line_sample *ls = &w->ahead[i];

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
