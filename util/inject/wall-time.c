/*
 * Wall-time: samples of all events are replaced by slices of wall time, samples of the event wall:slice
 * (util/wall/wall-event.h). Side-band records stay. What says when threads ran: sched_switch, with or without
 * records of context switches; or these alone. A wait has the time of its beginning, where its stack was
 * recorded, and so is written late: the copy is not in the order of time.
 */
#include "wall-copy.h"
#include "wall-feed.h"
#include "wall-whole.h"
#include "../event/record-type.h"
#include "../resolve/kernel-names.h"
#include "../wall/wall-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>

_Static_assert(WALL_READY_MAX == INJECT_BATCH, "a batch of records is made ready at a time");

/* ---- what the file has ---- */

static int check_trailers(const struct inject *in, struct err *err)
{
	const struct pe_attr *a = &evset_at(in->set, 0)->attr;

	if (a->flags & ATTR_SAMPLE_ID_ALL && !(~a->sample_type & (PERF_SAMPLE_TID | PERF_SAMPLE_TIME)))
		return 0;
	return err_set(err, -EINVAL, "%s: records have no times or no thread ids", in->session->data->path);
}

static int bind_events(struct inject *in, struct wall_copy *c, struct err *err)
{
	struct wall_file_events f = { .event = c->event, .formats = c->formats, .span = in->opts->wall_span };
	enum wall_whole whole = WALL_WHOLE_UNKNOWN;
	int ret = wall_fields_bind(&f, in->session, err);

	c->at_exec = f.at_exec;
	c->wall.source = (struct wall_source){ .has_arrivals = f.has_records, .has_samples = f.has_samples,
					       .has_stacks = f.has_chains };
	c->summary.has_switches = f.has_switches;
	/* where a CPU is never idle and all threads have names, one switch alone does not show it */
	if (!ret && (f.has_tracepoints || f.has_switch_records) && !in->live)
		whole = wall_whole_cpus(in->session, &f, &c->summary.nr_cpus);
	c->summary.nr_cpus_of_machine = in->session->data->feat.nr_cpus_online;
	c->whole_cpus = f.has_tracepoints && whole == WALL_WHOLE_CPUS;
	if (!c->whole_cpus)
		c->summary.nr_cpus = 0;
	/* the tasks of a control group, on all CPUs */
	c->wall.source.has_others = whole == WALL_WHOLE_SOME;
	c->wall.source.has_arrivals |= c->whole_cpus;
	c->summary.has_chains = f.has_chains;
	c->summary.has_samples = f.has_samples;
	c->summary.has_wakeups = f.has_wakeups;
	c->summary.has_sums = c->sums.on = f.has_sums;
	if (f.has_faults && !f.has_sums) {
		c->faults = (struct wall_faults){ .to = c->wall.ops, .ctx = in };
		c->wall.ops = &wall_faults_ops;
		c->wall.ctx = &c->faults;
	}
	if (!ret && f.has_sums && in->opts->wall_span)
		ret = err_set(err, -EINVAL, "--span: %s has sums of slots of time, not the time of each call",
			      in->session->data->path);
	return ret;
}

/* ---- slices to samples ---- */

static void put_slice(void *ctx, const struct wall_slice *s)
{
	struct inject *in = ctx;

	wall_samples_slice(&in->wall->samples, s);
}

static void put_run(void *ctx, const struct wall_run *r)
{
	struct inject *in = ctx;

	wall_samples_run(&in->wall->samples, r);
}

static void take_run(void *ctx, const struct wall_run *run)
{
	struct inject *in = ctx;

	if (in->opts->wall_lanes)
		wall_runs_give(&in->wall->runs, run, put_run, in);
	else
		put_run(in, run);
}

/* CPU time is given by runs, sample by sample */
static void take_slice(void *ctx, const struct wall_slice *s)
{
	struct inject *in = ctx;

	if (in->opts->wall_lanes)
		wall_path_add(&in->wall->path, s);
	if (s->state != WALL_ON)
		put_slice(ctx, s);
	else if (in->opts->wall_lanes)
		wall_runs_keep(&in->wall->runs, s);
}

