/* Look-up: see lookup.h. */
#include "lookup.h"

#include <stdlib.h>
#include <string.h>

/* the frame of the addresses of a dso from lo on, below hi; two per cache line */
struct lookup_slot {
	u64 lo, hi;
	u64 ip;			/* the smallest at which lo was seen, if it is the only address */
	u32 dso;		/* ID_NONE: free */
	u32 frame : LOOKUP_FRAME_BITS, caller : 1;
};
#define LOOKUP_BITS 14
#define SYMBOL_BITS 12		/* with symbols, fewer slots are enough */
#define SYMBOL_SHIFT 5u		/* with symbols, addresses share a slot, because they mostly have one frame */

/* an address that the cache did not know: its frame, and the slot that will know it */
struct lookup_miss {
	struct lookup_place frame;
	struct lookup_slot slot, *to;
	u64 hash;
	u32 pos;		/* in the batch */
};

static void make_slots(struct lookup *l, u32 bits)
{
	l->slot_shift = 64 - bits;
	l->slot = xreallocarray(l->slot, 1u << bits, sizeof(*l->slot));
	memset(l->slot, 0, sizeof(*l->slot) << bits);
	for (u32 i = 0; i < 1u << bits; i++)
		l->slot[i].dso = ID_NONE;
}

void lookup_init(struct lookup *l, struct locator *locator, bool by_dso)
{
	l->locator = locator;
	l->by_dso = by_dso;
	make_slots(l, LOOKUP_BITS);
}

void lookup_by_symbol(struct lookup *l, const struct symbol_frames *symbols, u32 nr_dsos)
{
	l->symbols = symbols;
	l->shift = SYMBOL_SHIFT;
	make_slots(l, SYMBOL_BITS);
	l->unnamed = xreallocarray(NULL, nr_dsos + 1, sizeof(*l->unnamed));
	for (u32 d = 0; d < nr_dsos; d++)
		l->unnamed[d] = UINT64_MAX;
}

static struct lookup_slot *slot_of(const struct lookup *l, const struct lookup_place *p)
{
	return &l->slot[hash_u64((p->addr >> l->shift) ^ (u64)p->dso << 40) >> l->slot_shift];
}

static inline bool slot_holds(const struct lookup_slot *s, const struct lookup_place *p)
{
	return s->dso == p->dso && p->addr - s->lo < s->hi - s->lo && s->caller == p->caller;
}

static inline bool is_unmapped(const struct lookup *l, const struct lookup_place *p)
{
	return p->dso == ID_NONE && p->mode == CPUMODE_USER && !l->by_dso;
}

static inline const struct locator_region *locate(const struct lookup *l, const struct lookup_ip *q,
						  struct lookup_place *ret)
{
	u8 mode = unlikely(q->mode == LOOKUP_ANY) ? CPUMODE_USER : q->mode;
	const struct locator_region *r = locator_region(l->locator, q->ctx, mode, q->ip);

	if (unlikely(q->mode == LOOKUP_ANY && r->dso == ID_NONE)) {
		mode = CPUMODE_KERNEL;
		r = locator_region(l->locator, q->ctx, mode, q->ip);
	}
	ret->ip = q->ip;
	ret->addr = l->by_dso ? 0 : q->ip + r->delta;
	ret->dso = r->dso;
	ret->mode = mode;
	ret->caller = q->caller && r->dso != ID_NONE && !l->by_dso;
	return r;
}

/* the symbol of an address in a file, and the addresses around with the same answer */
static u32 find_symbol(const struct symbols *s, const struct lookup_place *p, struct symvec_span *ret)
{
	u32 sym;
	u64 code;

	if (!p->caller)
		return symbols_find_span(s, p->dso, p->addr, ret);
	sym = symbols_find_span(s, p->dso, p->addr - 1, ret);
	ret->lo++;
	if (p->addr && p->addr < ret->hi)
		return sym;
	*ret = (struct symvec_span){ p->addr, p->addr + 1 };
	return symbols_find_call(s, p->dso, p->addr, &code);
}

/* a frame for all addresses with the same symbol */
static void take_symbol(const struct lookup *l, struct lookup_miss *m)
{
	struct lookup_place *p = &m->frame;
	struct symvec_span span;
	u32 sym = find_symbol(l->symbols->symbols, p, &span);

	m->slot.lo = span.lo;
	m->slot.hi = span.hi;
	m->slot.ip = 0;
	if (sym != ID_NONE)
		p->addr = symbols_start(l->symbols->symbols, p->dso, sym);
	else if (l->unnamed[p->dso] == UINT64_MAX)
		l->unnamed[p->dso] = p->addr;
	else
		p->addr = l->unnamed[p->dso];
	p->caller = false;
}

