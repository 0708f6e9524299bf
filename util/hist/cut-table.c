/* Cut table: see cut-table.h. */
#include "cut-table.h"

#include <stdlib.h>

#include "../base/alloc.h"

#define FIRST_SLOTS 1024u

void cut_table_init(struct cut_table *t, u32 limit)
{
	*t = (struct cut_table){ .mask = FIRST_SLOTS - 1, .limit = limit };
	t->slot = xcalloc(FIRST_SLOTS, sizeof(*t->slot));
}

void cut_table_release(struct cut_table *t)
{
	free(t->slot);
	free(t->array);
}

void cut_table_drop(struct cut_table *t, u64 min)
{
	struct cut_table old = *t;
	size_t nr = old.slot ? old.mask + 1ul : old.limit;

	cut_table_init(t, old.limit);
	for (u32 i = 0; i < nr; i++) {
		u64 sum = old.slot ? old.slot[i].sum : old.array[i];

		if (sum >= min && sum)
			cut_table_add(t, old.slot ? old.slot[i].number - 1 : i, sum);
	}
	cut_table_release(&old);
}

/* the slots were less than half as large as an array, or there will be one from now on */
void cut_table_grow(struct cut_table *t)
{
	struct cut_table old = *t;
	size_t nr = 2 * ((size_t)t->mask + 1);

	if (nr * sizeof(*t->slot) < t->limit * sizeof(*t->array)) {
		t->mask = nr - 1;
		t->slot = xcalloc(nr, sizeof(*t->slot));
	} else {
		t->slot = NULL;
		t->array = xcalloc(t->limit, sizeof(*t->array));
	}
	t->nr = 0;
	for (u32 i = 0; i <= old.mask; i++)
		if (old.slot[i].number)
			cut_table_add(t, old.slot[i].number - 1, old.slot[i].sum);
	free(old.slot);
}
