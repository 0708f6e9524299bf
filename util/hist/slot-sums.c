/* Slot sums: see slot-sums.h. */
#include "slot-sums.h"
#include "labelled.h"
#include "lanes.h"

#include <stdlib.h>

void slot_sums_init(struct slot_sums *k)
{
	key_table_init(&k->slot, 3, 1);
	key_table_init(&k->lane, 2, 1);
}

void slot_sums_release(struct slot_sums *k)
{
	key_table_release(&k->slot);
	key_table_release(&k->lane);
}

static void add_key(struct key_table *t, const u64 *key, u64 sum)
{
	*key_table_sums(t, key_table_get(t, key)) += sum;
}

static void add_cell(struct slot_sums *into, u64 event, enum lane_kind kind, u64 id, const struct place *p)
{
	u64 column = p->slot / SLOT_ROWS;

	add_key(&into->lane, (u64[]){ event | (u64)kind << 32, id | column << 32 }, p->nr);
}

void slot_sums_add(struct slot_sums *into, const struct key_table *sample_keys,
		   const struct worker_result *s, const struct bucket *t, u32 node)
{
	u64 row = t->sample_key | (u64)t->leaf << 32, event = *key_table_at(sample_keys, t->sample_key);
	const struct place *p;

	for (u32 i = *bucket_place(&s->buckets, t); i; i = p->next) {
		p = &s->places.v[i - 1];
		if (p->slot == SLOT_NONE)
			continue;
		add_key(&into->slot, (u64[]){ row, node | (u64)p->slot << 32, p->tid | (u64)p->cpu << 32 },
			p->period);
		add_cell(into, event, LANE_THREAD, p->tid, p);
		if (p->cpu != PLACE_NO_CPU)
			add_cell(into, event, LANE_CPU, p->cpu, p);
	}
}

void slot_sums_merge(struct slot_sums *into, const struct slot_sums *from, const u32 *node)
{
	for (u32 i = 0; i < from->slot.nr; i++) {
		const u64 *key = key_table_at(&from->slot, i);
		u64 to = node ? node[(u32)key[1]] : (u32)key[1];

		add_key(&into->slot, (u64[]){ key[0], to | key[1] >> 32 << 32, key[2] },
			*key_table_sums(&from->slot, i));
	}
	for (u32 i = 0; i < from->lane.nr; i++)
		add_key(&into->lane, key_table_at(&from->lane, i), *key_table_sums(&from->lane, i));
}

/* by the first word of the key, then by the lower half of the second one, then by its upper half */
static int cmp_cells(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;
	u64 low_a = a[1] << 32 | a[1] >> 32, low_b = b[1] << 32 | b[1] >> 32;

	if (a[0] != b[0])
		return a[0] < b[0] ? -1 : 1;
	return low_a < low_b ? -1 : low_a > low_b;
}

/* the same, then by the third word */
static int cmp_slots(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;
	int ret = cmp_cells(pa, pb);

	return ret ? ret : a[2] < b[2] ? -1 : a[2] > b[2];
}

static void take_cells(struct hist_slots *s, const struct key_table *t)
{
	u64 *v = xmemdup(t->word.v, t->word.nr * sizeof(*v));

	qsort(v, t->nr, 3 * sizeof(*v), cmp_cells);
	for (size_t i = 0; i < t->nr; i++) {
		const u64 *key = v + 3 * i;

		vec_push(&s->cell, (struct lane_cell){ .event = key[0], .kind = key[0] >> 32, .id = key[1],
						       .column = key[1] >> 32, .nr = key[2] });
	}
	free(v);
}

/* the third word: lanes instead of thread and CPU */
static void set_lanes(const struct hist_slots *s, const struct key_table *sample_keys, u64 *key)
{
	u32 event = *key_table_at(sample_keys, (u32)key[0]), cpu = key[2] >> 32;
	u64 lane = hist_lane_of(s, event, LANE_THREAD, key[2])->at;

	key[2] = lane << 16 | (cpu == PLACE_NO_CPU ? VIEW_NO_LANE :
			       hist_lane_of(s, event, LANE_CPU, cpu)->at);
}

static void take_slot(struct hist_slots *s, const u64 *key)
{
	const struct view_slot at = { .slot = key[1] >> 32, .cpu = key[2], .thread = key[2] >> 16,
				      .period = key[3] };
	struct slot_range *last = s->range.nr ? &s->range.v[s->range.nr - 1] : NULL;
	struct view_slot *same = s->slot.nr ? &s->slot.v[s->slot.nr - 1] : NULL;

	if (!last || last->row != key[0] || last->node != (u32)key[1]) {
		vec_push(&s->range, (struct slot_range){ .row = key[0], .node = key[1],
							 .first = s->slot.nr });
		last = &s->range.v[s->range.nr - 1];
	} else if (same->slot == at.slot && same->cpu == at.cpu && same->thread == at.thread) {
		same->period += at.period;
		return;
	}
	last->nr++;
	vec_push(&s->slot, at);
}

void slot_sums_finish(const struct slot_sums *k, const struct key_table *sample_keys,
		      struct hist_slots *slots)
{
	u64 *v;

	if (!k->slot.nr)
		return;
	take_cells(slots, &k->lane);
	hist_lanes_choose(slots);
	v = xmemdup(k->slot.word.v, k->slot.word.nr * sizeof(*v));
	for (size_t i = 0; i < k->slot.nr; i++)
		set_lanes(slots, sample_keys, v + 4 * i);
	qsort(v, k->slot.nr, 4 * sizeof(*v), cmp_slots);
	for (size_t i = 0; i < k->slot.nr; i++)
		take_slot(slots, v + 4 * i);
	free(v);
}
