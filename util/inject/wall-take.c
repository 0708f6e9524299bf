/* Wall-take: see wall-copy.h. */
#include "wall-copy.h"
#include "wall-raw.h"
#include "../event/record.h"

#include <linux/perf_event.h>

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

/* of a clock or of cycles, recorded without -g */
static bool has_ip_alone(const struct wall_copy *c, const struct sample *s)
{
	return c->event[s->event->idx].kind == KIND_SAMPLE && !s->nr_callchain && !s->user_stack;
}

#define CALLERS_MAX 64u		/* of open calls, in a stack that is recursive */

/* the open calls of --span return to a page of the kernel, which hides their callers */
static u32 with_callers(struct wall_copy *c, const struct sample *s, u32 stack)
{
	u64 back[CALLERS_MAX];
	u32 nr = wall_calls_callers(&c->calls, s->tid, back, CALLERS_MAX);

	return wall_stack_with_callers(&c->stacks, stack, back, nr);
}

static u32 stack_of(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct wall_ready_batch *b = c->ready[c->samples.in->batch->slot];
	const struct wall_ready *r = c->now;
	u32 id;

	if (has_ip_alone(c, s))
		return wall_stack_of_ip(&c->stacks, rec, s);
	id = !r->has_chain ? wall_stack_of(&c->stacks, rec, s) :
	     wall_stack_of_chain(&c->stacks, rec, s, wall_ready_chain(b, r), r->nr, r->hash);
	if (wall_kind_leaves(c->event[s->event->idx].kind))
		id = wall_stack_left(&c->stacks, id);
	return c->stacks.has_probes ? with_callers(c, s, id) : id;
}

/* the first rule for the name of the sample's thread */
static u8 name_rule(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	const struct machine *m = c->resolver.session->machine;
	struct sample_ctx ctx = locator_sample_ctx(&c->resolver.locator, c->resolver.session, s, rec);
	u32 comm = machine_comm_id(m, ctx.thread, ctx.when);

	if (comm == ID_NONE)
		return WALL_NO_RULE;
	while (c->name_rule.nr <= comm)
		vec_push(&c->name_rule, 0);
	if (!c->name_rule.v[comm])
		c->name_rule.v[comm] = wall_rule_of_thread(machine_comm_name(m, comm)) + 1;
	return c->name_rule.v[comm] - 1;
}

