/* Labels: addresses become labels, in place. */
#include "label.h"
#include "branch-history.h"
#include "callers.h"
#include "line-labels.h"
#include "address-frames.h"

#include <stdlib.h>
#include "../base/phase.h"
#include "../base/sort.h"

struct label_ctx {
	struct hist *h;
	struct count_worker *workers;
	struct worker_result *result;
	u32 **base_map;		/* per worker */
	u64 (**shown)[4];	/* per worker, then event: samples, period, latency, cycles of branches */
	u8 **dso_sampled;		/* per worker */
	struct fp_counts *fp;	/* per worker */
	struct stack_ends *ends;	/* per worker */
};

/*
 * Makes one table of the frames of all workers. A task takes the frames of every worker whose hashes are in
 * its part into a table of its own; the parts are then concatenated.
 */
struct merge {
	struct hist *h;
	struct count_worker *workers;
	u32 nr_workers, bits;
	u8 **part_of;		/* by worker and frame */
	struct merge_part {
		struct frames frames;
	} CACHE_ALIGNED *part;
	u32 *first;		/* id of the first frame of each part */
};

/* prefetches the slots for frames some steps ahead */
static void prefetch_ahead(const struct frames *into, const struct frames *own, const u8 *part_of,
			   size_t part, u32 n)
{
	const struct frame *f;

	if (n + 16 < own->frame.nr && part_of[n + 16] == part) {
		f = blocks_at(&own->frame, n + 16);
		frames_prefetch_slot(into, frame_hash(f->dso, f->addr));
	}
	if (n + 8 < own->frame.nr && part_of[n + 8] == part) {
		f = blocks_at(&own->frame, n + 8);
		frames_prefetch(into, frame_hash(f->dso, f->addr));
	}
}

static void merge_part(void *arg, unsigned int worker, size_t part)
{
	struct merge *m = arg;
	struct frames *into = &m->part[part].frames;
	u64 nr = 0;

	for (u32 i = 0; i < m->nr_workers; i++)
		nr += m->workers[i].lookup.frames.frame.nr;
	frames_reserve(into, nr >> m->bits);
	for (u32 i = 0; i < m->nr_workers; i++) {
		const struct frames *own = &m->workers[i].lookup.frames;
		const u8 *part_of = m->part_of[i];
		u32 *map = m->workers[i].frame_map;

		for (u32 n = 0; n < own->frame.nr; n++) {
			const struct frame *f = blocks_at(&own->frame, n);

			prefetch_ahead(into, own, part_of, part, n);
			if (part_of[n] == part)
				map[n] = frames_add(into, f);
		}
	}
}

static void take_merged(void *arg, unsigned int worker, size_t part)
{
	struct merge *m = arg;
	struct frames *from = &m->part[part].frames;

	frames_move(from, m->h->names.frame.v + m->first[part]);
}

static void number_merged(void *arg, unsigned int worker, size_t i)
{
	struct merge *m = arg;
	const struct frames *own = &m->workers[i].lookup.frames;
	u32 *map = m->workers[i].frame_map;

	for (u32 n = 0; n < own->frame.nr; n++)
		map[n] += m->first[m->part_of[i][n]];
	free(m->part_of[i]);
	frames_release(&m->workers[i].lookup.frames);
}

static void note_dsos(struct count_worker *w, const struct frames *own)
{
	w->frame_dso = xreallocarray(NULL, own->frame.nr + 1, sizeof(u32));
	for (u32 n = 0; n < own->frame.nr; n++) {
		const struct frame *f = blocks_at(&own->frame, n);

		w->frame_dso[n] = f->cpumode == CPUMODE_USER ? f->dso : ID_NONE;
	}
}

