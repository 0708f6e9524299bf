/* Paths: see paths.h. */
#include "paths.h"

#include "cut.h"
#include "slot-sums.h"

#include <stdlib.h>

struct path_task {
	struct trie trie;
	u64 (*sums)[2];		/* by node: samples and period that the entry of its label has there */
	size_t alloc;
	/* node | frame_key << 32 -> the same for samples of the entry itself, and for cold nodes */
	struct key_table ends;
	struct slot_sums slots;	/* with hist_opts.time */
	struct timed_samples timed;	/* with hist_opts.samples */
	u64 *cut_period;	/* by event */
} CACHE_ALIGNED;

struct path_ctx {
	struct hist *h;
	struct worker_results *results;
	u32 bits;
	u8 *hot;		/* by what chains are compared by: it may be in a graph; NULL: all */
	u8 *wanted;		/* by frame_key: has a graph; NULL: all */
	struct path_task *task;	/* per part */
	struct path_cut cut;
};

u64 paths_min_period(const struct hist *h, u64 of)
{
	return (u64)(of * (h->opts.chain.min_percent / 100.0));
}

/* the smallest period; shares refer to everything, or to what the filters kept */
static u64 event_min(const struct hist *h, u32 event)
{
	const struct hist_event *ev = &h->event[event];

	return paths_min_period(h, MIN(ev->total.period, ev->shown.period));
}

/*
 * sums of one event; a label that is twice on a chain counts twice, which is at least what a graph can show
 */
struct heat {
	u64 sum;
	u32 event;		/* plus one */
};

static void heat_bucket(const struct path_ctx *c, struct heat *heat, size_t part, const struct bucket *t,
			const struct path *p)
{
	u32 event = *key_table_at(&c->h->sample_keys, t->sample_key), mask = (1u << c->bits) - 1;
	u64 min = event_min(c->h, event);

	for (u32 i = 0; i < p->nr; i++) {
		u32 id = hist_label_text(c->h, p->v[i]);
		struct heat *x = &heat[id >> c->bits];

		if ((id & mask) != part)
			continue;
		if (x->event != event + 1)
			*x = (struct heat){ .event = event + 1 };
		x->sum += t->period;
		if (x->sum >= min)
			c->hot[id] = true;
	}
}

static void heat_part(void *arg, unsigned int worker, size_t part)
{
	struct path_ctx *c = arg;
	u32 nr = MAX(c->h->names.named.nr, c->h->names.frame.nr);
	struct heat *heat = xcalloc_hot((nr >> c->bits) + 1, sizeof(*heat));
	struct path p = { 0 };
	const struct bucket *t;

	for (u32 b = 0; b < c->h->sample_keys.nr; b++) {
		for (u32 i = 0; i < c->results->nr; i++) {
			const struct worker_result *s = &c->results->v[i];

			SAMPLE_KEY_FOREACH_BUCKET(s, c->results->sample_key[b], t) {
				bucket_path(c->h, s, t, &p);
				heat_bucket(c, heat, part, t, &p);
			}
		}
	}
	vec_release(&p);
	free(heat);
}

/* chains are compared by the names of entries, so their sums are known */
static void heat_entries(struct path_ctx *c)
{
	const struct hist *h = c->h;
	struct heat *heat = xcalloc_hot(h->frame_keys.nr + 1, sizeof(*heat));

	for (u32 event = 0; event < h->nr_events; event++) {
		const struct hist_event *ev = &h->event[event];
		u64 min = event_min(h, event);

		for (size_t i = ev->first; i < ev->first + ev->nr_entries; i++) {
			const struct hist_entry *e = blocks_at(&h->entry, i);
			struct heat *x = &heat[e->frame_key];

			if (x->event != event + 1)
				*x = (struct heat){ .event = event + 1 };
			x->sum += e->period_children;
			c->hot[e->frame_key] |= x->sum >= min;
		}
	}
	free(heat);
}

