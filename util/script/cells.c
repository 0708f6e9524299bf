/* Lines as cells: one sample, a cell for each field of its event. Rows say which field gives which cell. */
#include "cells.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../event/data-src.h"
#include "../event/insn-flags.h"
#include "../fields/file-facts.h"
#include "../tep/tracefmt.h"
#include "../view/lines.h"
#include "addr-name.h"
#include "branch-code.h"
#include "chain.h"
#include "line-more.h"
#include "line-payload.h"
#include "line-start.h"
#include "line-state.h"
#include "numbers.h"

#define SCRIPT_LINES_VERSION 1

struct cells {
	struct line_worker *w;
	const struct stream_format *f;
	const struct event_view *v;
	const struct line_sample *ls;
	const struct sample *sm;
	struct strbuf *out;
};

/* text that was appended to the worker's, without the blanks around it */
static const char *trimmed(struct strbuf *text)
{
	while (text->len && text->buf[text->len - 1] == ' ')
		strbuf_setlen(text, text->len - 1);
	return strbuf_str(text) + strspn(strbuf_str(text), " ");
}

static struct strbuf *scratch_text(struct line_worker *w)
{
	strbuf_reset(&w->cell_text);
	return &w->cell_text;
}

/* ---- what all kinds of records have ---- */

static void put_comm(struct line_worker *w, const struct sample_ctx *at, s32 tid, struct strbuf *out)
{
	const struct machine *machine = w->sc->s->machine;
	u32 id = at->thread ? machine_comm_id(machine, at->thread, at->when) : ID_NONE;
	char name[16];

	if (id == ID_NONE)
		snprintf(name, sizeof(name), ":%d", tid);
	stream_text(w->sc->o->format, out, "comm", id == ID_NONE ? name : machine_comm_name(machine, id));
}

static void put_misc(struct line_worker *w, const struct rec *rec, struct strbuf *out)
{
	char text[32];

	*line_misc(text, rec->misc, rec->type) = '\0';
	text[strcspn(text, " ")] = '\0';
	stream_text(w->sc->o->format, out, "misc", text);
}

static void put_tod(struct line_worker *w, u64 time, struct strbuf *out)
{
	char text[LINE_TOD_MAX];

	line_more_tod(w->sc->s, time, w->sc->o->ns, text)[-1] = '\0';
	stream_text(w->sc->o->format, out, "tod", text);
}

void cells_start(struct line_worker *w, const char *type, const struct event_view *v, const struct sample *sm,
		 s32 named_tid, const struct rec *rec, const struct sample_ctx *at, struct strbuf *out)
{
	const struct stream_format *f = w->sc->o->format;
	u64 m = v->mask;

	f->begin(out);
	stream_text(f, out, "type", type);
	if (m & FIELD_BIT(COMM))
		put_comm(w, at, named_tid, out);
	if (m & FIELD_BIT(PID))
		stream_signed(f, out, "pid", (s32)sm->pid);
	if (m & FIELD_BIT(TID))
		stream_signed(f, out, "tid", (s32)sm->tid);
	if (m & FIELD_BIT(CPU))
		stream_signed(f, out, "cpu", (s32)sm->cpu);
	if (m & FIELD_BIT(MISC))
		put_misc(w, rec, out);
	if (m & FIELD_BIT(TOD))
		put_tod(w, sm->time, out);
	if (m & FIELD_BIT(TIME))
		stream_time(f, out, "time", line_time_shown(w, sm->time));
}

/* ---- places ---- */

struct place_keys { const char *sym, *symoff, *dso, *dsoff; };

