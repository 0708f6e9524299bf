/* perf record --wall: the events that say where the elapsed time of threads goes. */
#include "arch/arch.h"
#include "builtin-record.h"
#include "util/base/log.h"
#include "util/pmu/parse-events.h"
#include "util/record/wall-events.h"
#include "util/record/wall-switches.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const source_words[] = {
	[WALL_BY_ANY] = "any", [WALL_BY_BPF] = "bpf", [WALL_BY_TRACEPOINTS] = "tracepoints",
	[WALL_BY_RECORDS] = "switches",
};

int record_opt_wall(const struct option *opt, const char *arg, bool unset)
{
	struct record_wall *w = opt->value;

	w->on = !unset;
	w->by = WALL_BY_ANY;
	if (!arg)
		return 0;
	for (w->by = 0; w->by < ARRAY_SIZE(source_words); w->by++)
		if (!strcmp(arg, source_words[w->by]))
			return 0;
	return opt_error(opt, "takes any, bpf, tracepoints or switches, not '%s'", arg);
}

static const char *excluded_by(const struct record_opts *o)
{
	return o->attr.no_samples ? "-n" : o->attr.write_backward ? "--overwrite" :
	       o->attr.all_user ? "--all-user" : o->off_cpu ? "--off-cpu" : NULL;
}

static bool watches_cpus(const struct target_opts *t)
{
	return t->all_cpus || t->cpus || !(t->has_workload || t->pids || t->tids || t->user);
}

/* what programs that follow tasks, with stacks of frame pointers, cannot do; NULL: nothing */
static const char *not_by_bpf(const struct record_opts *o)
{
	const struct observe_opts *ob = &o->observe;

	return o->attr.callgraph.mode != CALLGRAPH_FP ? "such call graphs" : ob->control ? "--control" :
	       ob->delay.nr || ob->start_disabled ? "-D" : o->cgroups ? "-G" : ob->target.cpus ? "-C" :
	       ob->target.user ? "-u" : o->rewrite ? "--unwind-live" : o->threads ? "--threads" :
	       o->attr.use_clockid && o->attr.clockid != CLOCK_MONOTONIC ? "-k" : NULL;
}

/* the programs are loaded, if they can be used; else why not */
static bool add_bpf(struct record_opts *o, bool wakers, struct strbuf *why)
{
	const struct wall_switches_opts wo = {
		.all = watches_cpus(&o->observe.target),
		.inherit = !o->attr.no_inherit && !o->observe.target.tids,
		.wakers = wakers,
	};
	const char *without = not_by_bpf(o);
	struct err err = ERR_INIT;

	if (without) {
		strbuf_addf(why, "BPF programs do not know %s", without);
		return false;
	}
	o->wall = wall_switches_open(&wo, &err);
	if (!o->wall) {
		strbuf_addstr(why, err.msg);
		return false;
	}
	o->wall_event = wall_switches_add_event(o->observe.set);
	/* that of the programs */
	o->attr.use_clockid = true;
	o->attr.clockid = CLOCK_MONOTONIC;
	return true;
}

static int add_tracepoints(struct evset *set, bool wakers, struct err *err)
{
	const struct parse_events_opts po = { .option = "--wall" };
	u32 first = set->ev.nr;
	int ret = parse_events(set, "sched:sched_switch,sched:sched_waking", &po, err);

	for (u32 i = first; i < set->ev.nr && !ret; i++)
		wall_set_tracepoint(evset_at(set, i), wakers);
	return ret;
}

/* the best source that is wanted and permitted; why: what forbids those before it */
static enum wall_by choose_source(struct record_args *a, struct strbuf *why)
{
	enum wall_by by = a->wall.by;
	const char *text;

	if ((by == WALL_BY_ANY || by == WALL_BY_BPF) && add_bpf(&a->o, a->wall.wakers, why))
		return WALL_BY_BPF;
	if (by == WALL_BY_BPF || by == WALL_BY_RECORDS)
		return by;
	log_v("--wall: not by BPF: %s", strbuf_str(why));
	if (wall_tracepoints_permitted(&text))
		return WALL_BY_TRACEPOINTS;
	strbuf_reset(why);
	strbuf_addf(why, "the scheduler's tracepoints are not permitted (%s)", text);
	return by == WALL_BY_TRACEPOINTS ? by : WALL_BY_RECORDS;
}

static void say_source(enum wall_by by, const char *why)
{
	switch (by) {
	case WALL_BY_BPF:
		log_note("[ perf record: --wall records switches and wake-ups by BPF programs ]");
		break;
	case WALL_BY_TRACEPOINTS:
		log_note("[ perf record: --wall records switches and wake-ups by tracepoints of the "
			 "scheduler ]");
		break;
	default:
		log_note("[ perf record: --wall records context switches, without reasons and wakers of "
			 "waits%s%s ]", *why ? ": " : "", why);
		break;
	}
}

static int add_source(struct record_args *a, struct err *err)
{
	struct record_opts *o = &a->o;
	struct strbuf why = STRBUF_INIT;
	enum wall_by by = choose_source(a, &why);
	bool tells = by == WALL_BY_RECORDS ||
		     (by == WALL_BY_TRACEPOINTS && !watches_cpus(&o->observe.target));
	int ret = 0;

	/* one that was asked for by its name */
	if (why.len && by == a->wall.by)
		ret = err_set(err, -EPERM, "--wall=%s: %s", source_words[by], strbuf_str(&why));
	if (!ret && by == WALL_BY_TRACEPOINTS)
		ret = add_tracepoints(o->observe.set, a->wall.wakers, err);
	if (!ret && by == WALL_BY_RECORDS && a->wall.wakers)
		ret = err_set(err, -EPERM, "--wakers: context switches do not say who wakes a thread%s%s",
			      why.len ? ": " : "", strbuf_str(&why));
	wall_add_dummy(o->observe.set, tells);
	if (!ret)
		say_source(by, strbuf_str(&why));
	strbuf_release(&why);
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

static int add_span(struct record_args *a, struct err *err)
{
	struct strbuf text[2] = { STRBUF_INIT, STRBUF_INIT }, name[2] = { STRBUF_INIT, STRBUF_INIT };
	const struct observe_opts *ob = &a->o.observe;
	char sp[16];
	int ret;

	stack_pointer(sp);
	for (int i = 0; i < 2; i++)
		strbuf_addf(&text[i], *sp ? "probe(%s%s sp=%%%s:u64)" : "probe(%s%s)", a->wall.span,
			    i ? "%return" : "", sp);
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
	const char *excluded = excluded_by(o);
	int ret = 0;

	if (!a->wall.on)
		return err_set(err, -EINVAL, "--%s needs --wall", a->wall.span ? "span" : "wakers");
	if (excluded)
		return err_set(err, -EINVAL, "--wall and %s exclude each other", excluded);
	if (o->attr.callgraph.mode == CALLGRAPH_NONE)
		o->attr.callgraph.mode = CALLGRAPH_FP;
	/* events of a set are ordered by time, also those of one thread */
	o->attr.timestamp = true;
	if (a->wall.span)
		ret = add_span(a, err);
	return ret ? ret : add_source(a, err);
}
