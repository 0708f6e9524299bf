/* Label buckets: see label-buckets.h. */
#include "label-buckets.h"
#include "address-frames.h"
#include "branch-history.h"
#include "callers.h"

#include <stdlib.h>
#include "../base/sort.h"
#include "../session/session.h"

struct label_ctx {
	struct hist *h;
	struct count_worker *workers;
	struct worker_result *result;
	u32 **key_map;		/* per worker: its sample_keys -> those of the hist */
	u64 (**shown)[4];	/* per worker, then event: samples, period, latency, cycles of branches */
	u8 **dso_sampled;		/* per worker */
	struct fp_counts *fp;	/* per worker */
	struct stack_ends *ends;	/* per worker */
};

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

static u32 merge_sample_key(struct hist *h, const struct count_worker *w, const u64 *sample_key)
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
	const u32 *key_map;
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
	u32 sample_key = f->key_map[t->sample_key], event = *key_table_at(&h->sample_keys, sample_key);
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
	struct folder f = { .h = c->h, .w = w, .key_map = c->key_map[idx], .shown = c->shown[idx] };
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

static u32 *merge_sample_keys(struct hist *h, const struct count_worker *w)
{
	const struct key_table *from = &w->sample_keys;
	u32 *map = xreallocarray(NULL, from->nr + 1, sizeof(u32));

	for (u32 b = 0; b < from->nr; b++)
		map[b] = merge_sample_key(h, w, key_table_at(from, b));
	return map;
}

static u32 *sample_keys_by_event(const struct hist *h)
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
		.key_map = xcalloc(nr, sizeof(*c.key_map)),
		.dso_sampled = xcalloc(nr, sizeof(*c.dso_sampled)), .fp = xcalloc(nr, sizeof(*c.fp)),
		.ends = xcalloc(nr, sizeof(*c.ends)),
		.shown = xcalloc(nr, sizeof(*c.shown)) };
	struct hidx marked = { 0 };

	for (u32 i = 0; i < nr; i++) {
		callers_apply(h, &workers[i]);
		if (h->opts.history)
			history_labels(h, &marked, &workers[i]);
		c.key_map[i] = merge_sample_keys(h, &workers[i]);
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
		free(c.key_map[i]);
		free(c.dso_sampled[i]);
		free(c.shown[i]);
	}
	free(c.key_map);
	free(c.dso_sampled);
	free(c.fp);
	free(c.ends);
	free(c.shown);
}

void label_buckets(struct hist *h, struct count_worker *workers, struct worker_results *ret)
{
	u32 nr_workers = pool_nr_workers(h->session->pool);

	*ret = (struct worker_results){ .v = xcalloc(nr_workers, sizeof(*ret->v)), .nr = nr_workers };
	key_table_init(&h->sample_keys,
		       workers[0].sample_keys.nr_key - (h->opts.mode == COUNT_BRANCHES ? BRANCH_WORDS : 0),
		       0);
	label_results(h, workers, ret);
	hidx_release(&h->frame_keys.idx);		/* nothing is added from now on */
	ret->sample_key = sample_keys_by_event(h);
}
