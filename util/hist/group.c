/* Groups: entries with the same keys in several events are one row. */
#include "group.h"

#include <stdlib.h>
#include "../fields/field-family.h"

struct row_ref {
	u32 id;
	const struct group *g;
	const struct hist *h;
};

static u64 number_of(const struct row_ref *r, const struct field *f, u32 member)
{
	const struct hist_entry *e = r->g->row[(size_t)r->id * r->g->nr_members + member];
	struct stat_sums sums;

	if (!e)
		return 0;
	if (f == &field_overhead)
		return hist_entry_period(r->h, e);
	if (f == &field_overhead_children)
		return e->period_children;
	sums = hist_entry_sums(r->h, e);
	return f->stat(r->g->ctx, &sums);
}

static int cmp_member(const struct row_ref *a, const struct row_ref *b, const struct field *f, u32 m)
{
	u64 va = number_of(a, f, m), vb = number_of(b, f, m);

	return va < vb ? 1 : va > vb ? -1 : 0;
}

static int cmp_number(const struct row_ref *a, const struct row_ref *b, const struct field *f)
{
	const struct group *g = a->g;
	int ret = g->sort_first < g->nr_members ? cmp_member(a, b, f, g->sort_first) : 0;

	for (u32 m = 0; m < g->nr_members && !ret; m++)
		ret = cmp_member(a, b, f, m);
	return ret;
}

static int cmp_rows(const void *pa, const void *pb)
{
	const struct row_ref *a = pa, *b = pb;
	const struct group *g = a->g;
	int ret = 0;

	for (u32 i = 0; i < g->nr_by && g->by[i]->kind == FIELD_STAT && !ret; i++)
		ret = cmp_number(a, b, g->by[i]);
	if (!g->nr_by || g->by[0]->kind != FIELD_STAT)
		ret = cmp_number(a, b, a->h->opts.children ? &field_overhead_children : &field_overhead);
	if (ret)
		return ret;
	return a->id < b->id ? -1 : a->id > b->id;	/* in the order of the entries */
}

static void order_rows(struct group *g, const struct hist *h)
{
	struct row_ref *ref = xreallocarray(NULL, g->nr_rows + 1, sizeof(*ref));
	const struct hist_entry **sorted = xreallocarray(NULL, g->nr_rows * g->nr_members + 1,
							 sizeof(*sorted));
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
	struct key_table ids;
	struct { VEC(const struct hist_entry *); } cells = { 0 };
	u64 key[HIST_MAX_KEYS + 1];

	key_table_init(&ids, h->opts.nr_keys, 0);
	for (u32 m = 0; m < g->nr_members; m++) {
		const struct hist_event *he = &h->event[g->member[m]];

		for (size_t n = he->first; n < he->first + he->nr_entries; n++) {
			const struct hist_entry *e = blocks_at(&h->entry, n);
			u32 id;

			for (u32 i = 0; g->nr_members > 1 && i < h->opts.nr_keys; i++)
				key[i] = hist_entry_key(h, e, i);
			id = g->nr_members == 1 ? ids.nr++ : key_table_get(&ids, key);
			while (cells.nr < (size_t)ids.nr * g->nr_members)
				vec_push(&cells, NULL);
			cells.v[(size_t)id * g->nr_members + m] = e;
		}
	}
	g->row = cells.v;
	g->nr_rows = ids.nr;
	key_table_release(&ids);
	if (g->nr_members > 1)
		order_rows(g, h);
}

void group_release(struct group *g)
{
	free(g->member);
	free(g->row);
	*g = (struct group){ 0 };
}

u32 *group_last_members(const struct evset *set)
{
	u32 *last = xcalloc(set->ev.nr + 1, sizeof(*last));

	for (u32 i = 0; i < set->ev.nr; i++)
		last[evset_at(set, i)->leader] = i;
	return last;
}