static void prepare_own(void *arg, unsigned int worker, size_t i)
{
	struct merge *m = arg;
	struct frames *own = &m->workers[i].lookup.frames;

	hidx_release(&own->idx);
	m->workers[i].nr_frames = own->frame.nr;
	m->workers[i].frame_map = xreallocarray(NULL, own->frame.nr + 1, sizeof(u32));
	if (m->h->opts.chains && m->h->opts.max_stack >= FP_MIN_STACK)
		note_dsos(&m->workers[i], own);
	if (!m->part_of)
		return;
	m->part_of[i] = xmalloc(own->frame.nr + 1);
	for (u32 n = 0; n < own->frame.nr; n++)
		m->part_of[i][n] = frame_part(blocks_at(&own->frame, n)->dso, blocks_at(&own->frame, n)->addr,
					      m->bits);
}

/* reserves room for this many frames; inlined functions will follow them: unused room costs nothing */
static void make_room(struct names *n, u32 nr)
{
	vec_reserve(&n->frame, nr + nr / 2 + 1);
	n->frame.nr = nr;
}

static void merge_frames(struct hist *h, struct count_worker *workers, unsigned int nr_workers)
{
	struct merge m = { .h = h, .workers = workers, .nr_workers = nr_workers, .bits = hist_part_bits(h) };
	struct pool *pool = h->session->pool;
	u32 nr_parts = 1u << m.bits, nr = 0;

	m.part_of = nr_workers > 1 ? xcalloc(nr_workers, sizeof(*m.part_of)) : NULL;
	pool_run(pool, nr_workers, prepare_own, &m);
	if (nr_workers == 1) {	/* its ids do not change */
		nr = workers->lookup.frames.frame.nr;
		make_room(&h->names, nr);
		for (u32 n = 0; n < nr; n++)
			workers->frame_map[n] = n;
		frames_move(&workers->lookup.frames, h->names.frame.v);
		return;
	}
	m.part = xcalloc_aligned(nr_parts, sizeof(*m.part));
	m.first = xcalloc(nr_parts, sizeof(*m.first));
	pool_run(pool, nr_parts, merge_part, &m);
	for (u32 p = 0; p < nr_parts; p++) {
		m.first[p] = nr;
		nr += m.part[p].frames.frame.nr;
	}
	make_room(&h->names, nr);
	pool_run(pool, nr_parts, take_merged, &m);
	pool_run(pool, nr_workers, number_merged, &m);
	free(m.part_of);
	free(m.part);
	free(m.first);
}

u32 label_add(struct hist *h, struct hidx *idx, struct hist_label l)
{
	u64 hash = hash_u64(((u64)l.t << 32 | l.e) ^ l.mark << 16 ^ l.mark >> 32);
	u32 id;

	HIDX_FOREACH(idx, hash, id)
		if (h->label.v[id].t == l.t && h->label.v[id].e == l.e && h->label.v[id].mark == l.mark)
			return id;
	id = h->label.nr;
	vec_push(&h->label, l);
	hidx_insert(idx, hash, id);
	return id;
}

/* alike: the frame that is shown for each one; NULL: itself */
static void frame_keys(const struct hist *h, const struct field_ctx *ctx, u32 frame, const u32 *alike,
		       u64 *ret)
{
	for (u32 i = 0; i < h->opts.nr_keys; i++)
		if (h->opts.key[i]->kind == FIELD_FRAME)
			*ret++ = h->opts.key[i]->of_frame(ctx, alike && h->opts.key[i]->is_frame ?
							  alike[frame] : frame);
}

/*
 * true if all frames of a name have the same frame keys, and one of these keys distinguishes names: then none
 * need to be compared
 */
static bool keys_follow_names(const struct hist *h)
{
	bool tells_apart = false;

	if (h->opts.history)
		return false;
	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		if (h->opts.key[i]->kind == FIELD_FRAME && !h->opts.key[i]->of_name)
			return false;
		tells_apart |= h->opts.key[i]->is_name;
	}
	return tells_apart && (!h->opts.chains || h->opts.chain.key == CHAIN_KEY_FUNCTION);
}