static void put_place(struct cells *x, const struct resolved_frame *r, const struct place_keys *key,
		      bool offset)
{
	const struct dso *d = dsos_at(machine_dsos(x->w->sc->s->machine), r->loc.dso);
	u64 m = x->v->mask;

	if (key->sym && r->sym)
		stream_text(x->f, x->out, key->sym, frame_name(&x->w->cache, r));
	else if (key->sym)
		stream_absent(x->f, x->out, key->sym, "no symbol at this address");
	if (key->sym && r->sym && offset)
		stream_number(x->f, x->out, key->symoff, r->loc.dso_addr - r->sym->start);
	if (m & FIELD_BIT(DSO) && d)
		stream_text(x->f, x->out, key->dso, frame_dso_name(&x->w->cache, r, m & FIELD_BIT(DSOFF)));
	else if (m & FIELD_BIT(DSO))
		stream_absent(x->f, x->out, key->dso, "no map at this address");
	if (m & FIELD_BIT(DSOFF) && d)
		stream_address(x->f, x->out, key->dsoff, dso_shown_addr(d, r->loc.dso_addr));
}

static void put_addr(struct cells *x)
{
	struct place_keys key = { NULL, "addr-symoff", "addr-dso", "addr-dsoff" };
	struct resolved_frame r;

	stream_address(x->f, x->out, "addr", x->sm->addr);
	if (x->v->mask & FIELD_BIT(SYM))
		key.sym = "addr-sym";
	if (line_addr_is_named(x->v, x->sm->event) &&
	    frame_resolve(&x->w->cache, &x->ls->at, x->sm->cpumode, x->sm->addr, true, &r))
		put_place(x, &r, &key, x->v->mask & FIELD_BIT(SYMOFF));
}

/* frames have names and places; the address of the sample itself is on every line */
static void put_ip(struct cells *x)
{
	const struct frame_at at = { &x->ls->at, x->sm->ip, x->sm->cpumode, false };

	if (x->ls->chain) {
		stream_address(x->f, x->out, "ip", x->sm->ip);
		line_chain(x->w, x->v, x->ls, x->out);
	} else {
		frame_put_found(&x->w->cache, &at, x->v->frame_what[0], x->w->hits.v[x->ls->hits], x->out);
	}
}

/* ---- branches ---- */

static void put_branch_end(struct cells *x, u64 ip, bool to)
{
	static const struct place_keys keys[] = {
		{ "from-sym", "from-symoff", "from-dso", "from-dsoff" },
		{ "to-sym", "to-symoff", "to-dso", "to-dsoff" },
	};
	u8 cpumode = (s64)ip < 0 ? CPUMODE_KERNEL : CPUMODE_USER;
	struct place_keys key = keys[to];
	u64 m = x->v->mask;
	struct resolved_frame r;

	stream_address(x->f, x->out, to ? "to" : "from", ip);
	if (!(m & (FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF) | FIELD_BIT(DSO))) ||
	    !frame_resolve(&x->w->cache, &x->ls->at, cpumode, ip, false, &r))
		return;
	if (!(m & FIELD_BIT(BRSTACKSYM)))
		key.sym = NULL;
	if (m & FIELD_BIT(BRSTACKOFF))
		stream_address(x->f, x->out, to ? "to-off" : "from-off", line_branch_off(x->w, &r));
	put_place(x, &r, &key, true);
}

static void put_branches(struct cells *x)
{
	x->f->begin_rows(x->out, "brstack");
	for (u64 i = 0; i < x->sm->nr_branches; i++) {
		const struct branch_entry *b = &x->sm->branches[i];
		const char *type = branch_type_name(b->flags);

		if (i)
			x->f->next_row(x->out);
		x->f->begin_row(x->out);
		put_branch_end(x, b->from, false);
		put_branch_end(x, b->to, true);
		if (b->flags & (BRANCH_MISPRED | BRANCH_PREDICTED))
			stream_bool(x->f, x->out, "mispredicted", b->flags & BRANCH_MISPRED);
		stream_bool(x->f, x->out, "in-tx", b->flags & BRANCH_IN_TX);
		stream_bool(x->f, x->out, "abort", b->flags & BRANCH_ABORT);
		stream_number(x->f, x->out, "cycles", BRANCH_CYCLES(b->flags));
		if (type && *type)
			stream_text(x->f, x->out, "kind", type);
		if (*branch_spec_name(b->flags))
			stream_text(x->f, x->out, "speculation", branch_spec_name(b->flags));
		if (x->v->mask & FIELD_BIT(BRCNTR) && x->sm->branch_counters)
			stream_address(x->f, x->out, "counters", x->sm->branch_counters[i]);
		x->f->end_row(x->out);
	}
	x->f->end_rows(x->out);
}

