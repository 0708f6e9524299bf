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
	vec_push(&k->part, (struct kstack_frames){ 0, 0 });
}

static bool same_addresses(const struct kstacks *k, const struct kstack *s, const u64 *ip)
{
	const u32 *known = k->ip.v + s->first_ip;

	if (unlikely(s->wide))
		return !memcmp(known, ip, s->nr * sizeof(*ip));
	for (u32 i = 0; i < s->nr; i++)
		if (ip[i] != ((u64)s->high << 32 | known[i]))
			return false;
	return true;
}

u32 kstacks_find(const struct kstacks *k, u64 hash, const struct chain_run *run, u64 time)
{
	u32 id;

	HIDX_FOREACH(&k->idx, hash, id) {
		const struct kstack *s = &k->stack.v[id];

		if (s->nr == run->nr && s->nr_exact == run->nr_exact && time > s->from && time < s->to &&
		    same_addresses(k, s, run->ip))
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
		__builtin_prefetch(&k->ip.v[k->stack.v[id].first_ip + 16]);
	}
}

static void add_addresses(struct kstacks *k, struct kstack *s, const struct chain_run *run)
{
	u32 *ip;

	s->first_ip = k->ip.nr;
	s->high = run->nr ? run->ip[0] >> 32 : 0;
	for (u64 i = 0; i < run->nr; i++)
		s->wide |= run->ip[i] >> 32 != s->high;
	vec_reserve(&k->ip, k->ip.nr + run->nr * (1 + s->wide));
	ip = k->ip.v + k->ip.nr;
	k->ip.nr += run->nr * (1 + s->wide);
	if (s->wide)
		memcpy(ip, run->ip, run->nr * sizeof(*run->ip));
	else
		for (u64 i = 0; i < run->nr; i++)
			ip[i] = run->ip[i];
}

struct kstack *kstacks_add(struct kstacks *k, u64 hash, const struct chain_run *run)
{
	struct kstack s = { .to = UINT64_MAX, .nr = run->nr, .nr_exact = run->nr_exact };

	vec_reserve(&k->frame, k->frame.nr + run->nr);
	add_addresses(k, &s, run);
	hidx_insert(&k->idx, hash, k->stack.nr);
	vec_push(&k->stack, s);
	vec_push(&k->part, (struct kstack_frames){ k->frame.nr, run->nr });
	k->frame.nr += run->nr;
	return &k->stack.v[k->stack.nr - 1];
}

static u32 same_as(struct kstacks *k, u32 own)
{
	const struct kstack_frames *last = &k->part.v[own];
	const u32 *frame = k->frame.v + last->first;
	u64 hash = hash_bytes(frame, last->nr * sizeof(*frame));
	u32 id;

	HIDX_FOREACH(&k->by_frames, hash, id) {
		const struct kstack_frames *s = &k->part.v[id];

		if (s->nr == last->nr && same_frames(k->frame.v + s->first, frame, s->nr))
			return id;
	}
	hidx_insert(&k->by_frames, hash, own);
	return own;
}

void kstacks_added(struct kstacks *k)
{
	u32 last = k->stack.nr - 1, same = same_as(k, last);

	k->stack.v[last].same = same;
	k->stack.v[last].leaf = k->part.v[last].nr ? k->frame.v[k->part.v[last].first] : 0;
	if (same != last)
		k->frame.nr = k->part.v[last].first;
}

void kstacks_finish(struct kstacks *k)
{
	hidx_release(&k->idx);
	hidx_release(&k->by_frames);
	vec_release(&k->ip);
	vec_release(&k->stack);
}

void kstacks_release(struct kstacks *k)
{
	kstacks_finish(k);
	vec_release(&k->part);
	vec_release(&k->frame);
}