/* one row per name, with the name's number */
static void label_names(struct hist *h, const struct field_ctx *ctx)
{
	u32 n = 0;

	h->one_name_a_row = true;
	key_table_append_blank(&h->frame_keys, h->names.named.nr);
	vec_foreach(&h->names.named, nm) {
		frame_keys(h, ctx, nm->frame, NULL, key_table_at(&h->frame_keys, n++));
	}
	memcpy(h->label_of, h->names.named_of, h->names.frame.nr * sizeof(u32));
}

/* a frame's name in call chains, and its frame-dependent sort keys, once per distinct frame */
static void label_frames(struct hist *h)
{
	struct field_ctx ctx = hist_field_ctx(h);
	struct hidx idx = { 0 };
	u32 nr_frame_keys = 0, *line = NULL, *alike = NULL;
	bool by_frame = false;

	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		nr_frame_keys += h->opts.key[i]->kind == FIELD_FRAME;
		by_frame |= h->opts.key[i]->kind == FIELD_FRAME && h->opts.key[i]->is_frame;
	}
	key_table_init(&h->frame_keys, nr_frame_keys, 0);
	h->label_of = xreallocarray(NULL, h->names.frame.nr + 1, sizeof(u32));
	if (keys_follow_names(h)) {
		label_names(h, &ctx);
		return;
	}
	if (h->opts.chains && h->opts.chain.key != CHAIN_KEY_FUNCTION)
		line = line_labels(h, &ctx, h->opts.chain.key == CHAIN_KEY_SRCLINE);
	if (h->opts.chains && by_frame)
		alike = line_labels(h, &ctx, false);
	for (u32 f = 0; f < h->names.frame.nr; f++) {
		struct hist_label l = { 0 };
		u64 key[HIST_MAX_KEYS];

		frame_keys(h, &ctx, f, alike, key);
		l.e = key_table_get(&h->frame_keys, key);
		if (h->opts.chains)
			l.t = line ? line[f] : h->names.named_of[f];
		h->label_of[f] = label_add(h, &idx, l);
	}
	/* if nothing depends on frames, all entries have the only label */
	if (!h->names.frame.nr && !nr_frame_keys)
		key_table_get(&h->frame_keys, (u64[HIST_MAX_KEYS]){ 0 });
	free(line);
	free(alike);
	hidx_release(&idx);
}

/* what is carried to the next count: numbers of frames and texts are the merged ones */
static u64 carried_word(const struct field *f, const struct count_worker *w, u64 slot, u64 key)
{
	return f->address != ADDRESS_NONE ? w->frame_map[slot] : f->slot_is_text ? key : slot;
}

/* the key of entries from the key of counting */
static u64 slot_value(const struct field_ctx *ctx, const struct field *f, const struct count_worker *w,
		      u64 slot)
{
	if (f->address != ADDRESS_NONE)
		return f->of_frame(ctx, w->frame_map[slot]);
	return f->canon ? f->canon(ctx, slot) : slot;
}

static u32 merge_base(struct hist *h, const struct count_worker *w, const u64 *sample_key)
{
	struct field_ctx ctx = hist_field_ctx(h);
	u64 key[1 + HIST_MAX_KEYS], carried[1 + HIST_MAX_KEYS];
	u32 nr = 1, id;

	ctx.worker = &w->fields;
	carried[0] = key[0] = sample_key[0];
	for (u32 i = 0; i < h->opts.nr_keys; i++) {
		const struct field *f = h->opts.key[i];

		if (f->kind != FIELD_SLOT)
			continue;
		key[nr] = slot_value(&ctx, f, w, sample_key[nr]);
		carried[nr] = carried_word(f, w, sample_key[nr], key[nr]);
		nr++;
	}
	id = key_table_get(&h->sample_keys, key);
	if (h->opts.carry && (size_t)id * nr == h->carried_key.nr)
		for (u32 i = 0; i < nr; i++)
			vec_push(&h->carried_key, carried[i]);
	return id;
}

