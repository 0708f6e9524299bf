/*
 * Sequences: interned sequences of numbers: equal ones have one id, from 0 on. For call chains, of addresses
 * or of ids of frames. A zeroed one is empty.
 */
#ifndef PERF_BASE_SEQUENCES_H
#define PERF_BASE_SEQUENCES_H

#include "hash.h"
#include "vec.h"

struct sequence {
	u64 hash;
	u32 at, nr;		/* in items */
};
struct sequences {
	struct { VEC(u64); } item;
	struct { VEC(struct sequence); } seq;
	struct hidx idx;
};

u64 sequences_hash(const u64 *item, u32 nr);
/* sequences_add() of a sequence whose hash is known */
u32 sequences_add_hashed(struct sequences *s, const u64 *item, u32 nr, u64 hash, bool *ret_new);
/* the id of a sequence, which may be empty; a new one has the highest id so far: *ret_new */
u32 sequences_add(struct sequences *s, const u64 *item, u32 nr, bool *ret_new);
/* its items, until the next one is added; NULL of an empty one */
static inline const u64 *sequences_get(const struct sequences *s, u32 id, u32 *ret_nr)
{
	*ret_nr = s->seq.v[id].nr;
	return *ret_nr ? s->item.v + s->seq.v[id].at : NULL;
}
void sequences_release(struct sequences *s);

#endif
