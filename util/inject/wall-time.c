/*
 * Wall-time: samples of all events are replaced by slices of wall time, samples of the event wall:slice
 * (util/wall/wall-event.h). Side-band records stay. What says when threads ran: sched_switch, with or without
 * records of context switches; or these alone. A wait has the time of its beginning, where its stack was
 * recorded, and so is written late: the copy is not in the order of time.
 */
#include "inject-private.h"
#include "wall-calls.h"
#include "wall-faults.h"
#include "wall-feed.h"
#include "wall-fields.h"
#include "wall-lanes.h"
#include "wall-raw.h"
#include "wall-ready.h"
#include "wall-samples.h"
#include "wall-slot-sums.h"
#include "wall-stacks.h"
#include "wall-targets.h"
#include "wall-tids.h"
#include "wall-wakers.h"
#include "wall-whole.h"
#include "../event/record.h"
#include "../resolve/kernel-names.h"
#include "../tep/tracefmt.h"
#include "../wall/path.h"
#include "../wall/wall-event.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>

_Static_assert(WALL_READY_MAX == INJECT_BATCH, "a batch of records is made ready at a time");

struct wall_copy {
	struct wall wall;
	struct wall_summary summary;
	struct tracefmt *formats;
	struct wall_fields *event;	/* by event idx */
	struct resolver resolver;
	struct arena scratch;
	struct wall_samples samples;
	struct wall_ready_how how;
	struct wall_ready_batch *ready[2];	/* by slot of the batch */
	const struct wall_ready *now;		/* of the record that is taken */
	struct wall_path path;		/* with wall_path and wall_lanes */
	struct wall_runs runs;		/* with wall_lanes */
	struct wall_stacks stacks;
	struct wall_targets targets;
	struct wall_wakers wakers;
	struct wall_slot_sums sums;
	bool wants_wakers;
	struct wall_calls calls;	/* with wall_span */
	struct wall_faults faults;	/* before these, if the file tells of page faults */
	struct wall_tids announced;	/* of COMM and FORK records */
	bool at_exec;		/* events were enabled by the exec of a command */
	/*
	 * side-band may begin before switches are recorded; and before its exec, the process of a command
	 * does not run the command
	 */
	bool begun;
	bool programs_read_args;	/* BPF programs read arguments on such machines */
	bool whole_cpus;		/* all threads of CPUs were recorded, not those of some tasks */
};

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

/* ---- what waits are for ---- */