static void filter_frames(struct hist *h)
{
	u32 nr = h->names.frame.nr;

	if (!h->opts.keep_frame)
		return;
	h->keep_frame = xcalloc(nr + 1, 1);
	for (u32 f = 0; f < nr; f++)
		h->keep_frame[f] = h->opts.keep_frame(h->opts.keep_ctx, &h->names, f);
}

/* the word for a frame in a path */
static u32 path_word(const struct hist *h, u32 frame)
{
	const u32 *inl = h->names.inl_start;

	return inl && inl[frame] != inl[frame + 1] ? PATH_INLINED | frame : h->label_of[frame];
}

/* the label and key of a worker's frame; in a table, so that nothing else is looked up per bucket */
struct folded_frame {
	u32 word;
	u32 frame_key;		/* of samples in this frame */
};

/* the labelling of one worker's buckets */
struct folder {
	const struct hist *h;
	struct count_worker *w;
	struct folded_frame *frame;
	u8 *is_leaf;		/* by frame: there are samples in it */
	const u32 *base_map;
	u64 (*shown)[4];
	struct fp_counts fp;
	struct stack_ends ends;
};

static void folder_init(struct folder *f)
{
	const struct hist *h = f->h;
	u32 nr = f->w->nr_frames;

	f->frame = xreallocarray(NULL, nr + 1, sizeof(*f->frame));
	f->is_leaf = xcalloc_hot(nr + 1, 1);
	/* if frames are not needed, all samples have this one */
	f->frame[0] = (struct folded_frame){ 0 };
	for (u32 i = 0; i < nr; i++) {
		u32 to = f->w->frame_map[i];

		f->frame[i].word = path_word(h, to);
		f->frame[i].frame_key = hist_label_key(h, h->label_of[to]);
	}
}

static u32 word_of(const struct folder *f, u32 frame)
{
	if (unlikely(frame & MARKED_FRAME))
		return frame == FRAME_CUT ? PATH_CUT : f->w->marked_label[frame & ~MARKED_FRAME];
	return f->frame[frame].word;
}

/* the words after the keys if branches were counted */
static const u64 *words_of_branch(const struct hist *h, const struct count_worker *w, const struct bucket *t)
{
	return h->opts.mode == COUNT_BRANCHES ?
	       key_table_at(&w->sample_keys, t->sample_key) + w->sample_keys.nr_key - BRANCH_WORDS : NULL;
}

/* number of samples in a bucket: it may contain more branches */
static u64 nr_samples(const struct bucket *t, const u64 *branch)
{
	return !branch || branch_is_last(branch) ? t->nr : 0;
}

static u64 cycles_of(const struct hist *h, struct bucket *t)
{
	return h->opts.branch_sums ? bucket_weights(t)[HIST_FIRST_BRANCH_SUM + HIST_CYCLES] : 0;
}

static bool keep_bucket(const struct hist *h, struct count_worker *w, struct bucket *t, u32 event, u32 own)
{
	const u64 *branch = words_of_branch(h, w, t);
	enum filter_verdict verdict = !h->keep_frame ? FILTER_KEEP : branch ? branch_verdict(h, w, branch) :
				   h->keep_frame[h->opts.frames ? w->frame_map[own] : 0];

	if (verdict == FILTER_DROP) {
		w->total[event].nr -= nr_samples(t, branch);
		w->total[event].period -= t->period;
		w->total[event].latency -= h->opts.latency ? *bucket_weights(t) : 0;
		w->total[event].cycles -= cycles_of(h, t);
	}
	return verdict == FILTER_KEEP;
}

/* counts where frame pointers led; the frames of a bucket are those after the kernel part */
static void count_fp(struct folder *f, const struct bucket *t, u32 event, const u32 *frame, u64 nr)
{
	u32 dso[FP_FRAMES], nr_frames = MIN(BUCKET_FRAMES(t), FP_FRAMES);

	if (!fp_event(f->h->session->data->evset->ev.v[event]))
		return;
	for (u32 i = 0; i < nr_frames; i++)
		dso[i] = frame[i] == FRAME_CUT ? ID_NONE : f->w->frame_dso[history_frame(f->w, frame[i])];
	fp_count_add(&f->fp, dso, nr_frames, nr);
}

