/* Wall-source: see builtin-wall-source.h. */
#include "builtin-wall-source.h"
#include "util/base/log.h"
#include "util/pmu/parse-events.h"
#include "util/record/wall-events.h"
#include "util/record/wall-switches.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static const struct {
	const char *word, *text;
} sources[] = {
	[WALL_BY_ANY] = { "any", "" }, [WALL_BY_BPF] = { "bpf", "BPF programs" },
	[WALL_BY_TRACEPOINTS] = { "tracepoints", "tracepoints of the scheduler" },
	[WALL_BY_RECORDS] = { "switches", "context switches" },
};

bool wall_source_parse(const char *word, enum wall_by *ret)
{
	for (enum wall_by by = 0; by < ARRAY_SIZE(sources); by++) {
		if (strcmp(word, sources[by].word))
			continue;
		*ret = by;
		return true;
	}
	return false;
}

const char *wall_source_text(enum wall_by by)
{
	return sources[by].text;
}

static bool watches_cpus(const struct target_opts *t)
{
	return t->all_cpus || t->cpus || !(t->has_workload || t->pids || t->tids || t->user);
}

/* what programs that follow tasks, with stacks of frame pointers, cannot do; NULL: nothing */
static const char *not_by_bpf(const struct observe_opts *o, const struct sample_attr_opts *attr)
{
	return attr->callgraph.mode != CALLGRAPH_FP ? "such call graphs" : o->control ? "--control" :
	       o->delay.nr || o->start_disabled ? "-D" : o->target.user ? "-u" :
	       attr->use_clockid && attr->clockid != CLOCK_MONOTONIC ? "-k" : NULL;
}

/* the programs are loaded, if they can be used; else why not */
static bool add_bpf(struct wall_choice *s, const struct observe_opts *o, struct sample_attr_opts *attr)
{
	const struct wall_switches_opts wo = {
		.all = watches_cpus(&o->target), .inherit = !attr->no_inherit && !o->target.tids,
		.wakers = s->wakers, .slot_ns = s->slot_ns,
	};
	const char *without = s->not_by_bpf ? s->not_by_bpf : not_by_bpf(o, attr);
	struct err err = ERR_INIT;

	if (without) {
		strbuf_addf(&s->why, "BPF programs do not know %s", without);
		return false;
	}
	s->switches = wall_switches_open(&wo, &err);
	if (!s->switches) {
		strbuf_addstr(&s->why, err.msg);
		return false;
	}
	s->event = wall_switches_add_event(o->set, s->slot_ns);
	/* that of the programs */
	attr->use_clockid = true;
	attr->clockid = CLOCK_MONOTONIC;
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

/* faults of all threads: an event of tasks would cost time at each switch, and there are few */
static int add_faults(struct evset *set, struct err *err)
{
	const struct parse_events_opts po = { .option = "--wall" };
	u32 first = set->ev.nr;
	int ret = parse_events(set, "major-faults", &po, err);

	if (!ret)
		wall_set_faults(evset_at(set, first));
	return ret;
}

/* the best source that is wanted and permitted */
static enum wall_by choose(struct wall_choice *s, const struct observe_opts *o, struct sample_attr_opts *attr)
{
	const char *text;

	if ((s->by == WALL_BY_ANY || s->by == WALL_BY_BPF) && add_bpf(s, o, attr))
		return WALL_BY_BPF;
	if (s->by == WALL_BY_BPF || s->by == WALL_BY_RECORDS)
		return s->by;
	log_v("--wall: not by BPF: %s", strbuf_str(&s->why));
	if (wall_tracepoints_permitted(&text))
		return WALL_BY_TRACEPOINTS;
	strbuf_reset(&s->why);
	strbuf_addf(&s->why, "the scheduler's tracepoints are not permitted (%s)", text);
	return s->by == WALL_BY_TRACEPOINTS ? s->by : WALL_BY_RECORDS;
}

int wall_source_add(struct wall_choice *s, const struct observe_opts *o, struct sample_attr_opts *attr,
		    struct err *err)
{
	enum wall_by by = choose(s, o, attr);
	bool some = s->some || !watches_cpus(&o->target);
	bool tells = by == WALL_BY_RECORDS || (by == WALL_BY_TRACEPOINTS && some);
	int ret = 0;

	/* one that was asked for by its name */
	if (s->why.len && by == s->by)
		ret = err_set(err, -EPERM, "--wall=%s: %s", sources[by].word, strbuf_str(&s->why));
	if (!ret && by == WALL_BY_TRACEPOINTS)
		ret = add_tracepoints(o->set, s->wakers, err);
	if (!ret && by != WALL_BY_RECORDS && s->faults)
		ret = add_faults(o->set, err);
	if (!ret && by == WALL_BY_RECORDS && s->wakers)
		ret = err_set(err, -EPERM, "--wakers: context switches do not say who wakes a thread%s%s",
			      s->why.len ? ": " : "", strbuf_str(&s->why));
	wall_add_dummy(o->set, tells);
	s->by = by;
	return ret;
}

void wall_source_release(struct wall_choice *s)
{
	wall_switches_free(s->switches);
	strbuf_release(&s->why);
}
