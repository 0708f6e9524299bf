/* Folding: addresses become labels, stacks become paths; per worker first, then merged. */
#include "fold.h"

#include <stdlib.h>

struct folded {
	struct trie trie;
	struct rows bases;	/* event, slots */
	struct rows rows;	/* node | elabel << 32, base | cpumode << 32 */
};

struct fold_ctx {
	struct hist *h;
	struct count_worker *workers;
	struct folded *folded;
};

static void merge_frames(struct hist *h, struct count_worker *workers, unsigned int nr_workers)
{
	for (unsigned int i = 0; i < nr_workers; i++) {
		struct count_worker *w = &workers[i];
		u32 n = 0;

		w->frame_map = xreallocarray(NULL, w->frames.frame.nr + 1, sizeof(u32));
		if (!i) {	/* the first worker's ids stay as they are */
			h->names.frames = w->frames;
			w->frames = (struct frames){ 0 };
			for (; n < h->names.frames.frame.nr; n++)
				w->frame_map[n] = n;
			continue;
		}
		frames_freeze(&w->frames);
		vec_foreach(&w->frames.frame, f)
			w->frame_map[n++] = frames_add(&h->names.frames, f->dso, f->cpumode, f->addr, f->ip);
		frames_release(&w->frames);
	}
}

static u32 label_add(struct hist *h, struct hidx *idx, struct hist_label l)
{
	u64 hash = hash_u64((u64)l.t << 32 | l.e);
	u32 id;

	HIDX_FOREACH(idx, hash, id)
		if (h->label.v[id].t == l.t && h->label.v[id].e == l.e)
			return id;
	id = h->label.nr;
	vec_push(&h->label, l);
	hidx_insert(idx, hash, id);
	return id;
}

static u32 make_elabel(struct hist *h, const struct field_ctx *ctx, u32 frame, bool unique)
{
	u64 key[HIST_MAX_KEYS];
	u32 nr = 0;

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		if (h->opts.key[i]->kind == FIELD_FRAME)
			key[nr++] = h->opts.key[i]->of_frame(ctx, frame);
	return unique ? rows_append(&h->elabels, key) : rows_get(&h->elabels, key);
}

/* frame keys that all frames of one name share, one of which tells names apart: no need to compare any two */
static bool keys_follow_names(const struct hist *h)
{
	bool tells_apart = false;

	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		if (h->opts.key[i]->kind == FIELD_FRAME && !h->opts.key[i]->of_name)
			return false;
		tells_apart |= h->opts.key[i]->is_name;
	}
	return tells_apart && (!h->opts.chains || h->opts.chain.key == CHAIN_KEY_FUNCTION);
}

static void label_names(struct hist *h, const struct field_ctx *ctx)
{
	u32 n = 0;

	vec_reserve(&h->label, h->names.named.nr);
	vec_foreach(&h->names.named, nm) {
		vec_push(&h->label, (struct hist_label){ .t = n, .e = make_elabel(h, ctx, nm->frame, true) });
		n++;
	}
	memcpy(h->label_of, h->names.named_of, h->names.frames.frame.nr * sizeof(u32));
}

/* what a frame is called in call chains, and its frame-dependent sort keys, once per distinct frame */
static void label_frames(struct hist *h)
{
	struct field_ctx ctx = { .session = h->session, .names = &h->names, .verbose = h->opts.verbose };
	struct hidx idx = { 0 };
	u32 nr_frame_keys = 0;

	for (u32 i = 0; i < h->opts.nr_keys; i++)
		nr_frame_keys += h->opts.key[i]->kind == FIELD_FRAME;
	rows_init(&h->elabels, nr_frame_keys, 0);
	h->label_of = xreallocarray(NULL, h->names.frames.frame.nr + 1, sizeof(u32));
	if (keys_follow_names(h)) {
		label_names(h, &ctx);
		return;
	}
	for (u32 f = 0; f < h->names.frames.frame.nr; f++) {
		struct hist_label l = { .e = make_elabel(h, &ctx, f, false) };

		if (h->opts.chains)
			l.t = h->opts.chain.key == CHAIN_KEY_FUNCTION ? h->names.named_of[f] : f;
		h->label_of[f] = label_add(h, &idx, l);
	}
	if (!h->names.frames.frame.nr)
		rows_get(&h->elabels, (u64[HIST_MAX_KEYS]){ 0 });
	hidx_release(&idx);
}