/* which parts of it are on the path is known at the end */
static void keep_slice(void *ctx, const struct wall_slice *s)
{
	struct inject *in = ctx;

	wall_path_add(&in->wall->path, s);
	wall_calls_slice(&in->wall->calls, s);
}

static void keep_slice_of_call(void *ctx, const struct wall_slice *s)
{
	struct inject *in = ctx;

	if (s->state != WALL_ON)
		wall_calls_slice(&in->wall->calls, s);
}

static void keep_run_of_call(void *ctx, const struct wall_run *r)
{
	struct inject *in = ctx;

	wall_calls_run(&in->wall->calls, r);
}

static const struct wall_ops to_calls = { .slice = keep_slice_of_call, .run = keep_run_of_call };
static const struct wall_ops to_samples = { .slice = take_slice, .run = take_run };
static const struct wall_ops to_path = { .slice = keep_slice };

/* ---- the rewriter ---- */

int wall_time_start(struct inject *in, struct err *err)
{
	const struct feat_blob *blob = in->live ? in->live->formats : &in->session->data->feat.tracing_data;
	struct wall_copy *c = in->wall = xcalloc(1, sizeof(*c));
	int ret = check_trailers(in, err);

	c->programs_read_args = wall_programs_read_args(in->session);
	resolver_init(&c->resolver, in->session, &c->scratch);
	wall_targets_init(&c->targets, &c->resolver);
	wall_stacks_init(&c->stacks, &c->resolver, &c->scratch);
	c->stacks.has_probes = in->opts->wall_span;
	c->wants_wakers = in->opts->wall_wakers;
	c->event = xcalloc(in->set->ev.nr, sizeof(*c->event));
	wall_init(&c->wall, &(struct wall_source){ 0 },
		  in->opts->wall_path ? &to_path : in->opts->wall_span ? &to_calls : &to_samples, in);
	wall_calls_init(&c->calls, wall_popped_bytes(in->session));
	if (!ret && blob->data)
		c->formats = tracefmt_new(blob->data, blob->size, err);
	if (!ret && blob->data && !c->formats)
		ret = -EBADMSG;
	if (!ret)
		ret = bind_events(in, c, err);
	if (ret)
		return ret;
	kernel_names_load(in->session);
	c->samples = (struct wall_samples){ .in = in, .r = &c->resolver, .stacks = &c->stacks,
					    .targets = &c->targets, .wakers = &c->wakers };
	wall_samples_start(&c->samples);
	c->how = (struct wall_ready_how){ .plan = in->session->data->plan, .event = c->event,
					  .has_leaves = !wall_popped_bytes(in->session) };
	for (u32 i = 0; i < 2; i++)
		c->ready[i] = xcalloc(1, sizeof(*c->ready[i]));
	return 0;
}

static bool is_switch(const struct rec *rec)
{
	return rec->type == REC_SWITCH || rec->type == REC_SWITCH_CPU_WIDE;
}

/* slices are not between two rounds of reading, and say all that records of switches do */
static bool passes_on(const struct rec *rec)
{
	return rec->type != REC_SAMPLE && rec->type != REC_FINISHED_ROUND && !is_switch(rec);
}

void wall_time_prepare(struct inject *in, const struct inject_batch *b)
{
	const struct wall_copy *c = in->wall;

	wall_ready_fill(&c->how, c->ready[b->slot], b->rec, b->nr);
}

int wall_time_record(struct inject *in, const struct rec *rec, u64 time)
{
	struct wall_copy *c = in->wall;

	arena_reset(&c->scratch);
	c->now = &c->ready[in->batch->slot]->v[in->at];
	if (c->now->ok && rec->type == REC_SAMPLE)
		wall_take_sample(c, rec, &c->now->s);
	else if (c->now->ok && is_switch(rec))
		wall_take_switch_record(c, rec, &c->now->s);
	else if (c->now->ok)
		wall_take_side_band(c, rec, &c->now->s, time);
	/* of records of one time, the order of the file counts: the end of a task, and its last slice */
	if (passes_on(rec))
		wall_samples_flush(&c->samples, time);
	return c->samples.error ? c->samples.error : passes_on(rec);
}

