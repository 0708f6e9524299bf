/* Counts: functions of scripts for files of perf stat record. See engine.h. */
#include "engine.h"

#include <stdlib.h>
#include "../stat/stat-file.h"
#include "engine-state.h"
#include "function-names.h"

/* functions of a script, by event and for all */
struct count_functions {
	int *event;
	int other;			/* process_stat() */
	int interval, other_interval;
};

struct counts_run {
	struct engine *g;
	const struct stat_file *f;
	struct count_functions of;
	struct count *before;		/* totals of the round before, where rounds are intervals */
	u64 time;
};

static void find_functions(struct counts_run *r)
{
	const struct language *l = r->g->language;
	struct strbuf name = STRBUF_INIT;
	u32 unused;

	r->of.event = xcalloc(r->f->counts.nr_events + 1, sizeof(*r->of.event));
	for (u32 i = 0; i < r->f->counts.nr_events; i++) {
		strbuf_reset(&name);
		strbuf_addf(&name, "stat%s", l->scope);
		engine_add_identifier(evset_at(r->f->set, i)->name, &name);
		r->of.event[i] = r->g->ops->find(strbuf_str(&name), &unused);
	}
	strbuf_reset(&name);
	strbuf_addf(&name, "stat%sinterval", l->scope);
	r->of.interval = r->g->ops->find(strbuf_str(&name), &unused);
	r->of.other = r->g->ops->find("process_stat", &unused);
	r->of.other_interval = r->g->ops->find("process_stat_interval", &unused);
	strbuf_release(&name);
}

#define COUNT_VALUES 6u

static int call_count(struct counts_run *r, u32 event, int cpu, int tid, const struct count *c,
		      struct err *err)
{
	const char *name = evset_at(r->f->set, event)->name;
	struct strbuf safe = STRBUF_INIT;
	struct script_value v[1 + COUNT_VALUES] = {
		{ "ev_name", VALUE_TEXT }, { "cpu", VALUE_INT, { cpu } }, { "thread", VALUE_INT, { tid } },
		{ "time", VALUE_UINT, .u = r->time }, { "val", VALUE_UINT, .u = c->val },
		{ "ena", VALUE_UINT, .u = c->ena }, { "run", VALUE_UINT, .u = c->run },
	};
	struct script_value dict = { .kind = VALUE_DICT, .of = { v, 1 + COUNT_VALUES } };
	int ret;

	if (r->of.event[event] >= 0)
		return engine_call(r->g, r->of.event[event], v + 1, COUNT_VALUES, err);
	strbuf_add_safe(&safe, name);
	v[0].bytes.p = strbuf_str(&safe);
	v[0].bytes.len = safe.len;
	ret = engine_call(r->g, r->of.other, &dict, 1, err);
	strbuf_release(&safe);
	return ret;
}

/* what was counted in this round: with intervals the difference to the last one */
static void add_count(struct counts_run *r, size_t place, struct count *sum)
{
	const struct count *now = &r->f->counts.v[place];
	struct count *before = &r->before[place];

	sum->val += now->val - before->val;
	sum->ena += now->ena - before->ena;
	sum->run += now->run - before->run;
	if (r->f->config.interval_ms)
		*before = *now;
}

/* calls for one CPU (-1: all of them) and one thread (-1) that the event belongs to */
static int call_sum(struct counts_run *r, u32 event, int cpu, int thread, struct err *err)
{
	const struct counts *c = &r->f->counts;
	u32 first_cpu = MAX(cpu, 0), end_cpu = cpu < 0 ? c->nr_cpus : first_cpu + 1;
	u32 first = MAX(thread, 0), end = thread < 0 ? c->nr_threads : first + 1;
	struct count sum = { 0 };
	bool any = false;

	for (u32 i = first_cpu; i < end_cpu; i++)
		for (u32 k = first; k < end; k++) {
			size_t place = counts_at(c, event, i, k);

			if (c->state[place] == COUNT_ABSENT)
				continue;
			any = true;
			add_count(r, place, &sum);
		}
	if (!any)
		return 0;
	return call_count(r, event, cpu < 0 ? -1 : c->cpu[cpu], thread < 0 ? -1 : c->tid[thread], &sum, err);
}

/* counts are summed up as perf stat was told to: over all, by thread, or by CPU */
static int call_event(struct counts_run *r, u32 event, struct err *err)
{
	const struct counts *c = &r->f->counts;
	bool by_thread = r->f->config.mode == AGGR_THREAD;
	u32 nr = by_thread ? c->nr_threads : c->nr_cpus;
	int ret = 0;

	if (r->of.event[event] < 0 && r->of.other < 0)
		return 0;
	if (r->f->config.mode == AGGR_GLOBAL)
		return call_sum(r, event, -1, -1, err);
	for (u32 i = 0; i < nr && !ret; i++)
		ret = call_sum(r, event, by_thread ? -1 : (int)i, by_thread ? (int)i : -1, err);
	return ret;
}

static int call_round(struct counts_run *r, struct err *err)
{
	struct script_value time = { .kind = VALUE_UINT, .u = r->time };
	int ret = 0;

	for (u32 i = 0; i < r->f->counts.nr_events && !ret; i++)
		ret = call_event(r, i, err);
	if (ret)
		return ret;
	return engine_call(r->g, r->of.interval >= 0 ? r->of.interval : r->of.other_interval, &time, 1, err);
}

static int run_rounds(struct counts_run *r, struct stat_file *f, const struct engine_opts *o,
		      struct err *err)
{
	struct stat_round round;
	int ret = 0;

	while (!ret && !o->stop && stat_file_next(f, &round) > 0) {
		r->time = round.time_ns;
		ret = call_round(r, err);
	}
	return ret;
}

int engine_run_counts(struct engine_opts *o, struct session *s, struct diag *diag, struct err *err)
{
	struct err close_err = ERR_INIT;
	struct counts_run r = { 0 };
	struct stat_file f;
	int ret = stat_file_of(&f, s->data, err), closed;

	if (ret)
		return ret;
	r.g = engine_open(o, s, err);
	if (r.g) {
		r.f = &f;
		r.before = xcalloc(counts_nr(&f.counts) + 1, sizeof(*r.before));
		find_functions(&r);
		ret = engine_start(r.g, err);
		if (!ret)
			ret = run_rounds(&r, &f, o, err);
		if (!ret)
			ret = engine_stop(r.g, err);
		closed = engine_close(r.g, ret < 0 ? &close_err : err);
		ret = ret < 0 ? ret : closed;
	} else {
		ret = err->code;
	}
	diag_merge(diag, &f.diag);
	free(r.before);
	free(r.of.event);
	stat_file_close(&f);
	return ret;
}