static u32 fold_stack(const struct hist *h, const struct count_worker *w, struct trie *t, u32 node, u32 stack)
{
	const u32 *s = w->stacks.stack.v[stack];

	for (u32 i = s[0]; i > 0; i--) {
		u32 frame = w->frame_map[s[i]];

		node = trie_child(t, node, h->label_of[frame]);
		if (!h->names.inl_start)
			continue;
		for (u32 k = h->names.inl_start[frame]; k < h->names.inl_start[frame + 1]; k++)
			node = trie_child(t, node, h->label_of[h->names.inl.v[k]]);
	}
	return node;
}

static bool keep_row(const struct hist *h, struct count_worker *w, const u64 *key, const u64 *sums)
{
	enum hit_verdict verdict = h->keep_frame[w->frame_map[ROW_FRAME(key)]];

	if (verdict == HIT_DROP) {
		w->total[ROW_EVENT(key)].nr -= sums[0];
		w->total[ROW_EVENT(key)].period -= sums[1];
	}
	return verdict == HIT_KEEP;
}

static void fold_worker(void *arg, unsigned int worker, size_t idx)
{
	struct fold_ctx *c = arg;
	const struct hist *h = c->h;
	struct count_worker *w = &c->workers[idx];
	struct folded *f = &c->folded[idx];
	u32 nr_slots = w->rows.nr_key - ROW_FIXED_KEYS;

	trie_init(&f->trie);
	rows_init(&f->bases, 1 + nr_slots, 0);
	rows_init(&f->rows, 2, w->rows.nr_sum);
	for (u32 r = 0; r < w->rows.nr; r++) {
		const u64 *key = rows_at(&w->rows, r), *from = rows_sums(&w->rows, r);
		u64 base_key[1 + HIST_MAX_KEYS], row_key[2], *to;
		u32 base, node = 0, elabel = 0;

		if (h->keep_frame && !keep_row(h, w, key, from))
			continue;
		base_key[0] = ROW_EVENT(key);
		memcpy(base_key + 1, key + ROW_FIXED_KEYS, nr_slots * sizeof(u64));
		base = rows_get(&f->bases, base_key);
		if (h->opts.chains)
			node = fold_stack(h, w, &f->trie, trie_child(&f->trie, 0, base), ROW_STACK(key));
		if (h->opts.frames)
			elabel = h->label.v[h->label_of[w->frame_map[ROW_FRAME(key)]]].e;
		row_key[0] = node | (u64)elabel << 32;
		row_key[1] = base | (u64)ROW_MODE(key) << 32;
		to = rows_sums(&f->rows, rows_get(&f->rows, row_key));
		for (u32 i = 0; i < w->rows.nr_sum; i++)
			to[i] += from[i];
	}
	rows_release(&w->rows);
	arena_release(&w->stacks.arena);
}

/* nodes come after their parents, so one pass in order of ids is enough */
static u32 *merge_trie(struct trie *into, const struct trie *from, const u32 *base_map)
{
	u32 *map = xreallocarray(NULL, from->node.nr, sizeof(u32));

	map[0] = 0;
	for (u32 n = 1; n < from->node.nr; n++) {
		const struct trie_node *tn = &from->node.v[n];

		map[n] = trie_child(into, map[tn->parent], tn->parent ? tn->label : base_map[tn->label]);
	}
	return map;
}

static u32 merge_base(struct hist *h, const u64 *base)
{
	struct field_ctx ctx = { .session = h->session, .names = &h->names, .verbose = h->opts.verbose };
	u64 key[1 + HIST_MAX_KEYS];
	u32 nr = 1;

	key[0] = base[0];
	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		const struct field *f = h->opts.key[i];

		if (f->kind != FIELD_SLOT)
			continue;
		key[nr] = f->canon ? f->canon(&ctx, base[nr]) : base[nr];
		nr++;
	}
	return rows_get(&h->bases, key);
}