/* ---- fields of tracepoints ---- */

static void put_trace_bytes(struct cells *x, const struct tracefmt_field *field, const u8 *bytes, u32 len)
{
	struct strbuf *text = scratch_text(x->w);

	strbuf_add(text, bytes, strnlen((const char *)bytes, len));
	stream_text(x->f, x->out, field->name, strbuf_str(text));
}

static void put_trace_field(struct cells *x, const struct tracefmt_event *te,
			    const struct tracefmt_field *field)
{
	const struct tracefmt *t = x->w->trace;
	const struct sample *sm = x->sm;
	u32 len = 0;
	const u8 *bytes = tracefmt_bytes(t, field, sm->raw, sm->raw_size, &len);
	u64 value;

	if (!bytes) {
		stream_absent(x->f, x->out, field->name, "it is outside of the sample");
	} else if (field->is_string) {
		put_trace_bytes(x, field, bytes, len);
	} else if (field->is_array || field->is_dynamic ||
		   !tracefmt_value(t, field, sm->raw, sm->raw_size, &value)) {
		tracefmt_print_field(x->w->trace, te, field, sm->raw, sm->raw_size, scratch_text(x->w));
		stream_text(x->f, x->out, field->name, trimmed(&x->w->cell_text));
	} else if (strchr(field->type, '*')) {
		stream_address(x->f, x->out, field->name, value);
	} else if (field->is_signed) {
		stream_signed(x->f, x->out, field->name, value);
	} else {
		stream_number(x->f, x->out, field->name, value);
	}
}

static void put_trace(struct cells *x)
{
	const struct tracefmt_event *te = x->sm->raw ? line_trace_event(x->w, x->sm->event) : NULL;
	const struct tracefmt_field *field;

	if (!te) {
		stream_absent(x->f, x->out, "trace",
			      x->sm->raw ? "the file does not have its format" : "not recorded");
		return;
	}
	tracefmt_print(x->w->trace, te, x->sm->raw, x->sm->raw_size, scratch_text(x->w));
	stream_text(x->f, x->out, "trace", trimmed(&x->w->cell_text));
	x->f->begin_group(x->out, "fields");
	for (u32 i = 0; (field = tracefmt_nth_field(te, i)); i++)
		put_trace_field(x, te, field);
	x->f->end_group(x->out);
}

/* ---- the other fields ---- */

static void put_event(struct cells *x) { stream_text(x->f, x->out, "event", x->sm->event->name); }
static void put_period(struct cells *x) { stream_number(x->f, x->out, "period", x->sm->period); }
static void put_guest(struct cells *x)
{
	const struct session_guest *g = session_guest_of(x->w->sc->s, x->sm->id);

	if (g && x->v->mask & FIELD_BIT(MACHINE_PID))
		stream_number(x->f, x->out, "machine-pid", g->machine_pid);
	if (g && x->v->mask & FIELD_BIT(VCPU))
		stream_number(x->f, x->out, "vcpu", g->vcpu);
}

static void put_flags(struct cells *x)
{
	const struct sample *sm = &x->ls->sm;
	struct strbuf text = STRBUF_INIT;

	if (!(sm->event->attr.sample_type & ABI_SAMPLE_INSN_FLAGS))
		return stream_absent(x->f, x->out, "flags", "needs a hardware trace");
	insn_flags_put(sm->insn_flags, &text);
	if (text.len && sm->insn_flags & (INSN_IN_TX | INSN_IRQS_OFF | INSN_IRQS_CHANGE))
		strbuf_addch(&text, ' ');
	insn_marks_put(sm->insn_flags, &text);
	stream_text(x->f, x->out, "flags", strbuf_str(&text));
	strbuf_release(&text);
}

