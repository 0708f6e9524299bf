/* Line-start: fields that samples and side-band lines share, in the order that tools parse. */
#include "line-start.h"

#include <stdio.h>
#include <string.h>
#include "../base/digits.h"
#include "../event/record.h"
#include "line-state.h"

#define LINE_START_MAX (160 + LINE_TOD_MAX)	/* the text before the period, without the name */

/* The name as shown: escaped, padded with blanks to 16 before it, and one blank after. Made once per name. */
const struct comm_text *line_comm(struct line_worker *w, const struct sample_ctx *at, s32 tid)
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
	const struct comm_text *t = line_comm(w, at, tid);
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

/* the part after the name */
static void put_after_comm(struct line_worker *w, u64 m, const struct sample *sm, const struct rec *rec,
			   struct strbuf *out)
{
	char *p = strbuf_room(out, LINE_START_MAX);

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

#define REPEATED (FIELD_BIT(PID) | FIELD_BIT(TID) | FIELD_BIT(CPU) | FIELD_BIT(TIME))

/* instructions between two times of a trace, and samples of one operation, begin their lines alike */
static bool put_repeated(struct line_worker *w, u64 mask, const struct sample *sm, struct strbuf *out)
{
	const struct line_repeated *r = &w->repeated;
	char *p;

	if (r->time != sm->time || r->tid != sm->tid || r->pid != sm->pid || r->cpu != sm->cpu ||
	    r->mask != mask || !r->len)
		return false;
	p = strbuf_room(out, sizeof(r->text));
	memcpy(p, r->text, sizeof(r->text));
	p[r->len] = '\0';
	out->len += r->len;
	return true;
}

static void keep_repeated(struct line_worker *w, u64 mask, const struct sample *sm, const char *text,
			  size_t len)
{
	struct line_repeated *r = &w->repeated;

	r->len = 0;
	if (len >= sizeof(r->text) || w->sc->o->latency || w->sc->o->reltime || w->sc->o->deltatime)
		return;
	*r = (struct line_repeated){ sm->time, mask, sm->pid, sm->tid, sm->cpu, .len = len };
	memcpy(r->text, text, len);
}

void line_start(struct line_worker *w, const struct event_view *v, const struct sample *sm, s32 named_tid,
		const struct rec *rec, const struct sample_ctx *at, struct strbuf *out)
{
	u64 m = v->mask, after = m & REPEATED;
	size_t start;

	if (unlikely(m & GUEST_FIELDS && w->sc->s->guest.nr))
		put_guest(w, m, sm, out);
	if (m & FIELD_BIT(COMM))
		put_comm(w, v, at, named_tid, out);
	if (unlikely(m & (FIELD_BIT(MISC) | FIELD_BIT(TOD)))) {
		put_after_comm(w, m, sm, rec, out);
		return;
	}
	if (put_repeated(w, after, sm, out))
		return;
	start = out->len;
	put_after_comm(w, m, sm, rec, out);
	keep_repeated(w, after, sm, out->buf + start, out->len - start);
}