static bool is_identity(const u32 *map, size_t nr)
{
	for (u32 i = 0; i < nr; i++)
		if (map[i] != i)
			return false;
	return true;
}

static void add_row(struct hist *h, const u64 *key, const u64 *sums, u32 nr_sums, const u32 *base_map, const u32 *node_map)
{
	struct hist_row row = { .node = node_map ? node_map[(u32)key[0]] : (u32)key[0], .elabel = key[0] >> 32,
		.base = base_map[(u32)key[1]], .cpumode = key[1] >> 32, .nr = sums[0], .period = sums[1] };
	struct hist_event *ev = &h->event[*rows_at(&h->bases, row.base)];

	ev->shown.nr += row.nr;
	ev->shown.period += row.period;
	vec_push(&h->row, row);
	for (u32 i = 2; i < nr_sums; i++)
		vec_push(&h->row_weight, sums[i]);
}

static void merge_folded(struct hist *h, struct folded *f)
{
	u32 *base_map = xreallocarray(NULL, f->bases.nr + 1, sizeof(u32)), *node_map = NULL;

	for (u32 b = 0; b < f->bases.nr; b++)
		base_map[b] = merge_base(h, rows_at(&f->bases, b));
	if (h->trie.node.nr == 1 && is_identity(base_map, f->bases.nr)) {
		trie_release(&h->trie);		/* the first one is taken over as it is */
		h->trie = f->trie;
		f->trie = (struct trie){ 0 };
	} else {
		node_map = merge_trie(&h->trie, &f->trie, base_map);
	}
	vec_reserve(&h->row, h->row.nr + f->rows.nr);
	for (u32 r = 0; r < f->rows.nr; r++)
		add_row(h, rows_at(&f->rows, r), rows_sums(&f->rows, r), f->rows.nr_sum, base_map, node_map);
	free(base_map);
	free(node_map);
	trie_release(&f->trie);
	rows_release(&f->bases);
	rows_release(&f->rows);
}

static void mark_dsos(struct hist *h, const struct count_worker *w)
{
	for (u32 r = 0; h->opts.frames && r < w->rows.nr; r++) {
		u32 dso = h->names.frames.frame.v[w->frame_map[ROW_FRAME(rows_at(&w->rows, r))]].dso;

		if (dso != WORLD_NONE)
			h->dso_hit[dso] = true;
	}
}

static void filter_frames(struct hist *h)
{
	u32 nr = h->names.frames.frame.nr;

	if (!h->opts.keep_frame)
		return;
	h->keep_frame = xcalloc(nr + 1, 1);
	for (u32 f = 0; f < nr; f++)
		h->keep_frame[f] = h->opts.keep_frame(h->opts.keep_ctx, &h->names, f);
}

void fold_run(struct hist *h, struct count_worker *workers)
{
	unsigned int nr_workers = pool_nr_workers(h->session->pool);
	struct fold_ctx c = { .h = h, .workers = workers, .folded = xcalloc(nr_workers, sizeof(*c.folded)) };
	u32 nr_slots = workers[0].rows.nr_key - ROW_FIXED_KEYS;

	h->names.session = h->session;
	merge_frames(h, workers, nr_workers);
	frames_freeze(&h->names.frames);
	names_resolve(&h->names, h->opts.symbols || h->opts.chains);
	if (h->opts.chains && h->opts.inlines)
		names_inlines(&h->names);
	label_frames(h);
	filter_frames(h);
	h->dso_hit = xcalloc(world_dsos(h->session->world)->dso.nr + 1, 1);
	for (unsigned int i = 0; i < nr_workers; i++)
		mark_dsos(h, &workers[i]);
	pool_run(h->session->pool, nr_workers, fold_worker, &c);
	trie_init(&h->trie);
	rows_init(&h->bases, 1 + nr_slots, 0);
	for (unsigned int i = 0; i < nr_workers; i++)
		merge_folded(h, &c.folded[i]);
	free(c.folded);
	/* nothing is looked up or added from here on */
	hidx_release(&h->trie.idx);
	hidx_release(&h->elabels.idx);
}
