/*
 * Entries: buckets added up by all sort keys. The sums of an entry's callees are computed from the buckets,
 * stack by stack: each name on a chain gets the bucket's sums once. Tasks share the work by sample_keys, and
 * by names if one sample_key has most of it, so each task has entries of its own.
 */
#include "entry.h"

#include <stdlib.h>
#include "../base/sort.h"

/*
 * the entry of a frame key whose sums are being computed: all that is needed for a caller is in half a cache
 * line
 */
struct frame_key_slot {
	u32 sample_key;		/* the sample_key of its entry, plus one; 0: none yet */
	u32 bucket;		/* the last bucket that was added to it, counted from one */
	u32 max_depth, own;
	u64 nr, period;
};

struct entry_part {
	struct { BLOCKS(struct hist_entry); } entry;
	struct { VEC(struct hist_own); } own;
	struct { VEC(struct hist_more); } more;	/* of the same length, or empty */
	struct { VEC(struct hist_mem); } mem;
	u32 first_own;			/* their positions in those of the hist */
	u32 *of_event;			/* number of entries of each event */
} CACHE_ALIGNED;

struct entry_maker {
	struct hist *h;
	const struct worker_results *results;
	/* of the tasks' numbers: the bits for frame_keys, and above them those for groups of sample_keys */
	u32 bits, group_bits;
	u8 *group;			/* by sample_key */
	struct entry_part *part;
};

/* one task's data */
struct entry_task {
	const struct hist *h;
	struct entry_part *part;
	struct frame_key_slot *slot;	/* by frame_key >> bits */
	struct path path;
	u32 bits, mask, idx;		/* frame_keys whose lowest bits are idx */
	u32 sample_key, bucket;
};

/* makes an entry from the sums */
static void entry_end(struct entry_task *k, const struct frame_key_slot *slot, u32 frame_key)
{
	if (slot->sample_key)
		*blocks_add(&k->part->entry) = (struct hist_entry){ .sample_key = slot->sample_key - 1,
			.frame_key = frame_key, .max_depth = slot->max_depth, .own = slot->own,
			.nr_children = slot->nr, .period_children = slot->period };
}

static struct frame_key_slot *slot_get(struct entry_task *k, u32 frame_key)
{
	struct frame_key_slot *slot = &k->slot[frame_key >> k->bits];

	if (slot->sample_key != k->sample_key + 1) {
		entry_end(k, slot, frame_key);
		*slot = (struct frame_key_slot){ .sample_key = k->sample_key + 1, .own = HIST_NONE };
	}
	return slot;
}

static void add_mode(struct hist_own *own, u8 cpumode, u64 period)
{
	switch (cpumode) {
	case CPUMODE_KERNEL:
		own->period_sys += period;
		break;
	case CPUMODE_USER:
		own->period_us += period;
		break;
	case CPUMODE_GUEST_KERNEL:
		own->period_guest_sys += period;
		break;
	case CPUMODE_GUEST_USER:
		own->period_guest_us += period;
		break;
	}
}

static void raise_depth(struct frame_key_slot *slot, u32 depth)
{
	slot->max_depth = MAX(slot->max_depth, depth);
}

static bool has_more(const struct hist *h)
{
	return h->opts.weights || h->opts.latency || h->opts.branch_sums || h->opts.mem_parts;
}

static u32 own_get(struct entry_task *k, struct frame_key_slot *slot)
{
	if (slot->own == HIST_NONE) {
		slot->own = k->part->own.nr;
		vec_push(&k->part->own, (struct hist_own){ 0 });
		if (has_more(k->h))
			vec_push(&k->part->more, (struct hist_more){ 0 });
		if (k->h->opts.mem_parts)
			vec_push(&k->part->mem, (struct hist_mem){ 0 });
	}
	return slot->own;
}

static void add_branches(struct entry_task *k, struct frame_key_slot *slot, struct bucket *t)
{
	u32 id = own_get(k, slot);	/* the array may move */

	for (u32 i = 0; i < HIST_NR_BRANCH_SUMS; i++)
		k->part->more.v[id].branch[i] += bucket_weights(t)[HIST_FIRST_BRANCH_SUM + i];
}

/* adds each bucket once */
static bool add_children(struct entry_task *k, struct frame_key_slot *slot, struct bucket *t)
{
	if (slot->bucket == k->bucket)
		return false;
	slot->bucket = k->bucket;
	slot->nr += t->nr;
	slot->period += t->period;
	if (unlikely(k->h->opts.latency)) {
		u32 id = own_get(k, slot);	/* the array may move */

		k->part->more.v[id].latency_children += *bucket_weights(t);
	}
	if (unlikely(k->h->opts.branch_sums))
		add_branches(k, slot, t);
	return true;
}

