/* Slots: see slots.h. */
#include "label.h"

#include <stdlib.h>

#define COLUMN_NS 100u		/* the shortest column: a slot has whole nanoseconds */
#define NEAR_PLACES 16u		/* of a list that are compared: a file is nearly in the order of time */

struct hist_time hist_time_of(const struct session *s)
{
	static const u8 factor[] = { 1, 2, 5 };
	struct hist_time t = { .start = s->first_time, .end = s->last_time };
	u64 span = t.end - t.start, column = COLUMN_NS, unit = COLUMN_NS;

	if (!s->has_time || t.start > t.end)
		return (struct hist_time){ 0 };
	for (u32 i = 1; span / column >= SLOT_MAX_COLUMNS; i++) {
		if (i % 3 == 0)
			unit *= 10;
		column = unit * factor[i % 3];
	}
	t.step = column / SLOT_ROWS;
	t.nr_columns = span / column + 1;
	return t;
}

struct place place_of_sample(const struct hist_time *t, const struct sample *s)
{
	u64 type = s->event->attr.sample_type, time = MIN(MAX(s->time, t->start), t->end);

	return (struct place){ .slot = type & PERF_SAMPLE_TIME ? (time - t->start) / t->step : SLOT_NONE,
			       .tid = s->tid, .cpu = type & PERF_SAMPLE_CPU ? s->cpu : PLACE_NO_CPU };
}

static void add_part(struct places *v, u64 *head, const struct place *at, u64 period, u64 nr)
{
	u32 tries = NEAR_PLACES;
	struct place *p;

	for (u32 i = *head; i && tries; i = p->next, tries--) {
		p = &v->v[i - 1];
		if (p->slot != at->slot || p->tid != at->tid || p->cpu != at->cpu)
			continue;
		p->nr += nr;
		p->period += period;
		return;
	}
	vec_push(v, *at);
	p = &v->v[v->nr - 1];
	p->next = *head;
	p->nr = nr;
	p->period = period;
	*head = v->nr;
}

void places_add(struct places *v, u64 *head, const struct place *at, u64 period)
{
	add_part(v, head, at, period, 1);
}

void places_spread(const struct hist_time *t, struct places *v, u64 *head, const struct place *at,
		   const struct place_span *span, u64 period)
{
	u64 from = MAX(span->from, t->start), to = MIN(span->to, t->end), left = period, nr = 1;
	struct place p = *at;

	if (from >= to || at->slot == SLOT_NONE) {
		places_add(v, head, at, period);
		return;
	}
	for (u64 slot = (from - t->start) / t->step; left; slot++, nr = 0) {
		u64 end = t->start + (slot + 1) * t->step, begin = MAX(end - t->step, from);
		u64 part = end >= to ? left : MIN((u64)((double)(end - begin) / (to - from) * period), left);

		p.slot = slot;
		if (part || nr)
			add_part(v, head, &p, part, nr);
		left -= part;
		if (end >= to)
			break;
	}
}

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

void slot_sums_add(struct slot_sums *into, const struct hist *h, const struct worker_result *s,
		   const struct bucket *t, u32 node)
{
	u64 row = t->sample_key | (u64)t->leaf << 32, event = *key_table_at(&h->sample_keys, t->sample_key);
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
static void set_lanes(const struct hist *h, u64 *key)
{
	u32 event = *key_table_at(&h->sample_keys, (u32)key[0]), cpu = key[2] >> 32;
	u64 lane = hist_lane_of(&h->slots, event, LANE_THREAD, key[2])->at;

	key[2] = lane << 16 | (cpu == PLACE_NO_CPU ? VIEW_NO_LANE :
			       hist_lane_of(&h->slots, event, LANE_CPU, cpu)->at);
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

void hist_slots_take(struct hist *h, const struct slot_sums *k)
{
	u64 *v;

	if (!k->slot.nr)
		return;
	take_cells(&h->slots, &k->lane);
	hist_lanes_choose(&h->slots);
	v = xmemdup(k->slot.word.v, k->slot.word.nr * sizeof(*v));
	for (size_t i = 0; i < k->slot.nr; i++)
		set_lanes(h, v + 4 * i);
	qsort(v, k->slot.nr, 4 * sizeof(*v), cmp_slots);
	for (size_t i = 0; i < k->slot.nr; i++)
		take_slot(&h->slots, v + 4 * i);
	free(v);
}

void hist_slots_release(struct hist_slots *s)
{
	vec_release(&s->range);
	vec_release(&s->slot);
	vec_release(&s->cell);
	vec_release(&s->lane);
	hidx_release(&s->lane_idx);
}

const struct view_slot *hist_slots_find(const struct hist *h, const struct hist_entry *e, u32 node,
					u32 *ret_nr)
{
	const struct hist_slots *s = &h->slots;
	u64 row = e->sample_key | (u64)e->frame_key << 32;
	size_t low = 0, high = s->range.nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct slot_range *r = &s->range.v[middle];

		if (r->row < row || (r->row == row && r->node < node))
			low = middle + 1;
		else
			high = middle;
	}
	*ret_nr = 0;
	if (low == s->range.nr || s->range.v[low].row != row || s->range.v[low].node != node)
		return NULL;
	*ret_nr = s->range.v[low].nr;
	return s->slot.v + s->range.v[low].first;
}