static void find_hot(struct path_ctx *c)
{
	struct hist *h = c->h;

	/* fractal graphs have a threshold at every node, and what is carried may be hot later */
	if (h->opts.chain.mode == CHAIN_MODE_FRACTAL || h->opts.chain.min_percent <= 0 || h->opts.carry)
		return;
	c->hot = xcalloc(MAX(h->names.named.nr, h->names.frame.nr) + 1, 1);
	if (h->one_name_a_row && h->opts.children)
		heat_entries(c);
	else
		pool_run(h->session->pool, 1u << c->bits, heat_part, c);
	c->wanted = xcalloc(h->frame_keys.nr + 1, 1);
	for (size_t i = 0; i < h->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		if (e->period_children >= event_min(h, *key_table_at(&h->sample_keys, e->sample_key)))
			c->wanted[e->frame_key] = true;
	}
}

static void add_to_node(struct path_task *k, u32 node, const struct bucket *t)
{
	if (node >= k->alloc) {
		size_t alloc = MAX(2 * k->alloc, (size_t)node + 256);

		k->sums = xreallocarray(k->sums, alloc, sizeof(*k->sums));
		memset(k->sums + k->alloc, 0, (alloc - k->alloc) * sizeof(*k->sums));
		k->alloc = alloc;
	}
	k->sums[node][0] += t->nr;
	k->sums[node][1] += t->period;
}

struct path_walk {
	const struct path_ctx *c;
	const struct worker_result *result;
	struct path_task *task;
	struct path path, node;		/* node: of each label of path */
	u32 *seen;			/* frame_key -> number of the last bucket that contained it */
	u32 bucket, base_node, cold_node;
};

static u32 find_end(struct path_task *k, u32 node, u32 frame_key)
{
	return key_table_get(&k->ends, (u64[]){ node | (u64)frame_key << 32 });
}

static u32 add_end(struct path_task *k, u32 node, u32 frame_key, struct bucket *t)
{
	u32 end = find_end(k, node, frame_key);
	u64 *sums = key_table_sums(&k->ends, end);

	sums[0] += t->nr;
	sums[1] += t->period;
	for (u32 i = 2; i < k->ends.nr_sum; i++)
		sums[i] += bucket_weights(t)[i - 2];
	return end;
}

/* the samples of the bucket end there; the paths of all samples are kept then */
static void end_samples(struct path_walk *w, u32 node, const struct bucket *t)
{
	if (unlikely(w->c->h->opts.samples))
		timed_end(&w->task->timed, *bucket_place(&w->result->buckets, t),
			  find_end(w->task, node, t->leaf));
}

static u32 step(struct path_walk *w, u32 node, u32 label, bool cut)
{
	const struct path_ctx *c = w->c;

	if (likely(!cut && (!c->hot || c->hot[hist_label_text(c->h, label)])))
		return trie_child(&w->task->trie, node, label);
	if (!w->cold_node)
		w->cold_node = trie_child(&w->task->trie, w->base_node, PATHS_COLD);
	return w->cold_node;
}

/*
 * callers of the bucket's own entry, each at its position nearest to the path's end; at: the last label of
 * the path
 */
static void add_called(struct path_walk *w, struct bucket *t, u32 at, int by)
{
	const struct path_ctx *c = w->c;

	for (u32 i = 0; i < w->path.nr; i++, at -= by) {
		u32 frame_key = hist_label_key(c->h, w->path.v[at]), node = w->node.v[at];

		if (frame_key == t->leaf || (c->wanted && !c->wanted[frame_key]) ||
		    w->seen[frame_key] == w->bucket)
			continue;
		w->seen[frame_key] = w->bucket;
		if (node == w->cold_node)
			add_end(w->task, node, frame_key, t);
		else
			add_to_node(w->task, node, t);
	}
}

