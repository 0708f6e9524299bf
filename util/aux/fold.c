/* Fold: see fold.h. */
#include "fold.h"
#include "../base/hash.h"
#include "../machine/locator.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define FULL 16384u		/* rows */

/* what is equal in samples that are one record, and how many there are of each event */
struct fold_row {
	u64 ip, delta;		/* and from there to the address in the dso */
	u64 time;		/* of the first one */
	s32 pid, tid;
	u32 comm, dso;
	u32 running;		/* tasks at that time; 0: nobody asks */
	u32 cpu;
	u8 cpumode;
	u32 nr[];		/* by event, aux_fold.nr_events of them */
};

struct aux_fold {
	const struct aux *a;
	struct locator locator;
	u64 period[AUX_EVENTS_MAX];	/* of one sample */
	u32 nr_events;
	size_t size;			/* of a row */
	char *row;
	u32 nr, room;
	struct hidx by_hash;
	size_t hint;			/* of a->running */
	struct aux_span span;
};

bool aux_fold_possible(const struct aux *a)
{
	const struct evset *set = a->data->evset;
	bool times = set->ev.nr > 0;

	vec_foreach(&set->ev, ev)
		times &= ((*ev)->attr.sample_type & PERF_SAMPLE_TIME) != 0;
	return a->opts.sums && !a->opts.skip && times;
}

struct aux_fold *aux_fold_new(const struct aux *a)
{
	struct aux_fold *f = xcalloc(1, sizeof(*f));

	f->a = a;
	locator_init(&f->locator, a->machine);
	for (u32 i = 0; i < AUX_EVENTS_MAX; i++) {
		if (!a->event[i].on)
			continue;
		f->period[i] = evset_at(a->data->evset, a->event[i].idx)->attr.sample_period;
		f->nr_events = (i + 4) & ~3u;	/* count_events() takes four */
	}
	f->size = (sizeof(struct fold_row) + f->nr_events * sizeof(u32) + 7) & ~(size_t)7;
	f->span = (struct aux_span){ UINT64_MAX, 0 };
	return f;
}

void aux_fold_free(struct aux_fold *f)
{
	if (!f)
		return;
	locator_release(&f->locator);
	hidx_release(&f->by_hash);
	free(f->row);
	free(f);
}

static struct fold_row *row_at(const struct aux_fold *f, u32 id)
{
	return (struct fold_row *)(f->row + id * f->size);
}

static inline bool same_row(const struct fold_row *a, const struct fold_row *b)
{
	return a->ip == b->ip && a->tid == b->tid && a->comm == b->comm && a->dso == b->dso &&
	       a->delta == b->delta && a->pid == b->pid && a->cpumode == b->cpumode &&
	       a->running == b->running;
}

static struct fold_row *add_row(struct aux_fold *f, const struct fold_row *like, u64 hash)
{
	struct fold_row *r;

	if (f->nr == f->room) {
		f->room = MAX(f->room * 2, 1024u);
		f->row = xreallocarray(f->row, f->room, f->size);
	}
	r = row_at(f, f->nr);
	/* an assignment would copy what pads the structure over nr[0], too */
	memset(r, 0, f->size);
	memcpy(r, like, offsetof(struct fold_row, nr));
	hidx_insert(&f->by_hash, hash, f->nr++);
	return r;
}

static struct fold_row *find_row(struct aux_fold *f, const struct fold_row *like)
{
	u64 hash = hash_u64(like->ip ^ (u64)(u32)like->tid << 40 ^ (u64)like->running << 32);
	u32 id;

	HIDX_FOREACH(&f->by_hash, hash, id) {
		struct fold_row *r = row_at(f, id);

		if (likely(same_row(r, like)))
			return r;
	}
	return add_row(f, like, hash);
}

/* for -O2, at which compilers make a loop of four additions */
typedef u32 four_u32 __attribute__((vector_size(16), aligned(4), may_alias));

/* four at a time, without a branch for each */
static inline void count_events(struct fold_row *r, u32 nr, u32 events)
{
	static const u32 ones[16][4] = {
		{ 0, 0, 0, 0 }, { 1, 0, 0, 0 }, { 0, 1, 0, 0 }, { 1, 1, 0, 0 },
		{ 0, 0, 1, 0 }, { 1, 0, 1, 0 }, { 0, 1, 1, 0 }, { 1, 1, 1, 0 },
		{ 0, 0, 0, 1 }, { 1, 0, 0, 1 }, { 0, 1, 0, 1 }, { 1, 1, 0, 1 },
		{ 0, 0, 1, 1 }, { 1, 0, 1, 1 }, { 0, 1, 1, 1 }, { 1, 1, 1, 1 },
	};

	for (u32 i = 0; i < nr; i += 4, events >>= 4)
		*(four_u32 *)&r->nr[i] += *(const four_u32 *)ones[events & 15];
}

static inline u32 running_at(struct aux_fold *f, u64 time)
{
	const struct aux_running *r = &f->a->running;

	return r->fn ? r->fn(r->ctx, time, &f->hint) : 0;
}

void aux_fold_add(struct aux_fold *f, u32 events, const struct aux_sample *s)
{
	const struct locator_region *region;
	struct fold_row key, *r;
	struct sample_ctx ctx;

	if (!events)
		return;
	/* records that are made lie after all records of the file */
	locator_ctx(&f->locator, s->pid, s->tid, (struct when){ s->time, UINT64_MAX }, &ctx);
	region = locator_region(&f->locator, &ctx, s->cpumode, s->ip);
	key = (struct fold_row){
		.ip = s->ip, .delta = region->delta, .dso = region->dso, .time = s->time,
		.tid = s->tid, .pid = s->pid >= 0 || s->tid < 0 || !ctx.thread ? s->pid : ctx.thread->pid,
		.comm = machine_comm_or_first(f->a->machine, ctx.thread, ctx.when), .cpu = s->cpu,
		.cpumode = s->cpumode, .running = running_at(f, s->time),
	};
	r = find_row(f, &key);
	count_events(r, f->nr_events, events);
	f->span.from = MIN(f->span.from, s->time);
	f->span.to = MAX(f->span.to, s->time);
}

bool aux_fold_full(const struct aux_fold *f)
{
	return f->nr >= FULL;
}

static void write_row(const struct aux_fold *f, const struct fold_row *r, struct aux_out *out)
{
	struct aux_sample s = { .ip = r->ip, .time = r->time, .pid = r->pid, .tid = r->tid, .cpu = r->cpu,
				.cpumode = r->cpumode };

	for (u32 i = 0; i < f->nr_events; i++) {
		if (!r->nr[i])
			continue;
		s.times = r->nr[i];
		s.period = f->period[i] * s.times;
		aux_out_sample(out, &f->a->event[i], &s);
		out->nr[i] += s.times - 1;
		out->folded += s.times - 1;
	}
}

void aux_fold_write(struct aux_fold *f, struct aux_out *out)
{
	for (u32 i = 0; i < f->nr; i++)
		write_row(f, row_at(f, i), out);
	out->span.from = MIN(out->span.from, f->span.from);
	out->span.to = MAX(out->span.to, f->span.to);
	f->nr = 0;
	hidx_release(&f->by_hash);
}
