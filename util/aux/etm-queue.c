/* Elements of a CoreSight trace that the processor may still take back: a ring, the oldest first. */
#include "etm-walk.h"

static bool is_p0(const struct etm_packet *p)
{
	return p->type == ETM_ATOM || p->type == ETM_EXCEPT || p->type == ETM_Q || p->type == ETM_SRC_ADDR ||
	       p->type == ETM_FUNC_RET;
}

static struct etm_packet *at_queue(struct etm_walk *e, u32 i)
{
	return &e->queue[(e->first + i) % ETM_QUEUE];
}

static void take_first(struct etm_walk *e)
{
	const struct etm_packet *p = at_queue(e, 0);

	etm_take(e, p);
	e->nr_p0 -= is_p0(p);
	e->first = (e->first + 1) % ETM_QUEUE;
	e->nr--;
}

void etm_queue_commit(struct etm_walk *e, u64 nr)
{
	u64 before = MIN(nr, e->skip);
	u32 keep = e->nr_p0 - MIN(nr - before, (u64)e->nr_p0);

	e->skip -= before;
	while (e->nr && (e->nr_p0 > keep || !is_p0(at_queue(e, 0))))
		take_first(e);
}

void etm_queue_cancel(struct etm_walk *e, u64 nr)
{
	u32 keep = e->nr_p0 - MIN(nr, (u64)e->nr_p0);

	while (e->nr && e->nr_p0 > keep) {
		e->nr--;
		e->nr_p0 -= is_p0(at_queue(e, e->nr));
	}
}

void etm_queue_mispredict(struct etm_walk *e)
{
	for (u32 i = e->nr; i-- > 0;) {
		struct etm_packet *p = at_queue(e, i);

		if (p->type != ETM_ATOM)
			continue;
		p->atoms ^= 1;
		return;
	}
}

void etm_queue_add(struct etm_walk *e, const struct etm_packet *p)
{
	if (!e->nr && !is_p0(p))
		return etm_take(e, p);
	if (e->nr == ETM_QUEUE)
		take_first(e);
	*at_queue(e, e->nr++) = *p;
	e->nr_p0 += is_p0(p);
	if (e->nr_p0 + e->skip > e->unit->c.max_spec)
		etm_queue_commit(e, e->nr_p0 + e->skip - e->unit->c.max_spec);
}

void etm_set_count(struct etm_walk *e, u64 insns, bool known, u64 cycles)
{
	struct pt_walk *w = &e->w;

	w->counted = insns;
	if (e->counts && known)
		w->cycles = w->time.all_cycles += cycles;
	for (u32 i = 0; i < ARRAY_SIZE(w->told) && !(e->counts && known); i++) {
		w->told[i].insns = insns;
		w->told[i].cycles = w->cycles;
	}
}

void etm_take_count(struct etm_walk *e, const struct etm_packet *p)
{
	struct pt_walk *w = &e->w;

	etm_queue_commit(e, p->commits);
	etm_set_count(e, w->insns + (e->indirect ? e->indirect->nr : 0), p->has_count,
		      (u64)p->count + e->threshold);
	e->counts = w->at || w->at_ip || e->indirect;
}