static void put_depth(struct cells *x)
{
	const struct sample *sm = &x->ls->sm;

	if (!x->v->branch || !(sm->event->attr.sample_type & ABI_SAMPLE_INSN_FLAGS))
		return stream_absent(x->f, x->out, "call-depth", "needs branches of a hardware trace");
	stream_number(x->f, x->out, "call-depth", INSN_DEPTH(sm->insn_flags));
}

static void put_synth(struct cells *x)
{
	const struct sample *sm = &x->ls->sm;
	struct strbuf text = STRBUF_INIT;

	made_event_put(sm, &text);
	stream_text(x->f, x->out, "synth", strbuf_str(&text));
	strbuf_release(&text);
}

static void put_ipc(struct cells *x)
{
	const struct sample *sm = &x->ls->sm;

	if (sm->event->attr.type == MADE_EVENT_TYPE || !(sm->made >> 32))
		return stream_absent(x->f, x->out, "ipc", "not known here");
	stream_number(x->f, x->out, "ipc-insns", (u32)sm->made);
	stream_number(x->f, x->out, "ipc-cycles", sm->made >> 32);
}

static void put_data_src(struct cells *x)
{
	x->f->begin_group(x->out, "data_src");
	stream_address(x->f, x->out, "raw", x->sm->data_src);
	for (size_t i = 0; i < ARRAY_SIZE(data_src_words); i++) {
		data_src_words[i].put(scratch_text(x->w), x->sm->data_src);
		stream_text(x->f, x->out, data_src_words[i].key, trimmed(&x->w->cell_text));
	}
	x->f->end_group(x->out);
}

static void put_cgroup(struct cells *x)
{
	const char *name = machine_cgroup(x->w->sc->s->machine, x->sm->cgroup);

	if (name)
		stream_text(x->f, x->out, "cgroup", name);
	else
		stream_absent(x->f, x->out, "cgroup", "the file does not name it");
}

static void put_stack_end(struct cells *x)
{
	u64 end = line_stack_end(x->w, x->sm, &x->ls->at);
	struct strbuf *text = scratch_text(x->w);

	if (!end) {
		stream_absent(x->f, x->out, "stack_end", "no user part of a call chain");
		return;
	}
	stack_end_format(end, machine_dsos(x->w->sc->s->machine), text);
	stream_text(x->f, x->out, "stack_end", strbuf_str(text));
}

static void put_regs(struct cells *x, const char *key, u64 mask, u64 abi, const u64 *regs)
{
	struct reg_walk walk = { features_arch(&x->w->sc->s->data->feat), mask, regs };
	char number[16];
	u64 value;

	if (!abi || !regs) {
		stream_absent(x->f, x->out, key, "not recorded");
		return;
	}
	x->f->begin_group(x->out, key);
	stream_number(x->f, x->out, "abi", abi);
	while (reg_walk_next(&walk, &value)) {
		snprintf(number, sizeof(number), "reg-%u", walk.nr);
		stream_address(x->f, x->out, walk.name ? walk.name : number, value);
	}
	x->f->end_group(x->out);
}

static void put_iregs(struct cells *x)
{
	put_regs(x, "iregs", x->sm->event->attr.sample_regs_intr, x->sm->intr_abi, x->sm->intr_regs);
}

static void put_uregs(struct cells *x)
{
	put_regs(x, "uregs", x->sm->event->attr.sample_regs_user, x->sm->user_abi, x->sm->user_regs);
}

