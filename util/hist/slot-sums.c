/* Slot sums: see slot-sums.h. */
#include "slot-sums.h"
#include "labelled.h"
#include "lanes.h"

#include <stdlib.h>

/* words of the key of a slot: row, node | slot << 32, tid | cpu << 32; of spans two more; then its sum */
#define KEY_WORDS 3
#define SPAN_WORDS 5
/* words of a slot with the sum of its periods, and of spans the number of its samples */
#define SLOT_WORDS(spans) ((spans) ? SPAN_WORDS + 2 : KEY_WORDS + 1)

void slot_sums_init(struct slot_sums *k, bool spans)
{
	k->spans = spans;
	key_table_init(&k->slot, spans ? SPAN_WORDS : KEY_WORDS, spans ? 2 : 1);
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

static void add_slot(struct slot_sums *into, const u64 *key, u64 period, u64 nr)
{
	u64 *sum = key_table_sums(&into->slot, key_table_get(&into->slot, key));

	sum[0] += period;
	if (into->spans)
		sum[1] += nr;
}

static void add_cell(struct slot_sums *into, u64 event, enum lane_kind kind, u64 id, const struct place *p)
{
	u64 column = p->length ? 0 : p->slot / SLOT_ROWS;

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
		add_slot(into, (u64[SPAN_WORDS]){
			row, node | (u64)p->slot << 32, p->tid | (u64)p->cpu << 32,
			p->length | (u64)(u32)p->waker << 32, p->state | (u64)p->wait << 8
		}, p->period, p->nr);
		add_cell(into, event, LANE_THREAD, p->tid, p);
		if (p->cpu != PLACE_NO_CPU)
			add_cell(into, event, LANE_CPU, p->cpu, p);
	}
}

void slot_sums_merge(struct slot_sums *into, const struct slot_sums *from, const u32 *node)
{
	for (u32 i = 0; i < from->slot.nr; i++) {
		const u64 *sum = key_table_sums(&from->slot, i);
		u64 key[SPAN_WORDS], to;

		memcpy(key, key_table_at(&from->slot, i), from->slot.nr_key * sizeof(*key));
		to = node ? node[(u32)key[1]] : (u32)key[1];
		key[1] = to | key[1] >> 32 << 32;
		add_slot(into, key, sum[0], from->spans ? sum[1] : 0);
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

/* spans are sorted by length, waker, state and wait, too */
static int cmp_spans(const void *pa, const void *pb)
{
	const u64 *a = pa, *b = pb;
	int ret = cmp_slots(pa, pb);

	for (u32 i = KEY_WORDS; i < SPAN_WORDS && !ret; i++)
		ret = (a[i] > b[i]) - (a[i] < b[i]);
	return ret;
}

static bool is_same(const struct view_slot *a, const struct view_slot *b)
{
	return a->slot == b->slot && a->cpu == b->cpu && a->thread == b->thread && a->length == b->length &&
	       a->other == b->other && a->state == b->state && a->detail == b->detail;
}

static struct view_slot slot_of(const u64 *key, bool spans)
{
	struct view_slot s = { .slot = key[1] >> 32, .cpu = key[2], .thread = key[2] >> 16,
			       .period = key[spans ? SPAN_WORDS : KEY_WORDS] };

	if (!spans)
		return s;
	s.length = key[3];
	s.other = key[3] >> 32;
	s.state = key[4];
	s.detail = key[4] >> 8;
	s.nr = MIN(key[SPAN_WORDS + 1], (u64)UINT32_MAX);
	return s;
}

static void take_slot(struct hist_slots *s, const u64 *key, bool spans)
{
	const struct view_slot at = slot_of(key, spans);
	struct slot_range *last = s->range.nr ? &s->range.v[s->range.nr - 1] : NULL;
	struct view_slot *same = s->slot.nr ? &s->slot.v[s->slot.nr - 1] : NULL;

	if (!last || last->row != key[0] || last->node != (u32)key[1]) {
		vec_push(&s->range, (struct slot_range){ .row = key[0], .node = key[1],
							 .first = s->slot.nr });
		last = &s->range.v[s->range.nr - 1];
	} else if (is_same(same, &at)) {
		same->period += at.period;
		same->nr += at.nr;
		return;
	}
	last->nr++;
	vec_push(&s->slot, at);
}

void slot_sums_finish(const struct slot_sums *k, const struct key_table *sample_keys,
		      struct hist_slots *slots)
{
	u32 words = SLOT_WORDS(k->spans);
	u64 *v;

	if (!k->slot.nr)
		return;
	slots->spans = k->spans;
	take_cells(slots, &k->lane);
	hist_lanes_choose(slots);
	v = xmemdup(k->slot.word.v, k->slot.word.nr * sizeof(*v));
	for (size_t i = 0; i < k->slot.nr; i++)
		set_lanes(slots, sample_keys, v + words * i);
	qsort(v, k->slot.nr, words * sizeof(*v), k->spans ? cmp_spans : cmp_slots);
	for (size_t i = 0; i < k->slot.nr; i++)
		take_slot(slots, v + words * i, k->spans);
	free(v);
}