static void add_path(struct path_walk *w, struct bucket *t)
{
	const struct path_ctx *c = w->c;
	u32 nr = w->path.nr, node = w->base_node, at = c->h->opts.chain.caller ? nr - 1 : 0;
	u32 keep = nr, event = *key_table_at(&c->h->sample_keys, t->sample_key);
	int by = c->h->opts.chain.caller ? -1 : 1;

	if (!nr) {
		if (c->h->opts.time.nr_columns)
			slot_sums_add(&w->task->slots, &c->h->sample_keys, w->result, t, 0);
		if (c->h->opts.carry || c->h->opts.samples)
			add_end(w->task, node, t->leaf, t);
		end_samples(w, node, t);
		return;
	}
	if (c->cut.sum)
		keep = path_cut_keep(&c->cut, c->h, event, &w->path);
	if (keep < nr)
		w->task->cut_period[event] += t->period;
	w->bucket++;
	vec_reserve(&w->node, nr);
	for (u32 i = 0; i < nr; i++, at += by)
		w->node.v[at] = node = step(w, node, w->path.v[at], at >= keep);
	if (!c->wanted || c->wanted[t->leaf])
		add_end(w->task, node, t->leaf, t);
	if (c->h->opts.time.nr_columns)
		slot_sums_add(&w->task->slots, &c->h->sample_keys, w->result, t, keep ? node : 0);
	end_samples(w, node, t);
	if (c->h->opts.children)
		add_called(w, t, at - by, by);
}

static void make_paths(void *arg, unsigned int worker, size_t idx)
{
	struct path_ctx *c = arg;
	struct worker_result *s = &c->results->v[idx];
	struct path_walk w = { .c = c, .result = s, .task = &c->task[idx] };
	struct bucket *t;

	w.task->timed = s->timed;
	s->timed = (struct timed_samples){ 0 };
	trie_init(&w.task->trie);
	key_table_init(&w.task->ends, 1, 2 + (c->h->opts.carry || c->h->opts.weights ?
					      hist_nr_sums(&c->h->opts) : 0));
	slot_sums_init(&w.task->slots, c->h->opts.time.spans);
	w.task->cut_period = xcalloc(c->h->nr_events + 1, sizeof(u64));
	w.seen = xcalloc_hot(c->h->frame_keys.nr + 1, sizeof(*w.seen));
	for (u32 sample_key = 0; sample_key < c->h->sample_keys.nr; sample_key++) {
		w.base_node = w.cold_node = 0;
		SAMPLE_KEY_FOREACH_BUCKET(s, sample_key, t) {
			if (!w.base_node)
				w.base_node = trie_child(&w.task->trie, 0, sample_key);
			bucket_path(c->h, s, t, &w.path);
			add_path(&w, t);
		}
	}
	free(w.seen);
	vec_release(&w.path);
	vec_release(&w.node);
	worker_result_release(&c->results->v[idx]);
	if (idx)
		hidx_release(&w.task->trie.idx);	/* it will be merged into the first one */
}

struct item_positions {
	u32 *sample_key;		/* of each node */
	struct hidx idx;	/* entries that have a graph */
	struct { VEC(u32); } entry;	/* of each item */
};

static u64 entry_hash(u32 sample_key, u32 frame_key)
{
	return hash_u64((u64)sample_key << 32 | frame_key);
}

static u32 find_entry(const struct hist *h, const struct item_positions *p, u32 node, u32 frame_key)
{
	u32 id;

	HIDX_FOREACH(&p->idx, entry_hash(p->sample_key[node], frame_key), id) {
		const struct hist_entry *e = blocks_at(&h->entry, id);

		if (e->frame_key == frame_key && e->sample_key == p->sample_key[node])
			return id;
	}
	return HIST_NONE;
}

/* weight: of its samples, with opts.weights */
static void position_item(struct hist *h, struct item_positions *p, u32 node, u32 frame_key, const u64 *sums,
			  u64 weight)
{
	u32 id = sums[0] ? find_entry(h, p, node, frame_key) : HIST_NONE;

	if (id == HIST_NONE)
		return;
	blocks_at(&h->entry, id)->nr_items++;
	vec_push(&p->entry, id);
	vec_push(&h->item, (struct hist_item){ .node = node, .nr = sums[0], .period = sums[1] });
	if (h->opts.weights)
		vec_push(&h->item_weight, weight);
}