/* " ilen: 3", " insn: 48 89 c2": the text after the colon */
static void put_code(struct cells *x, const char *key, bool length)
{
	struct strbuf *text = scratch_text(x->w);
	const char *colon;

	line_insn(x->w, length ? FIELD_BIT(INSNLEN) : FIELD_BIT(INSN), x->sm, &x->ls->at, text);
	colon = strchr(strbuf_str(text), ':');
	if (!colon || !strcmp(colon, ": 0"))
		stream_absent(x->f, x->out, key, "the code at this address cannot be read");
	else if (length)
		stream_number(x->f, x->out, key, strtoul(colon + 2, NULL, 10));
	else
		stream_text(x->f, x->out, key, colon + 2);
}

static void put_insn(struct cells *x) { put_code(x, "insn", false); }
static void put_insnlen(struct cells *x) { put_code(x, "insnlen", true); }

static void put_disasm(struct cells *x)
{
	struct strbuf *text = scratch_text(x->w);

	line_insn(x->w, FIELD_BIT(DISASM), x->sm, &x->ls->at, text);
	if (text->len)
		stream_text(x->f, x->out, "disasm", strbuf_str(text) + strlen("\t\t"));
	else
		stream_absent(x->f, x->out, "disasm", "no code, or no disassembler (libcapstone)");
}

static void put_branch_code(struct cells *x)
{
	line_branch_code(x->w, x->v->mask, x->sm, &x->ls->at, x->out);
}

static void put_bpf_output(struct cells *x)
{
	const struct pe_attr *attr = &x->sm->event->attr;
	struct strbuf *text = scratch_text(x->w);

	if (attr->type != PERF_TYPE_SOFTWARE || attr->config != PERF_COUNT_SW_BPF_OUTPUT || !x->sm->raw)
		return;
	for (u32 i = 0; i < x->sm->raw_size; i++)
		strbuf_add_hex(text, ((const u8 *)x->sm->raw)[i], 2, '0');
	stream_text(x->f, x->out, "bpf-output", strbuf_str(text));
}

/* "\n|12       text": the text, where this is another line than the last one of the task */
static void put_srccode(struct cells *x)
{
	struct strbuf *text = scratch_text(x->w);
	size_t digits;

	line_srccode(x->w, x->sm, &x->ls->at, text);
	if (!text->len)
		return;
	digits = strspn(text->buf + 2, "0123456789");
	stream_text(x->f, x->out, "srccode", text->buf + 2 + MAX(digits, (size_t)8) + 1);
}

/* ---- plain numbers: the rows NUMBER of fields.def ---- */

static void put_COUNT(struct cells *x, const char *key, u64 v)
{
	stream_number(x->f, x->out, key, v);
}

static void put_HEX(struct cells *x, const char *key, u64 v)
{
	stream_address(x->f, x->out, key, v);
}

static void put_PAGE_SIZE(struct cells *x, const char *key, u64 size)
{
	if (size)
		stream_number(x->f, x->out, key, size);
	else
		stream_absent(x->f, x->out, key, "not recorded");
}

#define FIELD(...)
#define NUMBER(name, id, bits, attr, member, where, form, shown) \
	static void put_##id(struct cells *x) { put_##form(x, name, x->sm->member); }
#include "fields.def"

#define BRANCHES (FIELD_BIT(BRSTACK) | FIELD_BIT(BRSTACKSYM) | FIELD_BIT(BRSTACKOFF))

