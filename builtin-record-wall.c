/* perf record --wall: the events that say where the elapsed time of threads goes. */
#include "arch/arch.h"
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/base/units.h"
#include "util/pmu/parse-events.h"
#include "util/record/wall-slots.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int parse_slots(const struct option *opt, const char *time, struct wall_choice *c)
{
	u64 ns;

	if (parse_duration(time, 1000000, &ns) || ns < WALL_SLOT_MIN_NS || ns > WALL_SLOT_MAX_NS)
		return opt_error(opt, "'%s' is not a length of slots between 1ms and 10s", time);
	c->by = WALL_BY_BPF;
	c->slot_ns = ns;
	return 0;
}

int record_opt_wall(const struct option *opt, const char *arg, bool unset)
{
	struct record_wall *w = opt->value;

	w->on = !unset;
	w->source.by = WALL_BY_ANY;
	w->source.slot_ns = 0;
	if (!arg || wall_source_parse(arg, &w->source.by))
		return 0;
	if (!strncmp(arg, "slots:", 6))
		return parse_slots(opt, arg + 6, &w->source);
	return opt_error(opt, "takes any, bpf, tracepoints, switches or slots:TIME, not '%s'", arg);
}

/* what only recorders have */
static const char *not_by_bpf(const struct record_opts *o)
{
	return o->cgroups ? "-G" : o->rewrite ? "--unwind-live" : o->threads ? "--threads" : NULL;
}

static void say_source(const struct wall_choice *s)
{
	const char *why = strbuf_str(&s->why);
	struct strbuf slots = STRBUF_INIT;

	if (s->slot_ns)
		duration_text(&slots, s->slot_ns);
	if (s->by == WALL_BY_RECORDS)
		log_note("[ perf record: --wall records context switches, without reasons and wakers of "
			 "waits%s%s ]", *why ? ": " : "", why);
	else
		log_note("[ perf record: --wall records switches and wake-ups by %s%s%s ]",
			 wall_source_text(s->by), slots.len ? ", as sums by slots of " : "",
			 strbuf_str(&slots));
	strbuf_release(&slots);
}

static int add_source(struct record_args *a, struct err *err)
{
	struct record_opts *o = &a->o;
	struct wall_choice *s = &a->wall.source;
	int ret;

	s->not_by_bpf = not_by_bpf(o);
	s->some = o->cgroups;
	s->faults = !s->slot_ns;
	ret = wall_source_add(s, &o->observe, &o->attr, err);
	o->wall = s->switches;
	o->wall_event = s->event;
	if (!ret)
		say_source(s);
	return ret;
}

/* "%sp": the stack pointer, as definitions of probes name it; empty: not known */
static void stack_pointer(char ret[16])
{
	const struct arch *a = arch_native();
	const char *name = a && a->reg_sp < a->nr_regs ? a->reg[a->reg_sp].name : "";
	size_t i = 0;

	for (; name && name[i] && i < 15; i++)
		ret[i] = tolower((u8)name[i]);
	ret[i] = 0;
}

/* probes at entry and return, for the time of the recording; a return needs no stack */
static int add_probes(struct record_args *a, const char *const names[2], struct err *err)
{
	struct evset *set = a->o.observe.set;
	const struct parse_events_opts po = { .option = "--span" };
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		u32 first = set->ev.nr;

		ret = MIN(parse_events(set, names[i], &po, err), 0);
		for (u32 e = first; e < set->ev.nr; e++) {
			struct event *ev = evset_at(set, e);

			ev->term_flags |= EVENT_TERM_PERIOD | (i ? EVENT_TERM_CALL_GRAPH : 0);
			ev->attr.sample_period = 1;
			if (i)
				ev->term_call_graph = "no";
		}
	}
	return ret;
}

/* the probes of entries and returns, with what pairs them: util/probe/call-times.h */
static void span_probes(const char *function, struct strbuf text[2])
{
	const struct arch *a = arch_native();
	const struct arch_abi *abi = a ? &a->abi[1] : NULL;
	char sp[16];

	stack_pointer(sp);
	for (int i = 0; i < 2; i++) {
		strbuf_addf(&text[i], "probe(%s%s", function, i ? "%return" : "");
		if (*sp)
			strbuf_addf(&text[i], " sp=%%%s:u64", sp);
		/* where calls push the return address */
		if (*sp && !i && abi && abi->dwarf_ra && abi->dwarf_ra == abi->dwarf_ip)
			strbuf_addf(&text[i], " back=+0(%%%s):u64", sp);
		strbuf_addch(&text[i], ')');
	}
}

static int add_span(struct record_args *a, struct err *err)
{
	struct strbuf text[2] = { STRBUF_INIT, STRBUF_INIT }, name[2] = { STRBUF_INIT, STRBUF_INIT };
	const struct observe_opts *ob = &a->o.observe;
	int ret;

	span_probes(a->wall.span, text);
	a->wall.once.program = ob->argv ? ob->argv[0] : NULL;
	a->wall.once.pid = ob->target.pids ? atoi(ob->target.pids) : 0;
	ret = probe_once_begin(&a->wall.once, (const char *[]){ strbuf_str(&text[0]), strbuf_str(&text[1]) },
			       name, 2, err);
	if (ret)
		err_prefix(err, "--span: ");
	if (!ret)
		ret = add_probes(a, (const char *[]){ strbuf_str(&name[0]), strbuf_str(&name[1]) }, err);
	for (int i = 0; i < 2; i++) {
		strbuf_release(&text[i]);
		strbuf_release(&name[i]);
	}
	return ret;
}

int record_settle_wall(struct record_args *a, struct err *err)
{
	struct record_opts *o = &a->o;
	const char *with_slots = a->wall.source.wakers ? "wakers" : a->wall.span ? "span" : NULL;
	int ret = 0;

	if (!a->wall.on)
		return err_set(err, -EINVAL, "--%s needs --wall", a->wall.span ? "span" : "wakers");
	if (a->wall.source.slot_ns && with_slots)
		return err_set(err, -EINVAL, "--wall=slots:TIME and --%s exclude each other", with_slots);
	if (o->cgroups && strchr(o->cgroups, ','))
		return err_set(err, -EINVAL, "--wall records one control group, not a list (-G)");
	if (o->attr.callgraph.mode == CALLGRAPH_NONE)
		o->attr.callgraph.mode = CALLGRAPH_FP;
	/* events of a set are ordered by time, also those of one thread */
	o->attr.timestamp = true;
	if (a->wall.span)
		ret = add_span(a, err);
	return ret ? ret : add_source(a, err);
}