/* nodes follow their parents, so one pass in the order of ids is enough */
static u32 *merge_trie(struct trie *into, const struct trie *from)
{
	u32 *map = xreallocarray(NULL, from->node.nr + 1, sizeof(u32));

	map[0] = 0;
	for (u32 n = 1; n < from->node.nr; n++)
		map[n] = trie_child(into, map[from->node.v[n].parent], from->node.v[n].label);
	return map;
}

/* node: by node of from */
static void merge_ends(struct path_task *into, struct path_task *from, const u32 *node)
{
	u32 *map = xreallocarray(NULL, from->ends.nr + 1, sizeof(u32));

	for (u32 r = 0; r < from->ends.nr; r++) {
		u64 key = *key_table_at(&from->ends, r), *sums = key_table_sums(&from->ends, r), *into_sums;

		map[r] = find_end(into, node[(u32)key], key >> 32);
		into_sums = key_table_sums(&into->ends, map[r]);
		for (u32 n = 0; n < from->ends.nr_sum; n++)
			into_sums[n] += sums[n];
	}
	timed_join(&into->timed, &from->timed, map);
	free(map);
}

static void merge_tasks(struct path_ctx *c)
{
	struct path_task *into = &c->task[0];

	for (u32 i = 1; i < c->results->nr; i++) {
		struct path_task *k = &c->task[i];
		u32 *map = merge_trie(&into->trie, &k->trie);

		for (u32 n = 0; n < MIN(k->trie.node.nr, k->alloc); n++)
			if (k->sums[n][0])
				add_to_node(into, map[n],
					    &(struct bucket){ .nr = k->sums[n][0], .period = k->sums[n][1] });
		merge_ends(into, k, map);
		for (u32 e = 0; e < c->h->nr_events; e++)
			into->cut_period[e] += k->cut_period[e];
		free(k->cut_period);
		slot_sums_merge(&into->slots, &k->slots, map);
		slot_sums_release(&k->slots);
		free(map);
		free(k->sums);
		trie_release(&k->trie);
		key_table_release(&k->ends);
	}
}

static void index_entries(const struct path_ctx *c, struct item_positions *p)
{
	const struct hist *h = c->h;
	u32 nr = h->trie.node.nr;

	p->sample_key = xreallocarray(NULL, nr + 1, sizeof(u32));
	p->sample_key[0] = HIST_NONE;
	for (u32 n = 1; n < nr; n++)
		p->sample_key[n] = h->trie.node.v[n].parent ? p->sample_key[h->trie.node.v[n].parent] :
							      h->trie.node.v[n].label;
	for (u32 i = 0; i < h->entry.nr; i++) {
		const struct hist_entry *e = blocks_at(&h->entry, i);

		if (!c->wanted || c->wanted[e->frame_key])
			hidx_insert(&p->idx, entry_hash(e->sample_key, e->frame_key), i);
	}
}

/* groups items by entry */
static void group_items(struct hist *h, const struct item_positions *p)
{
	struct hist_item *sorted = xreallocarray(NULL, h->item.nr + 1, sizeof(*sorted));
	u64 *weight = xreallocarray(NULL, h->item_weight.nr + 1, sizeof(*weight));
	u32 pos = 0;

	for (size_t i = 0; i < h->entry.nr; i++) {
		struct hist_entry *e = blocks_at(&h->entry, i);

		e->first_item = pos;
		pos += e->nr_items;
		e->nr_items = 0;
	}
	for (u32 i = 0; i < h->item.nr; i++) {
		struct hist_entry *e = blocks_at(&h->entry, p->entry.v[i]);

		if (h->opts.weights)
			weight[e->first_item + e->nr_items] = h->item_weight.v[i];
		sorted[e->first_item + e->nr_items++] = h->item.v[i];
	}
	free(h->item_weight.v);
	h->item_weight.v = weight;
	h->item_weight.alloc = h->item_weight.nr;
	free(h->item.v);
	h->item.v = sorted;
	h->item.alloc = h->item.nr;
}