/* counts why the chains of a bucket end: its last frame is the outermost caller */
static void count_end(struct folder *f, const struct bucket *t, const u32 *frame, u64 nr)
{
	u32 nr_frames = BUCKET_FRAMES(t), dso = ID_NONE;
	enum stack_why why = BUCKET_WHY(t);

	if (why == STACK_NONE)
		return;
	for (u32 i = nr_frames; i > 0 && nr_frames - i < 2 && dso == ID_NONE; i--) {
		dso = frame[i - 1] == FRAME_CUT ? ID_NONE :
		      f->w->frame_dso[history_frame(f->w, frame[i - 1])];
		if (i == nr_frames)
			why = stack_why_checked(why, dso != ID_NONE || frame[i - 1] == FRAME_CUT);
	}
	stack_ends_add(&f->ends, why, dso, nr);
}

static void label_bucket(struct folder *f, struct worker_result *s, struct bucket *t)
{
	const struct hist *h = f->h;
	u32 own = h->opts.frames ? t->leaf : 0, *frame = bucket_frames(&s->buckets, t);
	u32 sample_key = f->base_map[t->sample_key], event = *key_table_at(&h->sample_keys, sample_key);
	u64 *shown = f->shown[event], nr = nr_samples(t, words_of_branch(h, f->w, t));

	f->is_leaf[own] = true;
	t->sample_key = keep_bucket(h, f->w, t, event, own) &&
			!callers_hide(h, key_table_at(&h->sample_keys, sample_key)) ? sample_key : HIST_NONE;
	if (t->sample_key == HIST_NONE)
		return;
	t->leaf = h->opts.frames ? f->frame[own].frame_key : 0;
	if (f->w->frame_dso) {
		count_fp(f, t, event, frame, nr);
		count_end(f, t, frame, nr);
	}
	for (u32 i = 0; i < BUCKET_FRAMES(t); i++)
		frame[i] = word_of(f, frame[i]);
	s->first[sample_key + 1]++;
	shown[0] += nr;
	shown[1] += t->period;
	shown[2] += h->opts.latency ? *bucket_weights(t) : 0;
	shown[3] += cycles_of(h, t);
}

static void mark_dsos(const struct folder *f, u8 *dso_sampled)
{
	for (u32 i = 0; i < f->w->nr_frames; i++) {
		u32 dso = f->is_leaf[i] ? f->h->names.frame.v[f->w->frame_map[i]].dso : ID_NONE;

		if (dso != ID_NONE)
			dso_sampled[dso] = true;
	}
}

static void label_worker(void *arg, unsigned int worker, size_t idx)
{
	struct label_ctx *c = arg;
	struct count_worker *w = &c->workers[idx];
	struct worker_result *s = &c->result[idx];
	struct folder f = { .h = c->h, .w = w, .base_map = c->base_map[idx], .shown = c->shown[idx] };
	u32 nr_sample_keys = c->h->sample_keys.nr, *fill;

	s->buckets = w->buckets;
	s->kstacks = w->kstacks;
	s->places = w->places;
	s->timed = w->timed;
	w->buckets = (struct buckets){ 0 };
	w->kstacks = (struct kstacks){ 0 };
	w->places = (struct places){ 0 };
	w->timed = (struct timed_samples){ 0 };
	s->first = xcalloc(nr_sample_keys + 2, sizeof(u32));
	s->pos = xreallocarray(NULL, s->buckets.nr + 1, sizeof(u32));
	folder_init(&f);
	vec_foreach(&s->kstacks.frame, word)
		*word = word_of(&f, *word);
	BUCKETS_FOREACH(&s->buckets, pos)
		label_bucket(&f, s, buckets_at(&s->buckets, pos));
	if (c->h->opts.frames)
		mark_dsos(&f, c->dso_sampled[idx]);
	c->fp[idx] = f.fp;
	c->ends[idx] = f.ends;
	free(f.frame);
	free(f.is_leaf);
	for (u32 b = 0; b < nr_sample_keys; b++)
		s->first[b + 1] += s->first[b];
	fill = xmemdup(s->first, (nr_sample_keys + 1) * sizeof(*fill));
	BUCKETS_FOREACH(&s->buckets, pos) {
		u32 sample_key = buckets_at(&s->buckets, pos)->sample_key;

		if (sample_key != HIST_NONE)
			s->pos[fill[sample_key]++] = pos;
	}
	free(fill);
}