static void miss_init(struct lookup_miss *m, const struct lookup *l, const struct lookup_place *p)
{
	m->frame = *p;
	m->to = slot_of(l, p);
	m->slot = (struct lookup_slot){ .lo = p->addr, .hi = p->addr + 1, .ip = p->ip, .dso = p->dso,
					.caller = p->caller };
	if (l->symbols && l->symbols->ready[p->dso])
		take_symbol(l, m);
	m->hash = frame_hash(m->frame.dso, m->frame.addr);
}

static u32 add_frame(struct lookup *l, const struct lookup_place *p)
{
	return frames_add(&l->frames, &(struct frame){ .dso = p->dso, .cpumode = p->mode, .addr = p->addr,
						       .caller = p->caller, .ip = l->by_dso ? 0 : p->ip });
}

static u32 take_miss(struct lookup *l, struct lookup_miss *m)
{
	m->slot.frame = add_frame(l, &m->frame);
	*m->to = m->slot;
	return m->slot.frame;
}

static inline u32 slot_frame(struct lookup *l, struct lookup_slot *s, const struct lookup_place *p)
{
	if (unlikely(p->ip < s->ip)) {
		s->ip = p->ip;
		add_frame(l, p);
	}
	return s->frame;
}

u32 lookup_one(struct lookup *l, const struct lookup_ip *q, u64 *from, u64 *to)
{
	struct lookup_place p;
	const struct locator_region *r = locate(l, q, &p);
	struct lookup_slot *s = slot_of(l, &p);
	struct lookup_miss m;

	*from = MAX(*from, r->from);
	*to = MIN(*to, r->to);
	if (p.dso == ID_NONE)
		return add_frame(l, &p);
	if (slot_holds(s, &p))
		return slot_frame(l, s, &p);
	miss_init(&m, l, &p);
	return take_miss(l, &m);
}

void lookup_add(struct lookup *l, const struct lookup_ip *q)
{
	struct lookup_place *p;

	vec_reserve(&l->ip, l->ip.nr + 1);
	p = &l->ip.v[l->ip.nr++];
	locate(l, q, p);
	if (p->dso != ID_NONE)
		__builtin_prefetch(slot_of(l, p));
}

static void find_frame(struct lookup *l, u32 pos)
{
	const struct lookup_place *p = &l->ip.v[pos];
	struct lookup_slot *s;
	struct lookup_miss *m;

	if (p->dso == ID_NONE) {
		l->frame.v[pos] = is_unmapped(l, p) ? LOOKUP_UNMAPPED : add_frame(l, p);
		return;
	}
	s = slot_of(l, p);
	if (likely(slot_holds(s, p))) {
		l->frame.v[pos] = slot_frame(l, s, p);
		return;
	}
	vec_reserve(&l->miss, l->miss.nr + 1);
	m = &l->miss.v[l->miss.nr++];
	miss_init(m, l, p);
	m->pos = pos;
	frames_prefetch_slot(&l->frames, m->hash);
}

void lookup_run(struct lookup *l)
{
	vec_reserve(&l->frame, l->ip.nr);
	l->frame.nr = l->ip.nr;
	l->miss.nr = 0;
	for (u32 i = 0; i < l->ip.nr; i++)
		find_frame(l, i);
	vec_foreach(&l->miss, m)
		frames_prefetch(&l->frames, m->hash);
	vec_foreach(&l->miss, m)
		l->frame.v[m->pos] = take_miss(l, m);
}

u32 lookup_frame(struct lookup *l, u32 pos)
{
	struct lookup_place p;
	u32 frame = l->frame.v[pos];

	if (likely(frame != LOOKUP_UNMAPPED))
		return frame;
	p = l->ip.v[pos];
	p.addr = p.ip;
	return add_frame(l, &p);
}

void lookup_finish(struct lookup *l)
{
	free(l->slot);
	free(l->unnamed);
	l->slot = NULL;
	l->unnamed = NULL;
	vec_release(&l->ip);
	vec_release(&l->frame);
	vec_release(&l->miss);
}
