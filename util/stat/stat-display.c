/* Show: readings to blocks. */
#include "stat-display.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "advice.h"
#include "iostat.h"
#include "lines.h"
#include "metric-table.h"
#include "places.h"

struct stat_show {
	const struct stat_show_opts *o;
	const struct evset *set;
	const struct cpu_location *place;
	const char *const *comm;
	struct stat_derive *derive;
	u32 *first, *cgroup_id;
	struct aggr aggr;		/* made with the first counts */
	struct view_places places;	/* its ids */
	bool have_aggr;
	struct counts before, delta;	/* of intervals */
	bool have_before;
	u64 last_ns, last_begun_ns;	/* the last reading */
	struct tally_runs runs;
	struct tallies total;		/* of the last run */
	bool have_total;
	struct { VEC(struct stat_times); } times;
	struct { VEC(char *); } note;
	enum pmu_state pmu;		/* once it was asked for */
	bool pmu_asked;
};

/* a number for each cgroup, the same for events of the same one */
static u32 *number_cgroups(const char *const *name, u32 nr)
{
	u32 *id = name ? xcalloc(MAX(nr, 1u), sizeof(*id)) : NULL;

	for (u32 i = 0; id && i < nr; i++) {
		u32 k = 0;

		while (k < i && strcmp(name[k] ? name[k] : "", name[i] ? name[i] : ""))
			k++;
		id[i] = k == i ? i : id[k];
	}
	return id;
}

struct stat_show *stat_show_new(const struct stat_show_opts *o, const struct evset *set)
{
	struct stat_show *s = xcalloc(1, sizeof(*s));

	s->o = o;
	s->set = set;
	s->place = o->place;
	s->comm = o->comm;
	return s;
}

static void forget_total(struct stat_show *s)
{
	if (s->have_total)
		tallies_release(&s->total);
	s->have_total = false;
}

void stat_show_free(struct stat_show *s)
{
	if (!s)
		return;
	stat_derive_free(s->derive);
	free(s->first);
	free(s->cgroup_id);
	view_places_release(&s->places);
	if (s->have_aggr)
		aggr_release(&s->aggr);
	counts_release(&s->before);
	counts_release(&s->delta);
	tally_runs_release(&s->runs);
	forget_total(s);
	vec_release(&s->times);
	vec_foreach(&s->note, n)
		free(*n);
	vec_release(&s->note);
	free(s);
}

void stat_show_locations(struct stat_show *s, const struct cpu_location *place, const char *const *comm)
{
	s->place = place;
	s->comm = comm;
}

void stat_show_note(struct stat_show *s, const char *text)
{
	vec_push(&s->note, xstrdup(text));
}

/* opening may have changed events (fallbacks): bases are looked for once that is done */
static void prepare(struct stat_show *s, const struct counts *c)
{
	if (s->have_aggr)
		return;
	aggr_init(&s->aggr, s->o->mode, c, s->place, s->comm);
	s->have_aggr = true;
	vec_foreach(&s->set->ev, ev)
		if (((*ev)->term_flags & EVENT_TERM_PERCORE) && !s->o->percore_show_thread &&
		    !s->aggr.core_of)
			aggr_add_cores(&s->aggr);
	stat_places_init(&s->places, &s->aggr);
	s->first = tally_merging(s->set, s->o->no_merge);
	s->cgroup_id = number_cgroups(s->o->cgroup, s->set->ev.nr);
	if (!s->o->no_derive)
		s->derive = stat_derive_new(s->set, s->o->plan, s->cgroup_id);
}

/* true where CPU events were on counters and all of them read 0 */
static bool only_zeros(const struct stat_show *s, const struct tallies *t)
{
	bool any = false;

	for (u32 e = 0; e < t->nr_events; e++)
		for (u32 id = 0; id < t->nr_ids; id++) {
			const struct tally *y = tally_at(t, e, id);

			if (y->state != COUNT_READ || !y->run || !event_is_core(evset_at(s->set, e)))
				continue;
			if (y->val)
				return false;
			any = true;
		}
	return any;
}