static void position_items(struct path_ctx *c)
{
	struct path_task *k = &c->task[0];
	struct item_positions p = { 0 };
	struct hist *h = c->h;

	h->trie = k->trie;
	hidx_release(&h->trie.idx);
	vec_fit(&h->trie.node);
	index_entries(c, &p);
	for (u32 n = 1; n < MIN(h->trie.node.nr, k->alloc); n++)
		if (k->sums[n][0])
			position_item(h, &p, n, hist_label_key(h, h->trie.node.v[n].label), k->sums[n],
				      0);
	for (u32 r = 0; r < k->ends.nr; r++) {
		u64 key = *key_table_at(&k->ends, r), *sums = key_table_sums(&k->ends, r);

		/* a latency is before the weight */
		position_item(h, &p, (u32)key, key >> 32, sums, h->opts.weights ? sums[3] : 0);
		if (!h->opts.carry && !h->opts.samples)
			continue;
		vec_push(&h->end, (struct hist_end){ p.sample_key[(u32)key], key >> 32, (u32)key,
						     sums[0], sums[1] });
		for (u32 i = 2; i < k->ends.nr_sum; i++)
			vec_push(&h->end_sum, sums[i]);
	}
	group_items(h, &p);
	for (u32 e = 0; e < h->nr_events; e++)
		h->event[e].cut_period = k->cut_period[e];
	free(k->cut_period);
	slot_sums_finish(&k->slots, &h->sample_keys, &h->slots);
	slot_sums_release(&k->slots);
	h->timed = k->timed;
	free(k->sums);
	key_table_release(&k->ends);
	free(p.sample_key);
	hidx_release(&p.idx);
	vec_release(&p.entry);
}

/* of a profile without call chains */
static void take_slots(struct hist *h, const struct worker_results *results)
{
	struct slot_sums sums;
	const struct bucket *t;

	slot_sums_init(&sums, h->opts.time.spans);
	for (u32 i = 0; i < results->nr; i++)
		for (u32 b = 0; b < h->sample_keys.nr; b++)
			SAMPLE_KEY_FOREACH_BUCKET(&results->v[i], b, t)
				slot_sums_add(&sums, &h->sample_keys, &results->v[i], t, 0);
	slot_sums_finish(&sums, &h->sample_keys, &h->slots);
	slot_sums_release(&sums);
}

static void take_timed(struct hist *h, struct worker_results *results)
{
	struct key_table ends;
	struct bucket *t;

	key_table_init(&ends, 1, 0);
	for (u32 i = 0; i < results->nr; i++) {
		struct worker_result *r = &results->v[i];

		for (u32 b = 0; b < h->sample_keys.nr; b++)
			SAMPLE_KEY_FOREACH_BUCKET(r, b, t)
				timed_end(&r->timed, *bucket_place(&r->buckets, t),
					  key_table_get(&ends, (u64[]){ b | (u64)t->leaf << 32 }));
		blocks_join(&h->timed, &r->timed);
	}
	for (u32 i = 0; i < ends.nr; i++) {
		u64 key = *key_table_at(&ends, i);

		vec_push(&h->end, (struct hist_end){ .sample_key = key, .frame_key = key >> 32 });
	}
	key_table_release(&ends);
}

void paths_make(struct hist *h, struct worker_results *s)
{
	struct path_ctx c = { .h = h, .results = s, .bits = hist_part_bits(h) };

	if (!h->opts.chains || h->opts.chain.mode == CHAIN_MODE_NONE) {
		if (h->opts.time.nr_columns)
			take_slots(h, s);
		if (h->opts.samples)
			take_timed(h, s);
		return;
	}
	find_hot(&c);
	path_cut_make(&c.cut, h, s);
	c.task = xcalloc_aligned(s->nr, sizeof(*c.task));
	pool_run_shown(h->session->pool, "making call graphs", s->nr, make_paths, &c);
	path_cut_release(&c.cut);
	merge_tasks(&c);
	position_items(&c);
	free(c.task);
	free(c.hot);
	free(c.wanted);
}