/* file: NULL if nothing is known of it. 0: what the wait is for is not known */
static u32 target_of(struct wall_copy *c, const struct rec *rec, const struct sample *s,
		     const struct wall_event *e, enum wall_wait wait, u64 value,
		     const struct wall_file_raw *file)
{
	struct wall_call call = { .value = value, .file = file, .stack = e->stack };
	struct sample_ctx ctx;

	if (e->stack == WALL_NO_STACK)
		return 0;
	call.arg = wall_stack_arg(&c->stacks, e->stack);
	if (!wall_arg_explains(call.arg, wait))
		return 0;
	call.chain = wall_stack_chain(&c->stacks, e->stack, &call.nr_chain);
	ctx = locator_sample_ctx(&c->resolver.locator, c->resolver.session, s, rec);
	return wall_target_of(&c->targets, &ctx, &call);
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

/* ---- records to the state machine ---- */

/* if only some tasks were recorded, payloads name others as well, of which nothing else is known */
static bool is_watched(const struct wall_copy *c, u32 tid)
{
	return c->whole_cpus || wall_tids_has(&c->announced, tid);
}

static u64 value_of(const struct wall_copy *c, const struct tracefmt_field *f, const struct sample *s)
{
	u64 value = 0;

	return f && tracefmt_value(c->formats, f, s->raw, s->raw_size, &value) ? value : 0;
}

static struct wall_event event_of(const struct sample *s, u32 stack)
{
	return (struct wall_event){ .time = s->time, .pid = s->pid, .tid = s->tid, .cpu = s->cpu,
				    .stack = stack };
}

static u32 stack_of(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct wall_ready_batch *b = c->ready[c->samples.in->batch->slot];

	const struct wall_ready *r = c->now;
	u32 id = !r->has_chain ? wall_stack_of(&c->stacks, rec, s) :
		 wall_stack_of_chain(&c->stacks, rec, s, wall_ready_chain(b, r), r->nr, r->hash);

	return wall_kind_leaves(c->event[s->event->idx].kind) ? wall_stack_left(&c->stacks, id) : id;
}

static void take_switch(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct wall_fields *f = &c->event[s->event->idx];
	u32 prev = value_of(c, f->prev, s), next = value_of(c, f->next, s);
	char letter = wall_letter_of_state(value_of(c, f->state, s), next);
	const u64 *arg = NULL;
	struct wall_event e = event_of(s, WALL_NO_STACK);
	enum wall_wait wait;

	/* events of tasks see only these, whose names are known */
	if (!prev || !wall_tids_has(&c->announced, prev)) {
		c->whole_cpus = c->wall.source.has_arrivals = true;
		c->wall.source.has_others = false;
	}
	e.tid = prev;
	if (prev != s->tid)	/* of another pid namespace */
		e.pid = -1;
	if (prev) {
		e.stack = stack_of(c, rec, s);
		if (f->arg_reg != UINT32_MAX && s->user_abi == PERF_SAMPLE_REGS_ABI_64)
			arg = &s->user_regs[f->arg_reg];
		wait = wall_stack_wait(&c->stacks, e.stack, letter, arg);
		if (arg)
			e.target = target_of(c, rec, s, &e, wait, *arg, NULL);
		wall_leave(&c->wall, &e, letter, wait, false);
	}
	e = (struct wall_event){ .time = s->time, .pid = -1, .tid = next, .cpu = s->cpu,
				 .stack = WALL_NO_STACK };
	/* of others than the watched ones, arrivals have records of their own */
	if (is_watched(c, next) && !(c->wall.source.has_others && c->wall.source.has_arrivals))
		wall_arrive(&c->wall, &e);
	else
		wall_take_cpu(&c->wall, &e);
}

static u32 stack_of_waker(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	u32 stack = c->wants_wakers ? stack_of(c, rec, s) : WALL_NO_STACK;

	c->summary.has_waker_stacks |= stack != WALL_NO_STACK;
	return stack;
}

/* of common_flags */
#define FLAG_INTERRUPT 8u

static void take_wakeup(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct wall_fields *f = &c->event[s->event->idx];
	u32 tid = value_of(c, f->pid, s);
	bool interrupt = value_of(c, f->flags, s) & FLAG_INTERRUPT;
	struct wall_event e = { .time = s->time, .pid = -1, .tid = tid, .cpu = UINT32_MAX,
				.stack = WALL_NO_STACK };

	c->summary.has_wakeups = true;
	e.tid = s->tid;
	e.cpu = s->cpu;
	wall_take_cpu(&c->wall, &e);
	e.tid = tid;
	e.cpu = UINT32_MAX;
	/* what an interrupt stopped is not the waker */
	if (!interrupt)
		e.stack = stack_of_waker(c, rec, s);
	if (tid && is_watched(c, tid))
		wall_wake(&c->wall, &e, interrupt ? 0 : (s32)s->tid);
}

/* what a wait is for; offset: of the file in raw data */
static u32 target_of_raw(struct wall_copy *c, const struct rec *rec, const struct sample *s,
			 const struct wall_event *e, enum wall_wait wait, const u32 arg[2], u32 offset)
{
	struct wall_file_raw file;
	bool has_file = wall_raw_file(rec, s, offset, &file);

	return target_of(c, rec, s, e, wait, arg[0] | (u64)arg[1] << 32, has_file ? &file : NULL);
}

/* the argument of raw data of that size; NULL: BPF programs have not read it, as in older files */
static const u64 *arg_of_raw(const struct wall_copy *c, const struct sample *s, u32 size, const u32 half[2],
			     u64 *arg)
{
	*arg = half[0] | (u64)half[1] << 32;
	return c->programs_read_args && s->raw_size >= size ? arg : NULL;
}

/* of a BPF program, which names only threads that are followed */
static void take_bpf_switch(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_switch_raw raw;
	enum wall_wait wait;
	struct wall_event e;
	u64 woken, arg;

	if (!wall_raw_switch(rec, s, &raw))
		return;
	woken = raw.woken[0] | (u64)raw.woken[1] << 32;
	e = event_of(s, WALL_NO_STACK);
	if (raw.flags & WALL_RAW_UNSEEN)
		wall_unseen(&c->wall, &e);
	if (raw.flags & WALL_RAW_HAS_LEFT) {
		e = event_of(s, stack_of(c, rec, s));
		wait = wall_stack_wait(&c->stacks, e.stack, raw.letter,
				       arg_of_raw(c, s, sizeof(raw), raw.arg, &arg));
		if (s->raw_size >= sizeof(raw))
			e.target = target_of_raw(c, rec, s, &e, wait, raw.arg, sizeof(raw));
		wall_leave(&c->wall, &e, raw.letter, wait, false);
	}
	if (raw.flags & WALL_RAW_WAKES)
		wall_wakers_note(&c->wakers, raw.waker_tid, woken, stack_of_waker(c, rec, s));
	if (!raw.next_tid)
		return;
	e = (struct wall_event){ .time = s->time, .pid = raw.next_pid, .tid = raw.next_tid, .cpu = s->cpu,
				 .stack = WALL_NO_STACK };
	e.stack = woken ? wall_wakers_find(&c->wakers, raw.next_tid, woken) : WALL_NO_STACK;
	if (woken)
		wall_woken(&c->wall, &e, woken, raw.flags & WALL_RAW_BY_INTERRUPT ? 0 : raw.waker_tid);
	if (raw.flags & WALL_RAW_NEXT_UNSEEN)
		wall_unseen(&c->wall, &e);
	if (!(raw.flags & WALL_RAW_MISSED))
		wall_arrive(&c->wall, &e);
}

static void take_slot(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_event e = event_of(s, stack_of(c, rec, s));
	struct wall_slot_raw raw;
	struct wall_slice slice;
	enum wall_wait wait;
	u64 arg;

	if (!wall_raw_slot(rec, s, &raw))
		return;
	wait = wall_stack_wait(&c->stacks, e.stack, raw.letter,
			       arg_of_raw(c, s, sizeof(raw), raw.arg, &arg));
	if (raw.letter)
		e.target = target_of_raw(c, rec, s, &e, wait, raw.arg, sizeof(raw));
	slice = wall_slot_sums_slice(&raw, &e, wait);
	c->path.slack = c->sums.slot_ns = raw.slot_us * 1000ull;
	wall_slot_sums_give(&c->sums, &c->wall, &slice);
}

/* an entry or a return of the function of --span */
static void take_probe(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct wall_fields *f = &c->event[s->event->idx];
	bool enters = f->kind == KIND_ENTRY;
	struct wall_event e = event_of(s, enters ? stack_of(c, rec, s) : WALL_NO_STACK);
	u64 sp = value_of(c, f->sp, s);

	/* what it did before is not of the call; what it did until its return is */
	wall_mark(&c->wall, &e);
	wall_faults_give(&c->faults, s->tid);
	e.time = c->wall.now;
	if (enters)
		wall_calls_enter(&c->calls, &e, sp, value_of(c, f->back, s));
	else
		wall_calls_return(&c->calls, &e, sp);
}

/* a page fault is complete */
static void take_fault(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct sample_ctx ctx = locator_sample_ctx(&c->resolver.locator, c->resolver.session, s, rec);

	u32 target = wall_target_of_fault(&c->targets, &ctx, s->addr);

	if (wall_faults_complete(&c->faults, s->tid, target))
		c->summary.nr_unmapped += !target;
}

static void take_any_sample(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_event e;

	c->begun |= !c->at_exec && c->event[s->event->idx].kind != KIND_OTHER;
	if (!c->begun)
		return;
	switch (c->event[s->event->idx].kind) {
	case KIND_SWITCH:
		take_switch(c, rec, s);
		break;
	case KIND_BPF:
		take_bpf_switch(c, rec, s);
		break;
	case KIND_SLOT:
		take_slot(c, rec, s);
		break;
	case KIND_ENTRY:
	case KIND_RETURN:
		take_probe(c, rec, s);
		break;
	case KIND_FAULT:
		take_fault(c, rec, s);
		break;
	case KIND_WAKEUP:
		take_wakeup(c, rec, s);
		break;
	case KIND_SAMPLE:
		if (!s->tid)
			break;
		e = event_of(s, stack_of(c, rec, s));
		if (c->sums.on)
			wall_slot_sums_sample(&c->sums, &e);
		else
			wall_sample(&c->wall, &e);
		break;
	default:
		break;
	}
}

/* a record of a context switch; the trailer s says whose */
static void take_switch_record(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_event e = event_of(s, WALL_NO_STACK);

	c->begun |= !c->at_exec;
	if (!c->begun)
		return;
	if (!(rec->misc & PERF_RECORD_MISC_SWITCH_OUT))
		wall_arrive(&c->wall, &e);
	else
		wall_leave(&c->wall, &e, rec->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT ? 'R' : 'S',
			   WALL_WAIT_OTHER, true);
}

static void take_fork(struct wall_copy *c, const struct record_view *v, const struct wall_event *at)
{
	struct wall_event e = *at;

	wall_tids_add(&c->announced, v->task.tid);
	if (!at->time || !c->begun)
		return;
	e.tid = v->task.ptid;
	e.pid = -1;
	wall_seen(&c->wall, &e);
	e.tid = v->task.tid;
	e.pid = v->task.pid;
	e.cpu = UINT32_MAX;
	wall_begin(&c->wall, &e, v->task.ptid);
}

static void take_side_band(struct wall_copy *c, const struct rec *rec, const struct sample *s, u64 time)
{
	struct wall_event e = { .time = time, .pid = -1, .cpu = s->cpu, .stack = WALL_NO_STACK };
	struct record_view v;

	if (record_decode(rec, &v))
		return;
	/* sums know all else */
	if (c->sums.on && rec->type == REC_FORK && time)
		wall_slot_sums_fork(&c->sums, v.task.tid, v.task.ptid, time);
	if (c->sums.on && rec->type != REC_COMM)
		return;
	switch (rec->type) {
	case REC_COMM:
		wall_tids_add(&c->announced, v.comm.tid);
		e.tid = v.comm.tid;
		e.pid = v.comm.pid;
		if (!time || !(rec->misc & PERF_RECORD_MISC_COMM_EXEC))
			break;
		if (c->at_exec && !c->begun)
			c->sums.from = time;
		c->begun |= c->at_exec;
		if (c->begun && !c->sums.on)
			wall_seen(&c->wall, &e);
		break;
	case REC_FORK:
		take_fork(c, &v, &e);
		break;
	case REC_EXIT:
		e.tid = v.task.tid;
		e.pid = v.task.pid;
		if (time && c->begun)
			wall_end(&c->wall, &e);
		break;
	case REC_LOST:
	case REC_LOST_SAMPLES:
		if (c->begun)
			wall_lost(&c->wall, time);
		break;
	}
}

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
		take_any_sample(c, rec, &c->now->s);
	else if (c->now->ok && is_switch(rec))
		take_switch_record(c, rec, &c->now->s);
	else if (c->now->ok)
		take_side_band(c, rec, &c->now->s, time);
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
	wall_tids_release(&c->announced);
	free(c->event);
	free(c);
	in->wall = NULL;
}