static enum wall_wait wait_of(struct wall_copy *c, const struct rec *rec, const struct sample *s, u32 stack,
			      char letter, const u64 *arg)
{
	enum wall_wait wait = wall_stack_wait(&c->stacks, stack, letter, arg);

	return wait == WALL_WAIT_FUTEX ? wall_stack_futex(&c->stacks, stack, name_rule(c, rec, s)) : wait;
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
		wait = wait_of(c, rec, s, e.stack, letter, arg);
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

/* a thread that waits for a futex, of which the program's part of the stack may say that it is a join */
static const struct wall_thread *futex_waiter(struct wall_copy *c, s32 tid)
{
	const struct wall_thread *t = wall_asleep(&c->wall, tid);

	return t && (t->wait == WALL_WAIT_FUTEX || t->wait == WALL_WAIT_JOIN) ? t : NULL;
}

/* a thread that ends wakes who has a futex for that */
static void note_join(struct wall_copy *c, s32 tid, s32 waker)
{
	if (waker > 0 && futex_waiter(c, tid))
		wall_wait_was(&c->wall, tid, WALL_WAIT_JOIN, wall_target_of_thread(&c->targets, waker));
}

/* an interrupt ends no wait for a futex: its time has run out */
static void note_timeout(struct wall_copy *c, s32 tid)
{
	const struct wall_thread *t = wall_asleep(&c->wall, tid);

	if (t && wall_arg_explains(WALL_ARG_LOCK, t->wait))
		wall_wait_was(&c->wall, tid, WALL_WAIT_TIMER, t->target);
}

static bool wakes_by_its_end(struct wall_copy *c, const struct rec *rec, const struct sample *s, s32 tid)
{
	const struct wall_thread *t = futex_waiter(c, tid);

	return t && (t->wait == WALL_WAIT_JOIN ||
		     wall_stack_waker_wait(&c->stacks, stack_of(c, rec, s)) == WALL_WAIT_JOIN);
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
	if (interrupt)
		note_timeout(c, tid);
	else if (wakes_by_its_end(c, rec, s, tid))
		note_join(c, tid, s->tid);
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
		wait = wait_of(c, rec, s, e.stack, raw.letter,
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
	if (woken && raw.flags & WALL_RAW_BY_INTERRUPT)
		note_timeout(c, raw.next_tid);
	else if (woken && raw.flags & WALL_RAW_BY_END)
		note_join(c, raw.next_tid, raw.waker_tid);
	if (woken)
		wall_woken(&c->wall, &e, woken, raw.flags & WALL_RAW_BY_INTERRUPT ? 0 : raw.waker_tid);
	if (raw.flags & WALL_RAW_NEXT_UNSEEN)
		wall_unseen(&c->wall, &e);
	if (!(raw.flags & WALL_RAW_MISSED))
		wall_arrive(&c->wall, &e);
}

/* of all that was before the exec of a command, only on which CPU it has begun counts */
static void note_before(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_switch_raw raw;

	if (c->event[s->event->idx].kind != KIND_BPF || !wall_raw_switch(rec, s, &raw))
		return;
	if (raw.flags & WALL_RAW_HAS_LEFT && (s32)s->tid == c->before.tid)
		c->before.tid = 0;
	if (raw.next_tid && !(raw.flags & WALL_RAW_MISSED)) {
		c->before.tid = raw.next_tid;
		c->before.cpu = s->cpu;
	}
}

/* what the beginning and the end of a sum of waits say more of it */
static enum wall_wait wait_of_sum(struct wall_copy *c, const struct wall_slot_raw *raw, enum wall_wait wait,
				  struct wall_event *e)
{
	if (!raw->letter)
		return WALL_WAIT_EARLIER;
	if (raw->flags & WALL_SLOT_BY_INTERRUPT)
		return wall_arg_explains(WALL_ARG_LOCK, wait) ? WALL_WAIT_TIMER : wait;
	if (!(raw->flags & WALL_SLOT_BY_END) || (wait != WALL_WAIT_FUTEX && wait != WALL_WAIT_JOIN))
		return wait;
	e->target = wall_target_of_thread(&c->targets, raw->waker_tid);
	return WALL_WAIT_JOIN;
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
	wait = wait_of(c, rec, s, e.stack, raw.letter,
		       arg_of_raw(c, s, sizeof(raw), raw.arg, &arg));
	if (raw.letter)
		e.target = target_of_raw(c, rec, s, &e, wait, raw.arg, sizeof(raw));
	wait = wait_of_sum(c, &raw, wait, &e);
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

/* a thread that slept when the recording began or ended */
static void take_mark(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_event e = event_of(s, stack_of(c, rec, s));
	struct wall_mark_raw raw;
	enum wall_wait wait;
	u64 arg;

	e.cpu = UINT32_MAX;
	if (!wall_raw_mark(rec, s, &raw))
		return;
	arg = raw.arg[0] | (u64)raw.arg[1] << 32;
	wait = wait_of(c, rec, s, e.stack, raw.letter, &arg);
	e.target = target_of_raw(c, rec, s, &e, wait, raw.arg, sizeof(raw));
	wall_seen_asleep(&c->wall, &e, wait);
}

/* a page fault is complete */
static void take_fault(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct sample_ctx ctx = locator_sample_ctx(&c->resolver.locator, c->resolver.session, s, rec);

	u32 target = wall_target_of_fault(&c->targets, &ctx, s->addr);

	if (wall_faults_complete(&c->faults, s->tid, target))
		c->summary.nr_unmapped += !target;
}

void wall_take_sample(struct wall_copy *c, const struct rec *rec, const struct sample *s)
{
	struct wall_event e;

	c->begun |= !c->at_exec && c->event[s->event->idx].kind != KIND_OTHER;
	if (!c->begun) {
		note_before(c, rec, s);
		return;
	}
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
	case KIND_MARK:
		if (!c->sums.on)
			take_mark(c, rec, s);
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

void wall_take_switch_record(struct wall_copy *c, const struct rec *rec, const struct sample *s)
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

void wall_take_side_band(struct wall_copy *c, const struct rec *rec, const struct sample *s, u64 time)
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
		if (!c->begun && c->before.tid == e.tid && e.cpu == UINT32_MAX)
			e.cpu = c->before.cpu;
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