/*
 * CPU events that were on counters and read 0: perhaps nothing happened, perhaps the counters stand still, as
 * in virtual machines without a virtual PMU that works. Then zero is not a measured value.
 */
static void doubt_zeros(struct stat_show *s, struct tallies *t)
{
	if (!s->o->target || !only_zeros(s, t))
		return;
	if (!s->pmu_asked)
		s->pmu = pmu_state_find();
	s->pmu_asked = true;
	for (u32 e = 0; s->pmu == PMU_STATE_STANDS && e < t->nr_events; e++) {
		if (!event_is_core(evset_at(s->set, e)))
			continue;
		for (u32 id = 0; id < t->nr_ids; id++) {
			struct tally *y = tally_at(t, e, id);

			y->state = y->state == COUNT_READ ? COUNT_GONE : y->state;
			y->ena = y->run = 0;
		}
	}
}

static int shown(int ret, struct err *err)
{
	return ret < 0 ? err_sys(err, -ret, "cannot write the counts") : 0;
}

static void init_block(const struct stat_show *s, struct view_block *b)
{
	*b = (struct view_block){ .places = &s->places, .elapsed_sec = -1, .user_sec = -1, .sys_sec = -1,
				  .nr_runs = 1, .title = s->o->title };
}

static int show_block(struct stat_show *s, struct view_block *b, const struct stat_lines_in *in,
		      struct err *err)
{
	struct metric_table table = { 0 };
	int ret;

	if (s->o->iostat)
		iostat_lines(s->o->iostat, b, in);
	else
		stat_lines_build(b, in);
	if (b->kind != VIEW_INTERVAL) {
		stat_advice(b, in);
		vec_foreach(&s->note, n)
			vec_push(&b->note, *n);
	}
	if (s->o->metric_only)
		metric_table_make(&table, b);
	ret = shown(s->o->sink->block(s->o->sink, b), err);
	metric_table_release(&table);
	view_block_release(b);
	return ret;
}

/*
 * How long the counters of a CPU were on since the last reading; 0 where none belongs to a CPU. The times of
 * events that are limited to a control group are not of this interval on some kernels, but their clocks are.
 */
static u64 longest_enabled(const struct stat_show *s)
{
	const struct counts *c = &s->delta;
	u64 longest = 0;

	if (s->aggr.own_cpus)
		return 0;
	for (u32 e = 0; e < c->nr_events; e++) {
		const struct event *ev = evset_at(s->set, e);
		bool limited = s->o->cgroup && s->o->cgroup[e];

		if (event_is_tool(ev) || (limited && !event_is_clock(ev)))
			continue;
		for (size_t i = counts_at(c, e, 0, 0); i < counts_at(c, e + 1, 0, 0); i++)
			if (c->state[i] == COUNT_READ)
				longest = MAX(longest, limited ? c->v[i].val : c->v[i].ena);
	}
	return longest;
}

/*
 * The time that an interval's counts cover. Each counter is read at some time between the begin and the end
 * of a reading: only the time since the begin of the previous reading is never too short, so that no more
 * CPUs are utilized than exist. Counters of whole CPUs know their own time.
 */
static u64 interval_span(const struct stat_show *s, u64 time_ns)
{
	u64 enabled = longest_enabled(s);

	return enabled ? MAX(enabled, time_ns - s->last_ns) : time_ns - s->last_begun_ns;
}

int stat_show_interval(struct stat_show *s, const struct counts *total, u64 begun_ns, u64 time_ns,
		       struct err *err)
{
	struct stat_lines_in in = { .o = s->o, .set = s->set, .aggr = &s->aggr, .nr_runs = 1 };
	struct view_block b;
	struct tallies t;
	u64 span_ns;
	int ret;

