/* Sample plan: what is needed to decode the records of a set, computed once. */
#include "plan.h"

#include <stdlib.h>
#include <string.h>

/* number of slots before the one for bit in a SAMPLE record of this sample_type; -1 if it has no such slot */
static int slot_of(u64 type, u64 bit)
{
	int slot = 0;

	if (!(type & bit))
		return -1;
#define COUNT_SLOT(n) \
	do { \
		if (ABI_SAMPLE_##n == bit) \
			return slot; \
		slot += !!(type & ABI_SAMPLE_##n); \
	} while (0);
#define COUNT_U64(n)
#define COUNT_OWN(n)
#define SAMPLE_FIELD(name, bit, place, kind, ...) COUNT_##kind(name)
#include "sample-fields.def"
#undef SAMPLE_FIELD
	return -1;
}

/*
 * number of slots from the one for bit, itself included, to the end of a sample_id trailer; -1 if it has none
 */
static int trailer_slot_of(u64 type, u64 bit)
{
	static const u64 order[] = {	/* last first */
		ABI_SAMPLE_IDENTIFIER, ABI_SAMPLE_CPU, ABI_SAMPLE_STREAM_ID, ABI_SAMPLE_ID, ABI_SAMPLE_TIME,
		ABI_SAMPLE_TID
	};
	int slot = 0;

	if (!(type & bit))
		return -1;
	for (size_t i = 0; i < ARRAY_SIZE(order); i++) {
		slot += !!(type & order[i]);
		if (order[i] == bit)
			return slot;
	}
	return -1;
}

static void event_plan_init(struct event_plan *ep, const struct event *ev)
{
	u64 type = ev->attr.sample_type, id = ABI_SAMPLE_IDENTIFIER;

	if (!(type & id))
		id = ABI_SAMPLE_ID;
	ep->event = ev;
	ep->type = type;
	ep->time_slot = slot_of(type, ABI_SAMPLE_TIME);
	ep->time_trailer = trailer_slot_of(type, ABI_SAMPLE_TIME);
	ep->id_slot = slot_of(type, id);
	ep->id_trailer = trailer_slot_of(type, id);
	ep->only_raw = (type & ~ABI_SAMPLE_SLOTS) == ABI_SAMPLE_RAW;
	ep->usual_slots = (type & ABI_SAMPLE_SLOTS) == EVENT_PLAN_USUAL;
	ep->prefix_slots = __builtin_popcountll(type & ABI_SAMPLE_SLOTS);
	ep->trailer_slots = __builtin_popcountll(type & ABI_SAMPLE_TRAILER);
	ep->user_regs = __builtin_popcountll(ev->attr.sample_regs_user);
	ep->intr_regs = __builtin_popcountll(ev->attr.sample_regs_intr);
	ep->read_format = ev->attr.read_format;
	ep->hw_index = ev->attr.branch_sample_type & ABI_BRANCH_HW_INDEX;
	ep->branch_counters = ev->attr.branch_sample_type & ABI_BRANCH_COUNTERS;
	ep->id_all = ev->attr.flags & ATTR_SAMPLE_ID_ALL;
}

static void add_id_place(struct sample_plan *plan, const struct event_plan *ep)
{
	if (ep->id_slot < 0 || plan->nr_places == ARRAY_SIZE(plan->place))
		return;
	for (u32 i = 0; i < plan->nr_places; i++)
		if (plan->place[i].slot == ep->id_slot && plan->place[i].trailer == ep->id_trailer)
			return;
	plan->place[plan->nr_places].slot = ep->id_slot;
	plan->place[plan->nr_places++].trailer = ep->id_trailer;
}

/* The kernel ids of one recording are close together, so a direct table is faster than hashing. */
static void build_id_table(struct sample_plan *plan)
{
	const struct evset *set = plan->set;
	u64 lo = UINT64_MAX, hi = 0;

	for (size_t i = 0; i < set->id_val.nr; i++) {
		lo = MIN(lo, set->id_val.v[i]);
		hi = MAX(hi, set->id_val.v[i]);
	}
	if (!set->id_val.nr || hi - lo >= 1u << 16)
		return;
	plan->id_min = lo;
	plan->id_span = hi - lo + 1;
	plan->id_table = xcalloc(plan->id_span, sizeof(*plan->id_table));
	for (size_t i = 0; i < set->id_val.nr; i++)
		plan->id_table[set->id_val.v[i] - lo] = set->id_event.v[i] + 1;
}

struct sample_plan *sample_plan_new(const struct evset *set)
{
	struct sample_plan *plan = xcalloc(1, sizeof(*plan));

	plan->set = set;
	plan->nr = set->ev.nr;
	plan->ev = xcalloc(plan->nr + 1, sizeof(*plan->ev));
	plan->same_time = true;
	for (u32 i = 0; i < plan->nr; i++) {
		struct event_plan *ep = &plan->ev[i];

		event_plan_init(ep, evset_at(set, i));
		add_id_place(plan, ep);
		if (ep->time_slot != plan->ev[0].time_slot || ep->time_trailer != plan->ev[0].time_trailer ||
		    ep->id_all != plan->ev[0].id_all)
			plan->same_time = false;
	}
	if (!plan->nr)
		plan->same_time = false;
	build_id_table(plan);
	return plan;
}

void sample_plan_set_probe(struct sample_plan *plan, const struct event *event, u32 off)
{
	struct event_plan *ep = &plan->ev[event->idx];

	if (~ep->type & (ABI_SAMPLE_RAW | ABI_SAMPLE_IP))
		return;
	ep->is_probe = true;
	ep->probe_off = off;
	ep->only_raw = false;	/* more is done than the shortest way does */
}

void sample_plan_free(struct sample_plan *plan)
{
	if (!plan)
		return;
	free(plan->ev);
	free(plan->id_table);
	free(plan);
}
