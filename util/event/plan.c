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

/* fields that are one slot in each sample */
static const u64 one_slot = ABI_SAMPLE_SLOTS | ABI_SAMPLE_WEIGHT | ABI_SAMPLE_WEIGHT_STRUCT
#define ONE_SLOT_SLOT(name)	/* among them */
#define ONE_SLOT_U64(name) | ABI_SAMPLE_##name
#define ONE_SLOT_OWN(name)
#define SAMPLE_FIELD(name, bit, place, kind, member, ...) ONE_SLOT_##kind(name)
#include "sample-fields.def"
#undef SAMPLE_FIELD
	;

static void event_plan_init(struct event_plan *ep, const struct event *ev)
{
	u64 type = ev->attr.sample_type & ~EVENT_PLAN_FINDS, id = ABI_SAMPLE_IDENTIFIER;

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
	ep->numbers_size = type & ~one_slot ? 0 : 8 + 8 * __builtin_popcountll(type);
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

#define IDS_SPAN_MAX (1ull << 16)

static int cmp_ids(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;

	return *a < *b ? -1 : *a > *b;
}

/* the position of the first id after the widest gap between ids that are sorted; nr: no gap is wide */
static size_t second_ids(const u64 *id, size_t nr)
{
	u64 widest = 0;
	size_t ret = nr;

	if (id[nr - 1] - id[0] < IDS_SPAN_MAX)
		return nr;
	for (size_t i = 1; i < nr; i++) {
		if (id[i] - id[i - 1] <= widest)
			continue;
		widest = id[i] - id[i - 1];
		ret = i;
	}
	return ret;
}

static void ids_init(struct plan_ids *ids, u64 lo, u64 hi, const struct evset *set)
{
	ids->min = lo;
	ids->span = hi - lo + 1;
	ids->table = xcalloc(ids->span, sizeof(*ids->table));
	for (size_t i = 0; i < set->id_val.nr; i++)
		if (set->id_val.v[i] - lo < ids->span)
			ids->table[set->id_val.v[i] - lo] = set->id_event.v[i] + 1;
}

/*
 * The kernel ids of one recording are close together, and so are those of made events, so direct tables are
 * faster than hashing.
 */
static void build_id_tables(struct sample_plan *plan)
{
	const struct evset *set = plan->set;
	size_t nr = set->id_val.nr, second;
	u64 *id = nr ? xmemdup(set->id_val.v, nr * sizeof(*id)) : NULL;

	if (!nr)
		return;
	qsort(id, nr, sizeof(*id), cmp_ids);
	second = second_ids(id, nr);
	if (id[second - 1] - id[0] < IDS_SPAN_MAX &&
	    (second == nr || id[nr - 1] - id[second] < IDS_SPAN_MAX)) {
		ids_init(&plan->ids[0], id[0], id[second - 1], set);
		if (second < nr)
			ids_init(&plan->ids[1], id[second], id[nr - 1], set);
	}
	free(id);
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
	build_id_tables(plan);
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

void sample_plan_set_history(struct sample_plan *plan, const struct event *event, u64 fields,
			     sample_find_history *find, const void *ctx)
{
	struct event_plan *ep = &plan->ev[event->idx];

	ep->found_fields = fields;
	ep->find = find;
	ep->find_ctx = ctx;
	ep->only_raw = false;
	ep->numbers_size = 0;
	ep->type |= EVENT_PLAN_FINDS;
}

void sample_plan_free(struct sample_plan *plan)
{
	if (!plan)
		return;
	free(plan->ev);
	free(plan->ids[0].table);
	free(plan->ids[1].table);
	free(plan);
}
