/*
 * Hashing, and hidx: an index from hash values to u32 ids. The caller keeps the elements (usually in a vec,
 * the id being the position) and compares them; hidx keeps only (hash, id) pairs. Open addressing, grows by
 * itself. A zeroed one is empty.
 *
 *	u32 id;
 *	HIDX_FOREACH(&idx, hash, id)
 *		if (equal(&elems.v[id], key))
 *			return id;
 *	hidx_insert(&idx, hash, elems.nr);
 */
#ifndef PERF_BASE_HASH_H
#define PERF_BASE_HASH_H

#include "types.h"

#define HIDX_NONE UINT32_MAX

struct hidx_slot {
	u32 hash, id;
};
struct hidx {
	struct hidx_slot *slot;
	u32 mask, nr;
};

/* all bits of the result depend on all bits of the argument */
static inline u64 hash_u64(u64 v)
{
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ull;
	v ^= v >> 32;
	v *= 0xd6e8feb86659fd93ull;
	return v ^ (v >> 32);
}

static inline u64 hash_mix(u64 h, u64 v)
{
	return (((h << 5) | (h >> 59)) ^ v) * 0x9e3779b97f4a7c15ull;
}

u64 hash_bytes(const void *data, size_t len);
u64 hash_str(const char *s);

void hidx_insert(struct hidx *h, u64 hash, u32 id);
/* reserves room for this number of insertions into an empty index */
void hidx_reserve(struct hidx *h, u32 nr);
void hidx_release(struct hidx *h);
/* empties it; what it needed is kept for about as many insertions */
void hidx_clear(struct hidx *h);

struct hidx_iter {
	u32 pos, hash;
};

static inline struct hidx_iter hidx_start(const struct hidx *h, u64 hash)
{
	u32 h32 = (u32)(hash ^ (hash >> 32));

	return (struct hidx_iter){ .pos = h32 & h->mask, .hash = h32 };
}

/* prefetches the first slot of a hash, so that a later look-up finds it in the cache */
static inline void hidx_prefetch(const struct hidx *h, u64 hash)
{
	if (h->slot)
		__builtin_prefetch(&h->slot[(u32)(hash ^ (hash >> 32)) & h->mask]);
}

static inline u32 hidx_next(const struct hidx *h, struct hidx_iter *it)
{
	if (!h->slot)
		return HIDX_NONE;
	for (;;) {
		const struct hidx_slot *s = &h->slot[it->pos];

		if (s->id == HIDX_NONE)
			return HIDX_NONE;
		it->pos = (it->pos + 1) & h->mask;
		if (s->hash == it->hash)
			return s->id;
	}
}

/* loops over every id that was inserted with this hash, and perhaps some with other hashes: compare */
#define HIDX_FOREACH(h, hashval, ret_id) \
	for (struct hidx_iter _it = hidx_start(h, hashval); (ret_id = hidx_next(h, &_it)) != HIDX_NONE;)

/*
 * The address of the element of a vec (vec.h) for which is_same holds, an expression of e, an element's
 * address; without one a new element with the value at the end is appended. Elements with the same hash
 * must be in the index by their position:
 *
 *	return vec_find_or_add(&t->row, &t->by_key, hash_u64(key), e, e->key == key,
 *			       (struct row){ .key = key });
 */
#define vec_find_or_add(vec, idx, hash_, e, is_same, ...) ({ \
	u32 at_ = vec_find_or_add_id(vec, idx, hash_, e, is_same, __VA_ARGS__); \
	&(vec)->v[at_]; \
})
/* the same; gives its position */
#define vec_find_or_add_id(vec, idx, hash_, e, is_same, ...) ({ \
	u64 wanted_ = (hash_); \
	u32 id_; \
\
	HIDX_FOREACH(idx, wanted_, id_) { \
		typeof(&(vec)->v[0]) e = &(vec)->v[id_]; \
		if (is_same) \
			break; \
	} \
	if (id_ == HIDX_NONE) { \
		id_ = (vec)->nr; \
		hidx_insert(idx, wanted_, id_); \
		vec_push(vec, __VA_ARGS__); \
	} \
	id_; \
})

/*
 * the id that a look-up compares first, so that its element can be prefetched; HIDX_NONE if the hash was
 * never inserted
 */
static inline u32 hidx_first(const struct hidx *h, u64 hash)
{
	struct hidx_iter it = hidx_start(h, hash);

	return hidx_next(h, &it);
}

#endif