/* adds the bucket to every name on the chain once, at its position nearest to the outermost caller */
static void add_callers(struct entry_task *k, struct bucket *t)
{
	bool caller = k->h->opts.chain.caller;
	u32 nr = k->path.nr;

	for (u32 i = 0; i < nr; i++) {
		u32 frame_key = hist_label_key(k->h, k->path.v[i]);
		struct frame_key_slot *slot;

		if ((frame_key & k->mask) != k->idx)
			continue;
		slot = slot_get(k, frame_key);
		if (add_children(k, slot, t))
			raise_depth(slot, caller ? nr - i : i + 1);
	}
}

/* the first weight is the latency */
static void add_more(struct hist_more *more, const u64 *weight, u32 nr_weights)
{
	more->latency += weight[0];
	for (u32 i = 1; i < MIN(nr_weights, 1u + HIST_NR_WEIGHTS); i++)
		more->weight[i - 1] += weight[i];
}

static void add_self(struct entry_task *k, struct bucket *t, u32 nr_weights)
{
	struct frame_key_slot *slot = slot_get(k, t->leaf);
	u32 id = own_get(k, slot);
	struct hist_own *own = &k->part->own.v[id];

	own->nr += t->nr;
	own->period += t->period;
	add_mode(own, BUCKET_MODE(t), t->period);
	if (nr_weights)
		add_more(&k->part->more.v[id], bucket_weights(t), nr_weights);
	for (u32 i = 0; i < DATA_SRC_NR_PARTS && k->h->opts.mem_parts; i++)
		k->part->mem.v[id].part[i] += bucket_weights(t)[HIST_FIRST_MEM_PART + i];
	raise_depth(slot, k->path.nr);
	/* the entry itself need not be among its callers */
	add_children(k, slot, t);
}

static void add_result(struct entry_task *k, const struct worker_result *s)
{
	struct bucket *t;

	SAMPLE_KEY_FOREACH_BUCKET(s, k->sample_key, t) {
		k->bucket++;
		if (k->h->opts.chains)
			bucket_path(k->h, s, t, &k->path);
		if (k->h->opts.children)
			add_callers(k, t);
		if ((t->leaf & k->mask) == k->idx)
			add_self(k, t, s->buckets.nr_weights);
	}
}

static void make_part(void *arg, unsigned int worker, size_t idx)
{
	struct entry_maker *m = arg;
	u32 nr_slots = (m->h->frame_keys.nr >> m->bits) + 1, mask = (1u << m->bits) - 1;
	struct entry_task k = { .h = m->h, .part = &m->part[idx], .bits = m->bits, .mask = mask,
				.idx = idx & mask };

	k.slot = xcalloc_hot(nr_slots, sizeof(*k.slot));
	for (u32 b = 0; b < m->h->sample_keys.nr; b++) {
		k.sample_key = m->results->sample_key[b];
		if (m->group[k.sample_key] != idx >> m->bits)
			continue;
		for (u32 i = 0; i < m->results->nr; i++)
			add_result(&k, &m->results->v[i]);
	}
	for (u32 i = 0; i < nr_slots; i++)
		entry_end(&k, &k.slot[i], i << k.bits | k.idx);
	free(k.slot);
	vec_release(&k.path);
}

static u32 nr_tasks(const struct entry_maker *m)
{
	return 1u << (m->bits + m->group_bits);
}

/*
 * puts each sample_key, the largest first, into the group with the fewest buckets; returns the number of
 * buckets of the largest group
 */
static u64 deal_sample_keys(const struct sort_pair *by_size, u32 nr, u32 group_bits, u8 *group)
{
	u64 load[1u << HIST_MAX_PART_BITS] = { 0 }, max = 0;

	for (u32 i = 0; i < nr; i++) {
		u32 least = 0;

		for (u32 g = 1; g < 1u << group_bits; g++)
			if (load[g] < load[least])
				least = g;
		load[least] += ~by_size[i].key;
		group[by_size[i].val] = least;
		max = MAX(max, load[least]);
	}
	return max;
}

/*
 * Tasks that share a group of sample_keys all walk its chains, each for names of its own, which repeats about
 * two fifths of the work. So the number of groups is chosen that makes the longest task shortest.
 */