/* slices of the calls that returned */
static void put_calls(struct inject *in)
{
	struct wall_copy *c = in->wall;

	vec_foreach(&c->calls.kept, k) {
		c->samples.speed = c->calls.call.v[k->call].speed;
		if (c->samples.speed == WALL_SPEED_NONE)
			continue;
		if (k->is_run)
			put_run(in, &k->run);
		else
			put_slice(in, &k->slice);
	}
	c->samples.speed = WALL_SPEED_NONE;
}

/* the critical path is that of the slowest call */
static void finish_calls(struct inject *in)
{
	struct wall_copy *c = in->wall;
	struct wall_spans *spans = in->opts->wall_spans;

	wall_calls_finish(&c->calls, spans);
	vec_foreach(&spans->part, p)
		p->target_name = arena_strdup(&spans->arena, wall_target_text(&c->targets, p->target));
	if (!in->opts->wall_path)
		put_calls(in);
	else if (spans->call.nr)
		c->path.tid = spans->call.v[0].tid;
	if (c->path.tid) {
		c->path.first = spans->call.v[0].begin;
		c->path.last = spans->call.v[0].end;
	} else {
		c->path.slice.nr = 0;
	}
}

int wall_time_last(struct inject *in)
{
	struct wall_copy *c = in->wall;

	wall_finish(&c->wall);
	wall_faults_give_all(&c->faults);
	c->path.first = MAX(c->wall.totals.first, in->opts->wall_from);
	c->path.last = in->opts->wall_to;
	if (in->opts->wall_span)
		finish_calls(in);
	if (in->opts->wall_lanes && in->opts->wall_summary && !in->opts->wall_path && !in->opts->wall_span)
		wall_path_walk(&c->path, wall_lanes_mark, &c->summary.path);
	else
		wall_path_walk(&c->path, put_slice, in);
	wall_samples_flush(&c->samples, 0);
	c->summary.nr_slices = c->samples.nr - c->samples.nr_dropped;
	c->summary.nr_dropped = c->samples.nr_dropped;
	c->summary.totals = c->wall.totals;
	c->summary.has_arrivals = c->wall.source.has_arrivals;
	if (in->opts->wall_summary)
		*in->opts->wall_summary = c->summary;
	return c->samples.error;
}

/* ---- live sessions ---- */

#define MANY_STACKS 65536u	/* distinct ones: programs that have ended are in most of them */

void wall_time_renew(struct inject *in)
{
	struct wall_copy *c = in->wall;

	locator_reset(&c->resolver.locator);
	wall_targets_forget_places(&c->targets);
	if (c->stacks.chains.seq.nr < MANY_STACKS)
		return;
	wall_stacks_forget(&c->stacks, &c->wall);
	wall_targets_forget(&c->targets, &c->wall);
}

struct wall_totals wall_time_flush(struct inject *in, u64 now)
{
	wall_flush(&in->wall->wall, now);
	wall_faults_give_all(&in->wall->faults);
	wall_samples_flush(&in->wall->samples, now);
	return in->wall->wall.totals;
}

void wall_time_end(struct inject *in)
{
	struct wall_copy *c = in->wall;

	if (!c)
		return;
	wall_release(&c->wall);
	wall_path_release(&c->path);
	wall_runs_release(&c->runs);
	tracefmt_free(c->formats);
	wall_targets_release(&c->targets);
	wall_wakers_release(&c->wakers);
	wall_slot_sums_release(&c->sums);
	wall_calls_release(&c->calls);
	wall_faults_release(&c->faults);
	resolver_release(&c->resolver);
	arena_release(&c->scratch);
	wall_samples_release(&c->samples);
	for (u32 i = 0; i < 2 && c->ready[i]; i++) {
		wall_ready_release(c->ready[i]);
		free(c->ready[i]);
	}
	wall_stacks_release(&c->stacks);
	vec_release(&c->name_rule);
	wall_tids_release(&c->announced);
	free(c->event);
	free(c);
	in->wall = NULL;
}
