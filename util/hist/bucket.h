/*
 * Buckets: equal samples added up, one bucket per distinct (sample_key, own frame, call chain). Distinct
 * chains can be nearly as many as samples, so a bucket is one span of words with everything in it, and costs
 * one access to the index and one to itself.
 *
 * The kernel parts of chains are in a table of their own: there are few distinct ones, which occur again and
 * again, so they are identified by their recorded addresses, and their frames are looked up once.
 */
#ifndef PERF_HIST_BUCKET_H
#define PERF_HIST_BUCKET_H

#include "../base/blocks.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../event/callchain.h"

struct bucket {
	u32 sample_key;		/* event and the keys that come from samples */
	/* frame of the sample's own address; after labelling, id of its frame-dependent keys */
	u32 leaf;
	u32 kstack;		/* 0: none */
	/* number of frames after the kernel part << 8 | enum stack_why of the chain << 4 | cpumode */
	u32 shape;
	u64 nr, period;
	/*
	 * then come nr_weights sums, nr_places heads, then the frames, innermost first; after labelling,
	 * labels
	 */
};

#define BUCKET_SHAPE(nr, cpumode) ((nr) << 8 | ((cpumode) & 15))
#define BUCKET_SHAPE_WHY(why) ((why) << 4)
#define BUCKET_FRAMES(t) ((t)->shape >> 8)
#define BUCKET_WHY(t) ((t)->shape >> 4 & 15)
#define BUCKET_MODE(t) ((t)->shape & 15)
#define BUCKET_END UINT32_MAX		/* in place of kstack */
#define BUCKET_WORDS (sizeof(struct bucket) / sizeof(u64))

struct buckets {
	struct { BLOCKS(u64); } word;	/* no bucket is in two blocks */
	struct hidx idx;	/* hash -> position in word */
	size_t nr;
	/* of each bucket: none, its latency only, or that and the weights of samples */
	u32 nr_weights;
	u32 nr_places;	/* 1: each has the head of a list of places (places.h) after its weights; or 0 */
};

/* key: sample_key, leaf, kstack, shape; frames: the number that shape contains */
u64 bucket_hash(const struct bucket *key, const u32 *frames);
/*
 * the bucket of that key; if it is new, it is added with zero sums, and the caller must count nr up before it
 * adds another one
 */
struct bucket *buckets_get(struct buckets *t, u64 hash, const struct bucket *key, const u32 *frames);
void buckets_release(struct buckets *t);
/* prefetches the bucket for a buckets_get(); its slot in the index is in the cache already */
void buckets_prefetch(const struct buckets *t, u64 hash);

static inline struct bucket *buckets_at(const struct buckets *t, u32 pos)
{
	return (struct bucket *)blocks_at(&t->word, pos);
}

static inline u64 *bucket_weights(struct bucket *t)
{
	return (u64 *)(t + 1);
}

static inline u64 *bucket_place(const struct buckets *ts, const struct bucket *t)
{
	return (u64 *)(t + 1) + ts->nr_weights;
}

static inline u32 *bucket_frames(const struct buckets *ts, const struct bucket *t)
{
	return (u32 *)((u64 *)(t + 1) + ts->nr_weights + ts->nr_places);
}

static inline u32 bucket_words(const struct buckets *ts, const struct bucket *t)
{
	return BUCKET_WORDS + ts->nr_weights + ts->nr_places + (BUCKET_FRAMES(t) + 1) / 2;
}

/* where the next bucket begins: in the next block if this one is full, which BUCKET_END marks */
static inline u32 buckets_next(const struct buckets *ts, u32 pos)
{
	pos += bucket_words(ts, buckets_at(ts, pos));
	if (pos < ts->word.nr &&
	    (BLOCK_ITEMS - pos % BLOCK_ITEMS < BUCKET_WORDS || buckets_at(ts, pos)->kstack == BUCKET_END))
		pos = (pos | (BLOCK_ITEMS - 1)) + 1;
	return pos;
}

#define BUCKETS_FOREACH(ts, pos) \
	for (u32 pos = 0; pos < (ts)->word.nr; pos = buckets_next(ts, pos))

/*
 * a distinct run of kernel addresses, and the span of time in which its frames are valid, both ends exclusive
 */
struct kstack {
	u64 from, to;
	u32 first_ip;		/* in ip[] */
	u32 high;		/* the upper halves of all its addresses */
	u32 nr : 31;
	u32 wide : 1;		/* upper halves differ: ip[] has whole addresses */
	u32 nr_exact;		/* as in struct chain_run */
	u32 same;		/* the first run with the same frames: the only one of them in buckets */
	u32 leaf;		/* its innermost frame: frame[] is not read for each sample; 0: none */
};

/* the frames of a run that is the first with them */
struct kstack_frames {
	u32 first, nr;		/* in frame[] */
};

struct kstacks {
	struct { VEC(struct kstack); } stack;	/* [0] is the empty one */
	struct { VEC(u32); } ip;	/* lower halves of addresses: they are most of the table */
	struct { VEC(struct kstack_frames); } part;	/* of each stack */
	struct { VEC(u32); } frame;		/* after labelling, labels */
	struct hidx idx, by_frames;
};

void kstacks_init(struct kstacks *k);
/* the run with these addresses at that time, or 0 */
u32 kstacks_find(const struct kstacks *k, u64 hash, const struct chain_run *run, u64 time);
/*
 * prefetch for a kstacks_find(), in two steps, when its slot in the index is in the cache already: first the
 * run, then its addresses
 */
void kstacks_prefetch(const struct kstacks *k, u64 hash);
void kstacks_prefetch_ips(const struct kstacks *k, u64 hash);
/* a new one: the caller fills in frame[] and the span of time, then calls kstacks_added() */
struct kstack *kstacks_add(struct kstacks *k, u64 hash, const struct chain_run *run);
/* looks for an earlier run with the frames of the last one, whose own copy is dropped if there is one */
void kstacks_added(struct kstacks *k);
/* releases what only adding and looking up need; the frames stay */
void kstacks_finish(struct kstacks *k);
void kstacks_release(struct kstacks *k);

#endif