static const struct cell_row {
	u64 fields;		/* any of them gives the cell */
	void (*put)(struct cells *x);
} rows[] = {
	{ FIELD_BIT(MACHINE_PID) | FIELD_BIT(VCPU), put_guest },
	{ FIELD_BIT(EVENT), put_event },
	{ FIELD_BIT(PERIOD), put_period },
	{ FIELD_BIT(FLAGS), put_flags },
	{ FIELD_BIT(CALLINDENT), put_depth },
	{ FIELD_BIT(SYNTH), put_synth },
	{ FIELD_BIT(IPC), put_ipc },
	{ FIELD_BIT(TRACE), put_trace },
	{ FIELD_BIT(ADDR), put_addr },
	{ FIELD_BIT(DATA_SRC), put_data_src },
#define NUMBER(name, id, bits, attr, member, where, ...) { where == BEFORE_IP ? FIELD_BIT(id) : 0, put_##id },
#include "fields.def"
	{ FIELD_BIT(CGROUP), put_cgroup },
	{ FIELD_BIT(STACK_END), put_stack_end },
	{ FIELD_BIT(IP), put_ip },
	{ FIELD_BIT(IREGS), put_iregs },
	{ FIELD_BIT(UREGS), put_uregs },
	{ BRANCHES, put_branches },
	{ FIELD_BIT(INSN), put_insn },
	{ FIELD_BIT(INSNLEN), put_insnlen },
	{ FIELD_BIT(DISASM), put_disasm },
	{ FIELD_BIT(BRSTACKINSN) | FIELD_BIT(BRSTACKINSNLEN) | FIELD_BIT(BRSTACKDISASM), put_branch_code },
	{ FIELD_BIT(BPF_OUTPUT), put_bpf_output },
#define NUMBER(name, id, bits, attr, member, where, ...) { where == BEHIND_IP ? FIELD_BIT(id) : 0, put_##id },
#include "fields.def"
#undef FIELD
	{ FIELD_BIT(SRCCODE), put_srccode },
};

void script_plan_cells(struct event_view *v)
{
	u64 fields = v->mask | (v->to ? FIELD_BIT(ADDR) : 0);

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		if (rows[i].fields & fields)
			v->cell[v->nr_cells++] = i;
}

void cells_sample(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  struct strbuf *out)
{
	const struct event_view *v = &w->sc->view[ls->sm.event->idx];
	struct cells x = { .w = w, .f = w->sc->o->format, .v = v, .ls = ls, .sm = &ls->sm, .out = out };

	cells_start(w, "sample", v, &ls->sm, ls->sm.tid, rec, &ls->at, out);
	for (u32 i = 0; i < v->nr_cells; i++)
		rows[v->cell[i]].put(&x);
	x.f->end(out);
}

void cells_deferred(struct line_worker *w, const struct rec *rec, const struct line_sample *ls, u64 cookie,
		    struct strbuf *out)
{
	const struct event_view *v = &w->sc->view[ls->sm.event->idx];
	const struct stream_format *f = w->sc->o->format;

	cells_start(w, "callchain_deferred", v, &ls->sm, ls->sm.tid, rec, &ls->at, out);
	stream_address(f, out, "cookie", cookie);
	if (v->mask & FIELD_BIT(IP))
		line_chain(w, v, ls, out);
	f->end(out);
}

void cells_metric(struct line_worker *w, const struct rec *rec, const struct line_sample *ls,
		  const struct view_derived *m, struct strbuf *out)
{
	const struct stream_format *f = w->sc->o->format;
	struct view_value value = m->value;

	cells_start(w, "metric", &w->sc->view[ls->sm.event->idx], &ls->sm, ls->sm.tid, rec, &ls->at, out);
	stream_text(f, out, "event", ls->sm.event->name);
	view_derived_label(m, true, scratch_text(w));
	stream_text(f, out, "metric", trimmed(&w->cell_text));
	if (value.type == VIEW_ABSENT && !value.text)
		value.text = "not known";
	f->cell(out, "value", &value);
	f->end(out);
}

void script_header_cells(const struct session *s, const struct stream_format *f, struct strbuf *out)
{
	struct view_facts facts = { 0 };
	struct arena arena = { 0 };

	file_facts(&facts, &arena, s);
	f->begin(out);
	stream_text(f, out, "type", "header");
	stream_text(f, out, "perf", "script");
	stream_number(f, out, "version", SCRIPT_LINES_VERSION);
	vec_foreach(&facts, fact)
		f->cell(out, fact->key, &fact->value);
	f->end(out);
	vec_release(&facts);
	arena_release(&arena);
}