static void deal_out(struct entry_maker *m)
{
	u32 nr = m->h->sample_keys.nr, bits = m->bits, best = 0;
	struct sort_pair *pair = xreallocarray(NULL, 2ull * nr + 1, sizeof(*pair));
	u64 cost, least = UINT64_MAX;

	m->group = xcalloc(nr + 1, 1);
	for (u32 b = 0; b < nr; b++) {
		u64 size = 0;

		for (u32 i = 0; i < m->results->nr; i++)
			size += m->results->v[i].first[b + 1] - m->results->v[i].first[b];
		pair[b] = (struct sort_pair){ ~size, b };
	}
	sort_pairs(pair, pair + nr, nr);
	for (u32 g = 0; g <= bits; g++) {
		cost = deal_sample_keys(pair, nr, g, m->group);
		cost = 2 * cost + (3 * cost >> (bits - g));
		if (cost < least) {
			least = cost;
			best = g;
		}
	}
	deal_sample_keys(pair, nr, best, m->group);
	m->group_bits = best;
	m->bits = bits - best;
	free(pair);
}

static void take_part(void *arg, unsigned int worker, size_t idx)
{
	struct entry_maker *m = arg;
	struct entry_part *p = &m->part[idx];

	for (size_t i = 0; i < p->entry.nr; i++) {
		struct hist_entry *e = blocks_at(&p->entry, i);

		if (e->own != HIST_NONE)
			e->own += p->first_own;
		p->of_event[*key_table_at(&m->h->sample_keys, e->sample_key)]++;
	}
	if (p->own.nr)
		memcpy(m->h->own.v + p->first_own, p->own.v, p->own.nr * sizeof(*p->own.v));
	if (p->more.nr)
		memcpy(m->h->more.v + p->first_own, p->more.v, p->more.nr * sizeof(*p->more.v));
	if (p->mem.nr)
		memcpy(m->h->mem.v + p->first_own, p->mem.v, p->mem.nr * sizeof(*p->mem.v));
	vec_release(&p->own);
	vec_release(&p->more);
	vec_release(&p->mem);
}

/* concatenates the parts */
static void take_parts(struct entry_maker *m)
{
	struct hist *h = m->h;
	u32 nr_parts = nr_tasks(m);

	for (u32 i = 0; i < nr_parts; i++) {
		struct entry_part *p = &m->part[i];

		p->first_own = h->own.nr;
		p->of_event = xcalloc(h->nr_events + 1, sizeof(*p->of_event));
		h->own.nr += p->own.nr;
	}
	vec_reserve(&h->own, h->own.nr);
	if (has_more(h)) {
		vec_reserve(&h->more, h->own.nr);
		h->more.nr = h->own.nr;
	}
	if (h->opts.mem_parts) {
		vec_reserve(&h->mem, h->own.nr);
		h->mem.nr = h->own.nr;
	}
	pool_run(h->session->pool, nr_parts, take_part, m);
	vec_foreach(&h->mem, mem)
		for (u32 i = 0; i < DATA_SRC_NR_PARTS; i++)
			h->mem_used |= (u32)!!mem->part[i] << i;
	for (u32 i = 0; i < nr_parts; i++) {
		blocks_join(&h->entry, &m->part[i].entry);
		for (u32 e = 0; e < h->nr_events; e++)
			h->event[e].nr_entries += m->part[i].of_event[e];
		free(m->part[i].of_event);
	}
}

/* groups entries by event; the common case of one event costs nothing */
static void group_by_event(struct hist *h)
{
	struct hist old = { .entry = h->entry };
	size_t first = 0;

	if (h->nr_events && h->event[0].nr_entries == h->entry.nr)
		return;
	memset(&h->entry, 0, sizeof(h->entry));
	blocks_resize(&h->entry, old.entry.nr);
	for (u32 i = 0; i < h->nr_events; i++) {
		h->event[i].first = first;
		first += h->event[i].nr_entries;
		h->event[i].nr_entries = 0;
	}
	for (size_t i = 0; i < old.entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&old.entry, i);
		struct hist_event *ev = &h->event[*key_table_at(&h->sample_keys, e->sample_key)];
		size_t to = ev->first + ev->nr_entries++;

		*blocks_at(&h->entry, to) = *e;
	}
	blocks_release(&old.entry);
}

static void number_keys(struct hist *h)
{
	u32 slot = 1, frame = 0;

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		h->key_word[i] = h->opts.key[i]->kind == FIELD_SLOT ? slot++ : frame++;
}

void entries_make(struct hist *h, const struct worker_results *s)
{
	struct entry_maker m = { .h = h, .results = s, .bits = hist_part_bits(h) };

	number_keys(h);
	deal_out(&m);
	m.part = xcalloc_aligned(nr_tasks(&m), sizeof(*m.part));
	pool_run_shown(h->session->pool, "making rows", nr_tasks(&m), make_part, &m);
	take_parts(&m);
	free(m.part);
	free(m.group);
	group_by_event(h);
}
