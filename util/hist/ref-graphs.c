/* Reference graphs: see ref-graphs.h. */
#include "ref-graphs.h"

#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include "key-table.h"

struct ref_graphs {
	const struct hist *h;
	u32 event;
	struct hidx idx;	/* entries of the event, by their keys */
};

static bool has_chains(const struct hist *h, u32 event)
{
	return evset_at(h->session->data->evset, event)->attr.sample_type & PERF_SAMPLE_CALLCHAIN;
}

/* what is counted first is the event: keys are the words after it */
static u64 hash_of_keys(const struct hist *h, const struct hist_entry *e)
{
	const u64 *word = key_table_at(&h->sample_keys, e->sample_key);
	u64 hash = hash_u64(e->frame_key);

	for (u32 i = 1; i < h->sample_keys.nr_key; i++)
		hash = hash_u64(hash ^ word[i]);
	return hash;
}

static bool equal_keys(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	return a->frame_key == b->frame_key &&
	       !memcmp(key_table_at(&h->sample_keys, a->sample_key) + 1,
		       key_table_at(&h->sample_keys, b->sample_key) + 1,
		       (h->sample_keys.nr_key - 1) * sizeof(u64));
}

struct ref_graphs *ref_graphs_new(const struct hist *h, u32 event)
{
	struct ref_graphs *g;
	u32 ref = 0;

	while (ref < h->nr_events && (!has_chains(h, ref) || !h->event[ref].nr_entries))
		ref++;
	if (has_chains(h, event) || ref == h->nr_events)
		return NULL;
	g = xcalloc(1, sizeof(*g));
	g->h = h;
	g->event = ref;
	for (size_t i = 0; i < h->event[ref].nr_entries; i++) {
		size_t id = h->event[ref].first + i;

		hidx_insert(&g->idx, hash_of_keys(h, blocks_at(&h->entry, id)), id);
	}
	return g;
}

void ref_graphs_free(struct ref_graphs *g)
{
	if (g)
		hidx_release(&g->idx);
	free(g);
}

u32 ref_graphs_event(const struct ref_graphs *g)
{
	return g->event;
}

const struct hist_entry *ref_graphs_find(const struct ref_graphs *g, const struct hist_entry *e)
{
	u32 id;

	HIDX_FOREACH(&g->idx, hash_of_keys(g->h, e), id) {
		const struct hist_entry *found = blocks_at(&g->h->entry, id);

		if (equal_keys(g->h, e, found))
			return found;
	}
	return NULL;
}
