/* Fold: see fold.h. */
#include "fold.h"
#include "../base/hash.h"
#include "../machine/locator.h"

#include <stdlib.h>
#include <string.h>

#define FULL 16384u		/* rows */
#define WAITING 16u		/* samples that wait for their rows to be in the processor's cache */

/* what is equal in samples that are one record, and how many there are of each event */
struct fold_key {
	u64 ip, delta;		/* and from there to the address in the dso */
	u64 time;		/* of the first one */
	s32 pid, tid;
	u32 comm, dso;
	u32 running;		/* tasks at that time; 0: nobody asks */
	u32 cpu;
	u8 cpumode;
};

struct fold_row {
	struct fold_key key;
	u32 nr[];		/* by event, aux_fold.nr_events of them */
};

struct fold_waiting {
	struct fold_key key;
	u64 hash;
	u32 events;
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
	u32 nr_waiting;
	struct fold_waiting waiting[WAITING];
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

static inline bool same_key(const struct fold_key *a, const struct fold_key *b)
{
	return a->ip == b->ip && a->tid == b->tid && a->comm == b->comm && a->dso == b->dso &&
	       a->delta == b->delta && a->pid == b->pid && a->cpumode == b->cpumode &&
	       a->running == b->running;
}

static struct fold_row *add_row(struct aux_fold *f, const struct fold_key *key, u64 hash)
{
	struct fold_row *r;

	if (f->nr == f->room) {
		f->room = MAX(f->room * 2, 1024u);
		f->row = xreallocarray(f->row, f->room, f->size);
	}
	r = row_at(f, f->nr);
	memset(r, 0, f->size);
	r->key = *key;
	hidx_insert(&f->by_hash, hash, f->nr++);
	return r;
}

static struct fold_row *find_row(struct aux_fold *f, const struct fold_key *key, u64 hash)
{
	u32 id;

	HIDX_FOREACH(&f->by_hash, hash, id) {
		struct fold_row *r = row_at(f, id);

		if (likely(same_key(&r->key, key)))
			return r;
	}
	return add_row(f, key, hash);
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

/* rows are at random places of a megabyte or more: all are fetched before the first one is looked at */
static void add_waiting(struct aux_fold *f)
{
	u32 id;

	for (u32 i = 0; i < f->nr_waiting; i++) {
		id = hidx_first(&f->by_hash, f->waiting[i].hash);
		if (id == HIDX_NONE)
			continue;
		__builtin_prefetch(row_at(f, id));
		__builtin_prefetch(row_at(f, id)->nr, 1);
	}
	for (u32 i = 0; i < f->nr_waiting; i++) {
		const struct fold_waiting *w = &f->waiting[i];

		count_events(find_row(f, &w->key, w->hash), f->nr_events, w->events);
	}
	f->nr_waiting = 0;
}

static inline u32 running_at(struct aux_fold *f, u64 time)
{
	const struct aux_running *r = &f->a->running;

	return r->fn ? r->fn(r->ctx, time, &f->hint) : 0;
}

void aux_fold_add(struct aux_fold *f, u32 events, u64 ip, u64 time, s32 pid, s32 tid, u32 cpu, u8 cpumode)
{
	struct fold_waiting *w = &f->waiting[f->nr_waiting];
	const struct locator_region *region;
	struct sample_ctx ctx;

	if (!events)
		return;
	/* records that are made lie after all records of the file */
	locator_ctx(&f->locator, pid, tid, (struct when){ time, UINT64_MAX }, &ctx);
	region = locator_region(&f->locator, &ctx, cpumode, ip);
	w->key = (struct fold_key){
		.ip = ip, .delta = region->delta, .dso = region->dso, .time = time,
		.tid = tid, .pid = pid >= 0 || tid < 0 || !ctx.thread ? pid : ctx.thread->pid,
		.comm = machine_comm_or_first(f->a->machine, ctx.thread, ctx.when), .cpu = cpu,
		.cpumode = cpumode, .running = running_at(f, time),
	};
	w->hash = hash_u64(ip ^ (u64)(u32)tid << 40 ^ (u64)w->key.running << 32);
	w->events = events;
	hidx_prefetch(&f->by_hash, w->hash);
	if (++f->nr_waiting == WAITING)
		add_waiting(f);
	f->span.from = MIN(f->span.from, time);
	f->span.to = MAX(f->span.to, time);
}

bool aux_fold_full(const struct aux_fold *f)
{
	return f->nr >= FULL;
}

static void write_row(const struct aux_fold *f, const struct fold_row *r, struct aux_out *out)
{
	const struct fold_key *k = &r->key;
	struct aux_sample s = { .ip = k->ip, .time = k->time, .pid = k->pid, .tid = k->tid, .cpu = k->cpu,
				.cpumode = k->cpumode };

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
	add_waiting(f);
	for (u32 i = 0; i < f->nr; i++)
		write_row(f, row_at(f, i), out);
	out->span.from = MIN(out->span.from, f->span.from);
	out->span.to = MAX(out->span.to, f->span.to);
	f->nr = 0;
	hidx_release(&f->by_hash);
}
