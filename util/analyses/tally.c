/* Tally: see tally.h. */
#include "tally.h"

#include <stdlib.h>

struct tally_row *tally_at(struct tally_table *t, u64 a, u64 b, u64 c, u64 d)
{
	u64 hash = hash_mix(hash_mix(hash_mix(hash_u64(a), b), c), d);

	return vec_find_or_add(t, &t->idx, hash, row, row->key[0] == a && row->key[1] == b &&
			       row->key[2] == c && row->key[3] == d,
			       (struct tally_row){ .key = { a, b, c, d } });
}

static int by_rank(const void *a, const void *b)
{
	const struct tally_row *x = a, *y = b;

	for (u32 i = 0; i < TALLY_RANKS; i++)
		if (x->rank[i] != y->rank[i])
			return x->rank[i] < y->rank[i] ? 1 : -1;
	return 0;
}

void tally_sort(struct tally_table *t)
{
	hidx_release(&t->idx);
	if (t->nr)
		qsort(t->v, t->nr, sizeof(*t->v), by_rank);
}

void tally_release(struct tally_table *t)
{
	hidx_release(&t->idx);
	vec_release(t);
}

#define GET(type, name, value) \
	type tally_##name(const void *row) { const struct tally_row *r = row; return value; }
GET(u64, n0, r->n[0])
GET(u64, n1, r->n[1])
GET(u64, n2, r->n[2])
GET(u64, n3, r->n[3])
GET(u64, key0, r->key[0])
GET(u64, key1, r->key[1])
GET(const char *, name, r->name)
GET(const char *, comm, r->comm)
