/* Buckets: see bucket.h. */
#include "bucket.h"

#include <string.h>

u64 bucket_hash(const struct bucket *key, const u32 *frames)
{
	u32 nr = BUCKET_FRAMES(key), i;
	u64 h = hash_mix(key->sample_key | (u64)key->leaf << 32, key->kstack | (u64)key->shape << 32);

	for (i = 0; i + 1 < nr; i += 2)
		h = hash_mix(h, frames[i] | (u64)frames[i + 1] << 32);
	if (i < nr)
		h = hash_mix(h, frames[i]);
	return hash_u64(h);
}

static bool same_frames(const u32 *a, const u32 *b, u32 nr)
{
	for (u32 i = 0; i < nr; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* makes room for a bucket of this many words; returns its position */
static u32 make_room(struct buckets *ts, u32 words)
{
	u32 room = BLOCK_ITEMS - ts->word.nr % BLOCK_ITEMS;
	u32 pos;

	if (room < words) {
		if (room >= BUCKET_WORDS)
			buckets_at(ts, ts->word.nr)->kstack = BUCKET_END;
		ts->word.nr += room;
	}
	blocks_make_room(&ts->word);
	pos = ts->word.nr;
	ts->word.nr += words;
	ts->nr++;
	return pos;
}

struct bucket *buckets_get(struct buckets *ts, u64 hash, const struct bucket *key, const u32 *frames)
{
	u32 nr = BUCKET_FRAMES(key), words = bucket_words(ts, key), pos;
	struct bucket *t;

	HIDX_FOREACH(&ts->idx, hash, pos) {
		t = buckets_at(ts, pos);
		if (t->sample_key == key->sample_key && t->leaf == key->leaf && t->kstack == key->kstack &&
		    t->shape == key->shape && same_frames(bucket_frames(ts, t), frames, nr))
			return t;
	}
	pos = make_room(ts, words);
	t = buckets_at(ts, pos);
	memset(t, 0, words * sizeof(u64));
	*t = (struct bucket){ .sample_key = key->sample_key, .leaf = key->leaf, .kstack = key->kstack,
			      .shape = key->shape };
	if (nr)
		memcpy(bucket_frames(ts, t), frames, nr * sizeof(*frames));
	hidx_insert(&ts->idx, hash, pos);
	return t;
}

void buckets_prefetch(const struct buckets *ts, u64 hash)
{
	u32 pos = hidx_first(&ts->idx, hash);

	if (pos != HIDX_NONE)
		__builtin_prefetch(buckets_at(ts, pos));
}

void buckets_release(struct buckets *ts)
{
	blocks_release(&ts->word);
	hidx_release(&ts->idx);
	ts->nr = 0;
}

void kstacks_init(struct kstacks *k)
{
	vec_push(&k->stack, (struct kstack){ 0 });
}

u32 kstacks_find(const struct kstacks *k, u64 hash, const struct chain_run *run, u64 time)
{
	u32 id;

	HIDX_FOREACH(&k->idx, hash, id) {
		const struct kstack *s = &k->stack.v[id];

		if (s->nr == run->nr && s->nr_exact == run->nr_exact && time > s->from && time < s->to &&
		    !memcmp(k->ip.v + s->first_ip, run->ip, run->nr * sizeof(*run->ip)))
			return id;
	}
	return 0;
}

void kstacks_prefetch(const struct kstacks *k, u64 hash)
{
	u32 id = hidx_first(&k->idx, hash);

	if (id != HIDX_NONE)
		__builtin_prefetch(&k->stack.v[id]);
}

void kstacks_prefetch_ips(const struct kstacks *k, u64 hash)
{
	u32 id = hidx_first(&k->idx, hash);

	if (id != HIDX_NONE) {
		__builtin_prefetch(&k->ip.v[k->stack.v[id].first_ip]);
		__builtin_prefetch(&k->ip.v[k->stack.v[id].first_ip + 8]);
	}
}

struct kstack *kstacks_add(struct kstacks *k, u64 hash, const struct chain_run *run)
{
	vec_reserve(&k->ip, k->ip.nr + run->nr);
	vec_reserve(&k->frame, k->frame.nr + run->nr);
	memcpy(k->ip.v + k->ip.nr, run->ip, run->nr * sizeof(*run->ip));
	hidx_insert(&k->idx, hash, k->stack.nr);
	vec_push(&k->stack, (struct kstack){ .to = UINT64_MAX, .first_ip = k->ip.nr, .first = k->frame.nr,
					    .nr = run->nr, .nr_exact = run->nr_exact });
	k->ip.nr += run->nr;
	k->frame.nr += run->nr;
	return &k->stack.v[k->stack.nr - 1];
}

static u32 same_as(struct kstacks *k, const struct kstack *last, u32 own)
{
	const u32 *frame = k->frame.v + last->first;
	u64 hash = hash_bytes(frame, last->nr * sizeof(*frame));
	u32 id;

	HIDX_FOREACH(&k->by_frames, hash, id) {
		const struct kstack *s = &k->stack.v[id];

		if (s->nr == last->nr && same_frames(k->frame.v + s->first, frame, s->nr))
			return id;
	}
	hidx_insert(&k->by_frames, hash, own);
	return own;
}

void kstacks_added(struct kstacks *k)
{
	struct kstack *last = &k->stack.v[k->stack.nr - 1];

	last->same = same_as(k, last, k->stack.nr - 1);
	if (last->same != k->stack.nr - 1)
		k->frame.nr = last->first;
}

void kstacks_finish(struct kstacks *k)
{
	hidx_release(&k->idx);
	hidx_release(&k->by_frames);
	vec_release(&k->ip);
}

void kstacks_release(struct kstacks *k)
{
	kstacks_finish(k);
	vec_release(&k->stack);
	vec_release(&k->frame);
}
