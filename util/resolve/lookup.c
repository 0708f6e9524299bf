/* Look-up: see lookup.h. */
#include "lookup.h"

#include <stdlib.h>

/* two per cache line */
struct lookup_slot {
	u64 ip, from, to;
	u32 maps : 31, caller : 1;
	u32 frame : 29, mode : 3;	/* as in the index of frames */
};
#define LOOKUP_BITS 14

/* an address that the cache did not know, and what is there */
struct lookup_miss {
	u64 addr;
	u64 from, to;
	u64 hash;		/* of the frame */
	u32 dso, pos;		/* pos: in the batch */
};

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso)
{
	l->locator = locator;
	l->by_dso = by_dso;
	l->slot = xcalloc_hot(1u << LOOKUP_BITS, sizeof(*l->slot));
	for (u32 i = 0; i < 1u << LOOKUP_BITS; i++)
		l->slot[i].from = UINT64_MAX;
}

/* all address spaces share one kernel */
static u32 maps_of(const struct lookup_ip *q)
{
	return q->mode == CPUMODE_KERNEL ? 0 : q->ctx->maps;
}

static struct lookup_slot *slot_of(const struct lookup *l, const struct lookup_ip *q)
{
	return &l->slot[hash_u64(q->ip ^ (u64)maps_of(q) << 40) >> (64 - LOOKUP_BITS)];
}

static inline bool slot_holds(const struct lookup_slot *s, const struct lookup_ip *q)
{
	return s->ip == q->ip && s->maps == maps_of(q) && s->mode == q->mode && s->caller == q->caller &&
	       q->ctx->when.time > s->from &&
	       q->ctx->when.time < s->to;
}

static void locate(const struct lookup *l, const struct lookup_ip *q, struct lookup_miss *m)
{
	const struct locator_region *r = locator_region(l->locator, q->ctx, q->mode, q->ip);

	m->from = r->from;
	m->to = r->to;
	m->dso = r->dso;
	m->addr = l->by_dso ? 0 : q->ip + r->delta;
}

static u32 take_miss(struct lookup *l, const struct lookup_ip *q, const struct lookup_miss *m)
{
	const struct frame f = { .dso = m->dso, .cpumode = q->mode, .addr = m->addr,
				 .caller = q->caller && m->dso != ID_NONE && !l->by_dso,
				 .ip = l->by_dso ? 0 : q->ip };
	u32 frame = frames_add(&l->frames, &f);

	*slot_of(l, q) = (struct lookup_slot){ .ip = q->ip, .maps = maps_of(q), .mode = q->mode,
		.caller = q->caller, .from = m->from, .to = m->to, .frame = frame };
	return frame;
}

u32 lookup_one(struct lookup *l, const struct lookup_ip *q, u64 *from, u64 *to)
{
	struct lookup_slot *s = slot_of(l, q);
	struct lookup_miss m;

	if (!slot_holds(s, q)) {
		locate(l, q, &m);
		take_miss(l, q, &m);
	}
	*from = MAX(*from, s->from);
	*to = MIN(*to, s->to);
	return s->frame;
}

static u32 lookup_anywhere(struct lookup *l, struct lookup_ip q)
{
	u64 from = 0, to = UINT64_MAX;
	u32 frame;

	q.mode = CPUMODE_USER;
	frame = lookup_one(l, &q, &from, &to);
	if (blocks_at(&l->frames.frame, frame)->dso != ID_NONE)
		return frame;
	q.mode = CPUMODE_KERNEL;
	return lookup_one(l, &q, &from, &to);
}

void lookup_add(struct lookup *l, const struct lookup_ip *q)
{
	__builtin_prefetch(slot_of(l, q));
	vec_push(&l->ip, *q);
}

void lookup_run(struct lookup *l)
{
	vec_reserve(&l->frame, l->ip.nr);
	l->frame.nr = l->ip.nr;
	l->miss.nr = 0;
	for (u32 i = 0; i < l->ip.nr; i++) {
		const struct lookup_ip *q = &l->ip.v[i];
		const struct lookup_slot *s = slot_of(l, q);
		struct lookup_miss m = { .pos = i };

		if (unlikely(q->mode == LOOKUP_ANY)) {
			l->frame.v[i] = lookup_anywhere(l, *q);
		} else if (slot_holds(s, q)) {
			l->frame.v[i] = s->frame;
		} else {
			locate(l, q, &m);
			m.hash = frame_hash(m.dso, m.addr);
			frames_prefetch_slot(&l->frames, m.hash);
			vec_push(&l->miss, m);
		}
	}
	vec_foreach(&l->miss, m)
		frames_prefetch(&l->frames, m->hash);
	vec_foreach(&l->miss, m)
		l->frame.v[m->pos] = take_miss(l, &l->ip.v[m->pos], m);
}

void lookup_finish(struct lookup *l)
{
	free(l->slot);
	l->slot = NULL;
	vec_release(&l->ip);
	vec_release(&l->frame);
	vec_release(&l->miss);
}