/* outermost first: the frame itself, then the functions that are inlined there */
static void add_frames(const struct hist *h, const u32 *word, u32 nr, struct path *p)
{
	const struct names *n = &h->names;

	while (nr-- > 0) {
		u32 frame = word[nr] & ~PATH_INLINED;

		if (likely(!(word[nr] & PATH_INLINED))) {
			p->v[p->nr++] = word[nr];
			continue;
		}
		if (word[nr] == PATH_CUT)
			return;		/* everything after it is cut, too */
		vec_reserve(p, p->nr + 1 + n->inl_start[frame + 1] - n->inl_start[frame] + nr);
		p->v[p->nr++] = h->label_of[frame];
		for (u32 k = n->inl_start[frame]; k < n->inl_start[frame + 1]; k++)
			p->v[p->nr++] = h->label_of[n->inl.v[k]];
	}
}

void bucket_path(const struct hist *h, const struct worker_result *s, const struct bucket *t, struct path *p)
{
	const struct kstack_frames *k = &s->kstacks.part.v[t->kstack];

	p->nr = 0;
	vec_reserve(p, BUCKET_FRAMES(t));
	add_frames(h, bucket_frames(&s->buckets, t), BUCKET_FRAMES(t), p);
	vec_reserve(p, p->nr + k->nr);
	add_frames(h, s->kstacks.frame.v + k->first, k->nr, p);
}

static u32 *merge_bases(struct hist *h, const struct count_worker *w)
{
	const struct key_table *from = &w->sample_keys;
	u32 *map = xreallocarray(NULL, from->nr + 1, sizeof(u32));

	for (u32 b = 0; b < from->nr; b++)
		map[b] = merge_base(h, w, key_table_at(from, b));
	return map;
}

static u32 *bases_by_event(const struct hist *h)
{
	u32 nr = h->sample_keys.nr, *sample_key = xreallocarray(NULL, nr + 1, sizeof(u32));
	struct sort_pair *pair = xreallocarray(NULL, 2ull * nr + 1, sizeof(*pair));

	for (u32 b = 0; b < nr; b++)
		pair[b] = (struct sort_pair){ *key_table_at(&h->sample_keys, b), b };
	sort_pairs(pair, pair + nr, nr);
	for (u32 b = 0; b < nr; b++)
		sample_key[b] = pair[b].val;
	free(pair);
	return sample_key;
}

