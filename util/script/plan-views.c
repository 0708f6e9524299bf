/* Views: what lines of each event show, worked out before the first line. */
#include "plan-views.h"

#include <string.h>
#include "cells.h"

static u32 frame_bits(u64 mask, const struct script_opts *o, bool chain)
{
	u32 what = FRAME_IP;

	if (mask & FIELD_BIT(SYM))
		what |= FRAME_SYM;
	if (mask & FIELD_BIT(SYMOFF))
		what |= FRAME_SYMOFF;
	if (mask & FIELD_BIT(DSO))
		what |= FRAME_DSO;
	if (mask & FIELD_BIT(DSOFF))
		what |= FRAME_DSOFF;
	if (mask & FIELD_BIT(SRCLINE))
		what |= FRAME_SRCLINE;
	if (chain)
		what |= FRAME_LINE;
	if (chain && o->inlines)
		what |= FRAME_INLINE;
	return what;
}

/* branch trace store: each branch is a sample */
static bool is_branch(const struct event *ev)
{
	return ev->attr.type == PERF_TYPE_HARDWARE && ev->attr.config == PERF_COUNT_HW_BRANCH_INSTRUCTIONS &&
	       ev->attr.sample_period == 1;
}

/* fields that most lines consist of; the others are looked at only where one is wanted */
#define USUAL_FIELDS (FIELD_BIT(COMM) | FIELD_BIT(TID) | FIELD_BIT(PID) | FIELD_BIT(TIME) | FIELD_BIT(CPU) | \
		      FIELD_BIT(EVENT) | FIELD_BIT(PERIOD) | FIELD_BIT(IP) | FIELD_BIT(SYM) | \
		      FIELD_BIT(SYMOFF) | FIELD_BIT(DSO) | FIELD_BIT(DSOFF) | FIELD_BIT(MISC))

#define INSN_FIELDS (FIELD_BIT(INSN) | FIELD_BIT(INSNLEN) | FIELD_BIT(DISASM))

static void plan_other_fields(struct event_view *v)
{
	u64 mask = v->mask & ~USUAL_FIELDS;

	v->behind_ip = mask & ~(FIELD_BIT(ADDR) | FIELD_BIT(FLAGS) | FIELD_BIT(CALLINDENT));
	v->before_ip = mask & ~((v->branch ? FIELD_BIT(ADDR) : 0ull) | INSN_FIELDS);
}

#define NUMBER_FIELDS (FIELD_BIT(TID) | FIELD_BIT(PID) | FIELD_BIT(TIME) | FIELD_BIT(CPU) | \
		       FIELD_BIT(EVENT) | FIELD_BIT(PERIOD) | FIELD_BIT(IP) | FIELD_BIT(ADDR))

/* also what follows from them and from the task alone, whatever else the sample has */
#define PLAIN_FIELDS (NUMBER_FIELDS | FIELD_BIT(COMM) | FIELD_BIT(SYM) | FIELD_BIT(SYMOFF) | \
		      FIELD_BIT(DSO) | FIELD_BIT(DSOFF) | INSN_FIELDS)

static bool has_only(const struct script *sc, const struct event_view *v, u64 fields)
{
	const struct script_opts *o = sc->o;
	const struct sample_filter *f = &o->filter.sample;

	return v->mask & FIELD_BIT(IP) && !(v->mask & ~fields) && !v->chain && !o->format &&
	       !o->dump && !o->switch_on && !o->switch_off && !f->comms.active && !f->dsos.active &&
	       !f->symbols.active && !sc->s->reads;
}

void script_plan_views(struct script *sc)
{
	const struct evset *set = sc->s->data->evset;
	const struct script_opts *o = sc->o;

	sc->view = xcalloc(set->ev.nr + 1, sizeof(*sc->view));
	sc->all_numbers = true;
	for (size_t i = 0; i < set->ev.nr; i++) {
		const struct event *ev = set->ev.v[i];
		struct event_view *v = &sc->view[i];

		v->type = script_type_of(ev);
		v->mask = o->fields.mask[v->type];
		v->chain = !o->hide_chain && ev->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
		v->frame_what[0] = frame_bits(v->mask, o, false);
		v->frame_what[1] = frame_bits(v->mask, o, true);
		v->counts_fp = v->chain && o->max_stack >= FP_MIN_STACK && fp_event(ev);
		sc->counts_fp |= v->counts_fp;
		v->branch = is_branch(ev);
		v->to = v->branch && (v->mask & FIELD_BIT(ADDR) || (ev->attr.sample_type & PERF_SAMPLE_ADDR &&
							     !script_fields_chosen(&o->fields, v->type)));
		plan_other_fields(v);
		v->bare = has_only(sc, v, NUMBER_FIELDS);
		v->plain = !v->bare && !v->to && !v->before_ip && !o->reltime && !o->deltatime &&
			   has_only(sc, v, PLAIN_FIELDS);
		sc->all_numbers &= v->bare || v->plain || !v->mask || ev->dummy;
		if (o->format) {
			v->frame_what[0] |= FRAME_CELLS;
			v->frame_what[1] |= FRAME_CELLS;
			script_plan_cells(v);
		}
		sc->name_width = MAX(sc->name_width, (int)strlen(ev->name));
	}
	for (size_t i = 0; i < set->ev.nr; i++) {
		struct strbuf name = STRBUF_INIT;
		int len = strlen(set->ev.v[i]->name);

		strbuf_pad(&name, ' ', sc->name_width - len);
		strbuf_add_safe(&name, set->ev.v[i]->name);
		strbuf_addstr(&name, ": ");
		sc->view[i].name_len = name.len;
		sc->view[i].name = strbuf_detach(&name);
	}
}
