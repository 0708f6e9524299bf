/* Wall-samples: see wall-samples.h. */
#include "wall-samples.h"
#include "inject-private.h"
#include "wall-feed.h"
#include "wall-no-stack.h"
#include "../data/features-write.h"

#include <linux/perf_event.h>

#define RECORDS_BYTES (256u << 10)

static void write_records(struct wall_samples *w, struct strbuf *records)
{
	struct strbuf empty = w->in->buf;

	if (w->in->live) {
		wall_feed_samples(w->in->live, records);
		return;
	}
	w->in->buf = *records;
	if (!w->error)
		w->error = inject_flush(w->in);
	*records = w->in->buf;
	strbuf_reset(records);
	w->in->buf = empty;
}

/* once, before the first slice of them */
static void name_no_stacks(struct wall_samples *w)
{
	if (!w->named_no_stacks)
		wall_no_stack_put_names(w->in, &w->records);
	w->named_no_stacks = true;
}

/* a file with a single event need not have ids: then it becomes the event of slices */
void wall_samples_start(struct wall_samples *w)
{
	const u64 ids = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER;
	const struct pe_attr like = evset_at(w->in->set, 0)->attr;
	struct strbuf formats = STRBUF_INIT;
	struct inject *in = w->in;
	struct event *ev;

	if (in->live) {
		w->event = in->live->out;
		w->id = in->live->id;
		/* the machine must know them before it is asked */
		name_no_stacks(w);
		write_records(w, &w->records);
		return;
	}
	vec_foreach(&in->set->id_val, id)
		w->id = MAX(w->id, *id + 1);
	if (like.sample_type & ids) {
		ev = evset_add(in->set, WALL_EVENT_NAME);
		evset_set_ids(in->set, ev, &w->id, 1);
	} else {
		ev = evset_at(in->set, 0);
		ev->name = WALL_EVENT_NAME;
	}
	wall_event_set(ev, &like);
	w->event = ev;
	wall_event_formats(&formats);
	in->feat.tracing_data.data = arena_memdup(&in->arena, formats.buf, formats.len);
	in->feat.tracing_data.size = formats.len;
	feature_set(&in->feat, FEAT_TRACING_DATA);
	strbuf_release(&formats);
}

void wall_samples_flush(struct wall_samples *w, u64 time)
{
	write_records(w, &w->records);
	write_records(w, &w->sums.records);
	wall_sums_reset(&w->sums, time);
}

/* good until the next call */
static const char *name_waker(struct wall_samples *w, s32 waker, u64 time)
{
	struct sample_ctx ctx;

	if (waker <= 0)
		return waker ? "" : "interrupt";
	locator_ctx(&w->r->locator, -1, waker, (struct when){ time, UINT64_MAX }, &ctx);
	strbuf_reset(&w->waker);
	strbuf_addstr(&w->waker, machine_comm(w->r->session->machine, &ctx));
	strbuf_addch(&w->waker, ':');
	strbuf_add_u64(&w->waker, waker, 0);
	return strbuf_str(&w->waker);
}

static void put_sample(struct wall_samples *w, struct wall_sample *s, const struct wall_sum_key *key)
{
	struct strbuf *out;
	struct sample_ctx ctx;
	size_t start;

	s->is_sum = w->in->opts->wall_sums;
	s->speed = w->speed;
	if (key->stack != WALL_NO_STACK && !s->chain)
		s->chain = wall_stack_chain(w->stacks, key->stack, &s->nr_chain);
	if (!s->nr_chain) {
		name_no_stacks(w);
		s->chain = wall_no_stack_chain(s->state, s->waker_tid);
		s->nr_chain = WALL_NO_STACK_FRAMES;
	}
	if (s->pid < 0) {
		locator_ctx(&w->r->locator, -1, s->tid, (struct when){ s->time, UINT64_MAX }, &ctx);
		s->pid = ctx.thread ? ctx.thread->pid : s->tid;
	}
	out = s->is_sum ? &w->sums.records : &w->records;
	start = out->len;
	if (!wall_event_put(out, w->event, w->id, s))
		w->nr_dropped++;
	else if (s->is_sum)
		wall_sums_keep(&w->sums, key, start);
	if (w->records.len >= RECORDS_BYTES)
		write_records(w, &w->records);
}

static bool is_wanted(const struct wall_samples *w, enum wall_state state)
{
	return w->in->opts->wall & 1u << state && !w->error;
}

/* it is added to slices that are equal apart from their times; completes the key */
static bool is_added(struct wall_samples *w, struct wall_sum_key *key, const struct wall_sample *s)
{
	w->nr++;
	if (!w->in->opts->wall_sums)
		return false;
	key->begin = wall_sums_epoch(&w->sums, s->time);
	key->end = key->state == WALL_ON ? key->begin : wall_sums_epoch(&w->sums, s->time + s->ns);
	return wall_sums_add(&w->sums, w->event, key, s->ns);
}

void wall_samples_slice(struct wall_samples *w, const struct wall_slice *from)
{
	struct wall_sum_key key = {
		.pid = from->pid, .tid = from->tid, .cpu = from->cpu, .state = from->state,
		.wait = from->wait, .target = from->target,
		.waker = from->waker, .waker_stack = from->waker_stack,
		.stack = from->state == WALL_UNKNOWN ? WALL_NO_STACK : from->stack, .speed = w->speed,
	};
	/* pages take CPU time as that of a sample, which comes at its end */
	bool at_end = w->in->opts->wall_lanes && from->state == WALL_ON;
	struct wall_sample s = {
		.time = at_end ? from->end : from->begin, .ns = from->end - from->begin, .pid = from->pid,
		.tid = from->tid,
		.cpu = from->cpu, .state = from->state, .wait = from->wait, .waker_tid = from->waker,
	};

	if (!is_wanted(w, from->state) || is_added(w, &key, &s))
		return;
	s.waker = name_waker(w, from->waker, from->end);
	s.target = wall_target_text(w->targets, from->target);
	if (from->waker_stack != WALL_NO_STACK)
		s.chain = wall_wakers_join(w->wakers, w->in, w->r, &w->stacks->chains, from, &w->records,
					   &s.nr_chain);
	put_sample(w, &s, &key);
}

void wall_samples_run(struct wall_samples *w, const struct wall_run *run)
{
	struct wall_sum_key key = {
		.pid = run->pid, .tid = run->tid, .cpu = run->cpu, .state = WALL_ON, .waker = -1,
		.waker_stack = WALL_NO_STACK, .stack = run->stack, .speed = w->speed,
	};
	struct wall_sample s = { .time = run->time, .ns = run->ns, .pid = run->pid, .tid = run->tid,
				 .cpu = run->cpu, .state = WALL_ON, .waker_tid = -1 };

	if (is_wanted(w, WALL_ON) && !is_added(w, &key, &s))
		put_sample(w, &s, &key);
}

void wall_samples_release(struct wall_samples *w)
{
	strbuf_release(&w->waker);
	strbuf_release(&w->records);
	wall_sums_release(&w->sums);
}