static void label_results(struct hist *h, struct count_worker *workers, struct worker_results *ret)
{
	u32 nr = pool_nr_workers(h->session->pool), nr_dsos = machine_dsos(h->session->machine)->dso.nr;
	struct label_ctx c = { .h = h, .workers = workers, .result = ret->v,
		.base_map = xcalloc(nr, sizeof(*c.base_map)),
		.dso_sampled = xcalloc(nr, sizeof(*c.dso_sampled)), .fp = xcalloc(nr, sizeof(*c.fp)),
		.ends = xcalloc(nr, sizeof(*c.ends)),
		.shown = xcalloc(nr, sizeof(*c.shown)) };
	struct hidx marked = { 0 };

	for (u32 i = 0; i < nr; i++) {
		callers_apply(h, &workers[i]);
		if (h->opts.history)
			history_labels(h, &marked, &workers[i]);
		c.base_map[i] = merge_bases(h, &workers[i]);
		c.dso_sampled[i] = xcalloc_aligned(nr_dsos + 1, 1);
		c.shown[i] = xcalloc_aligned(h->nr_events, sizeof(**c.shown));
	}
	hidx_release(&marked);
	pool_run_shown(h->session->pool, "adding up", nr, label_worker, &c);
	h->dso_sampled = xcalloc(nr_dsos + 1, 1);
	for (u32 i = 0; i < nr; i++) {
		for (u32 e = 0; e < h->nr_events; e++) {
			h->event[e].shown.nr += c.shown[i][e][0];
			h->event[e].shown.period += c.shown[i][e][1];
			h->event[e].shown.latency += c.shown[i][e][2];
			h->event[e].shown.cycles += c.shown[i][e][3];
		}
		for (u32 d = 0; d < nr_dsos; d++)
			h->dso_sampled[d] |= c.dso_sampled[i][d];
		fp_counts_merge(&h->fp, &c.fp[i]);
		vec_release(&c.fp[i]);
		stack_ends_merge(&h->ends, &c.ends[i]);
		stack_ends_release(&c.ends[i]);
		free(c.base_map[i]);
		free(c.dso_sampled[i]);
		free(c.shown[i]);
	}
	free(c.base_map);
	free(c.dso_sampled);
	free(c.fp);
	free(c.ends);
	free(c.shown);
}

static bool keys_need(const struct hist_opts *o, u32 what)
{
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->needs & what)
			return true;
	return false;
}

static bool needs_lines(const struct hist_opts *o)
{
	return (o->chains && o->chain.key != CHAIN_KEY_FUNCTION) || keys_need(o, NEEDS_SRCLINE);
}

void label_buckets(struct hist *h, struct count_worker *workers, struct worker_results *ret)
{
	u32 nr_workers = pool_nr_workers(h->session->pool);
	bool inlines = h->opts.chains && h->opts.inlines;
	struct phase_clock t = phase_start();

	*ret = (struct worker_results){ .v = xcalloc(nr_workers, sizeof(*ret->v)), .nr = nr_workers };
	h->names.session = h->session;
	h->names.full_path = h->opts.full_path;
	h->names.join_unnamed = h->opts.join_unnamed;
	h->names.only_hits = hist_only_hits(&h->opts) && !symbols_are_stored(h->session->symbols);
	merge_frames(h, workers, nr_workers);
	phase_end("merge", &t);
	names_resolve(&h->names, h->opts.symbols || h->opts.chains, inlines);
	if (h->opts.verbose > 0)
		names_take_lowest(&h->names);
	phase_end("names", &t);
	if (inlines)
		names_inlines(&h->names);
	vec_fit(&h->names.frame);
	vec_fit(&h->names.named);
	if (needs_lines(&h->opts))
		names_lines(&h->names);
	if (keys_need(&h->opts, NEEDS_TYPE))
		names_types(&h->names);
	phase_end("inlines", &t);
	label_frames(h);
	filter_frames(h);
	phase_end("labels", &t);
	key_table_init(&h->sample_keys,
		       workers[0].sample_keys.nr_key - (h->opts.mode == COUNT_BRANCHES ? BRANCH_WORDS : 0),
		       0);
	label_results(h, workers, ret);
	hidx_release(&h->frame_keys.idx);		/* nothing is added from now on */
	ret->sample_key = bases_by_event(h);
}

void worker_result_release(struct worker_result *s)
{
	buckets_release(&s->buckets);
	kstacks_release(&s->kstacks);
	vec_release(&s->places);
	blocks_release(&s->timed);
	free(s->pos);
	free(s->first);
	s->pos = s->first = NULL;
}

void worker_results_release(struct worker_results *s)
{
	for (u32 i = 0; i < s->nr; i++)
		worker_result_release(&s->v[i]);
	free(s->v);
	free(s->sample_key);
}