	prepare(s, total);
	if (!s->before.v) {
		counts_init(&s->before, total->nr_events, total->cpu, total->nr_cpus, total->tid,
			    total->nr_threads);
		counts_init(&s->delta, total->nr_events, total->cpu, total->nr_cpus, total->tid,
			    total->nr_threads);
	}
	counts_since(&s->delta, total, &s->before, s->set);
	counts_copy(&s->before, total);
	init_block(s, &b);
	b.kind = VIEW_INTERVAL;
	b.time_ns = time_ns;
	span_ns = interval_span(s, time_ns);
	s->last_ns = time_ns;
	s->last_begun_ns = begun_ns;
	tallies_init(&t, &s->aggr, &s->delta, s->set, s->first, !s->o->no_scale);
	tallies_share_cores(&t, &s->aggr, s->set);
	doubt_zeros(s, &t);
	in.pmu = s->pmu;
	in.tallies = &t;
	in.derive = s->derive;
	in.values = (struct stat_values){ .tallies = &t, .elapsed_ns = span_ns, .user_ns = -1,
					  .system_ns = -1 };
	ret = show_block(s, &b, &in, err);
	tallies_release(&t);
	return ret;
}

void stat_show_run_end(struct stat_show *s, const struct counts *total, const struct stat_times *t)
{
	prepare(s, total);
	forget_total(s);
	tallies_init(&s->total, &s->aggr, total, s->set, s->first, !s->o->no_scale);
	tallies_share_cores(&s->total, &s->aggr, s->set);
	s->have_total = true;
	tally_runs_add(&s->runs, &s->total);
	vec_push(&s->times, *t);
	if (s->before.v) {
		counts_release(&s->before);
		counts_release(&s->delta);
	}
	s->last_ns = s->last_begun_ns = 0;
}

/* mean times of all runs into b */
static void set_times(const struct stat_show *s, struct view_block *b, struct stat_values *v)
{
	double sum = 0, squares = 0, user = 0, sys = 0;
	u32 n = s->times.nr;
	bool has = n;

	vec_foreach(&s->times, t) {
		double sec = t->elapsed_ns / 1e9;

		vec_push(&b->run_sec, sec);
		sum += sec;
		squares += sec * sec;
		user += t->user_ns;
		sys += t->sys_ns;
		has &= t->has_times;
	}
	v->user_ns = v->system_ns = -1;
	if (!n)
		return;
	b->nr_runs = n;
	b->elapsed_sec = sum / n;
	b->elapsed_stddev = stddev_of_mean(sum, squares, n);
	v->elapsed_ns = b->elapsed_sec * 1e9;
	if (!has)
		return;
	v->user_ns = user / n;
	v->system_ns = sys / n;
	b->user_sec = v->user_ns / 1e9;
	b->sys_sec = v->system_ns / 1e9;
}

int stat_show_table(struct stat_show *s, struct err *err)
{
	struct stat_lines_in in = { .o = s->o, .set = s->set, .aggr = &s->aggr, .nr_runs = s->times.nr };
	struct view_block b;
	int ret;

	if (!s->have_total)
		return 0;
	init_block(s, &b);
	b.kind = s->o->summary ? VIEW_SUMMARY : VIEW_RUN;
	set_times(s, &b, &in.values);
	if (s->runs.nr_runs > 1)
		tally_runs_mean(&s->runs, &s->total);
	doubt_zeros(s, &s->total);
	in.pmu = s->pmu;
	in.tallies = &s->total;
	in.derive = s->derive;
	in.values.tallies = &s->total;
	ret = show_block(s, &b, &in, err);
	tally_runs_release(&s->runs);
	forget_total(s);
	s->times.nr = 0;
	return ret;
}

int stat_show_notes(struct stat_show *s, struct err *err)
{
	struct stat_lines_in in = { .o = s->o, .set = s->set, .aggr = &s->aggr, .tallies = &s->total,
				    .nr_runs = 1, .pmu = s->pmu };
	struct view_block b;
	int ret;

	if (!s->have_total || s->o->metric_only || !s->o->sink->remarks)
		return 0;
	init_block(s, &b);
	b.kind = VIEW_REMARKS;
	stat_lines_build(&b, &in);
	stat_advice(&b, &in);
	ret = shown(s->o->sink->block(s->o->sink, &b), err);
	view_block_release(&b);
	return ret;
}

int stat_show_finish(struct stat_show *s, struct err *err)
{
	return shown(s->o->sink->end(s->o->sink), err);
}
