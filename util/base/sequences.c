/* Sequences: see sequences.h. */
#include "sequences.h"

#include <string.h>

static bool is_equal(const struct sequences *s, const struct sequence *q, const u64 *item, u32 nr)
{
	return q->nr == nr && (!nr || !memcmp(s->item.v + q->at, item, nr * sizeof(*item)));
}

u64 sequences_hash(const u64 *item, u32 nr)
{
	return hash_bytes(item, nr * sizeof(*item));
}

u32 sequences_add(struct sequences *s, const u64 *item, u32 nr, bool *ret_new)
{
	return sequences_add_hashed(s, item, nr, sequences_hash(item, nr), ret_new);
}

u32 sequences_add_hashed(struct sequences *s, const u64 *item, u32 nr, u64 hash, bool *ret_new)
{
	u32 id;

	*ret_new = false;
	HIDX_FOREACH(&s->idx, hash, id)
		if (s->seq.v[id].hash == hash && is_equal(s, &s->seq.v[id], item, nr))
			return id;
	*ret_new = true;
	id = s->seq.nr;
	hidx_insert(&s->idx, hash, id);
	vec_push(&s->seq, (struct sequence){ .hash = hash, .at = s->item.nr, .nr = nr });
	for (u32 i = 0; i < nr; i++)
		vec_push(&s->item, item[i]);
	return id;
}

void sequences_release(struct sequences *s)
{
	vec_release(&s->item);
	vec_release(&s->seq);
	hidx_release(&s->idx);
}
