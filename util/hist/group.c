/* Groups: entries with the same keys in several events are one row. */
#include "group.h"

#include <stdlib.h>

struct row_ref {
	u32 id;
	const struct group *g;
	const struct hist *h;
};

static u64 share_of(const struct hist *h, const struct hist_entry *e)
{
	return !e ? 0 : h->opts.children ? e->period_children : hist_entry_period(h, e);
}

static int cmp_member(const struct row_ref *a, const struct row_ref *b, u32 m)
{
	const struct group *g = a->g;
	u64 va = share_of(a->h, g->row[(size_t)a->id * g->nr_members + m]);
	u64 vb = share_of(a->h, g->row[(size_t)b->id * g->nr_members + m]);

	return va < vb ? 1 : va > vb ? -1 : 0;
}

static int cmp_rows(const void *pa, const void *pb)
{
	const struct row_ref *a = pa, *b = pb;
	int ret = a->g->sort_first < a->g->nr_members ? cmp_member(a, b, a->g->sort_first) : 0;

	for (u32 m = 0; m < a->g->nr_members && !ret; m++)
		ret = cmp_member(a, b, m);
	if (ret)
		return ret;
	return a->id < b->id ? -1 : a->id > b->id;	/* as the entries were sorted */
}

static void order_rows(struct group *g, const struct hist *h)
{
	struct row_ref *ref = xreallocarray(NULL, g->nr_rows + 1, sizeof(*ref));
	const struct hist_entry **sorted = xreallocarray(NULL, g->nr_rows * g->nr_members + 1, sizeof(*sorted));
	size_t width = g->nr_members * sizeof(*sorted);

	for (u32 i = 0; i < g->nr_rows; i++)
		ref[i] = (struct row_ref){ i, g, h };
	qsort(ref, g->nr_rows, sizeof(*ref), cmp_rows);
	for (u32 i = 0; i < g->nr_rows; i++)
		memcpy(sorted + (size_t)i * g->nr_members, g->row + (size_t)ref[i].id * g->nr_members, width);
	free(g->row);
	g->row = sorted;
	free(ref);
}

void group_make_rows(struct group *g, const struct hist *h)
{
	struct rows ids;
	struct { VEC(const struct hist_entry *); } cells = { 0 };
	u64 key[HIST_MAX_KEYS + 1];

	rows_init(&ids, h->opts.nr_keys, 0);
	for (u32 m = 0; m < g->nr_members; m++) {
		const struct hist_event *he = &h->event[g->member[m]];

		for (const struct hist_entry *e = he->entry; e < he->entry + he->nr_entries; e++) {
			u32 id;

			for (u32 i = 0; g->nr_members > 1 && i < h->opts.nr_keys; i++)
				key[i] = hist_entry_key(h, e, i);
			id = g->nr_members == 1 ? ids.nr++ : rows_get(&ids, key);
			while (cells.nr < (size_t)ids.nr * g->nr_members)
				vec_push(&cells, NULL);
			cells.v[(size_t)id * g->nr_members + m] = e;
		}
	}
	g->row = cells.v;
	g->nr_rows = ids.nr;
	rows_release(&ids);
	if (g->nr_members > 1)
		order_rows(g, h);
}

void group_release(struct group *g)
{
	free(g->member);
	free(g->row);
	*g = (struct group){ 0 };
}
