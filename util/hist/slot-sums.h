/*
 * Slot sums: from places of samples to slots. Each worker adds up the places of its paths; the sums of all
 * workers become hist_slots, once call graphs are made.
 */
#ifndef PERF_HIST_SLOT_SUMS_H
#define PERF_HIST_SLOT_SUMS_H

#include "key-table.h"

struct bucket;
struct hist_slots;
struct worker_result;

/* of the paths of one worker */
struct slot_sums {
	struct key_table slot, lane;
	bool spans;		/* slots are spans */
};
void slot_sums_init(struct slot_sums *k, bool spans);
void slot_sums_release(struct slot_sums *k);
/* the path of a labelled bucket of s ends at that node of a trie, 0: it has no path */
void slot_sums_add(struct slot_sums *into, const struct key_table *sample_keys,
		   const struct worker_result *s, const struct bucket *t, u32 node);
/* node: by node of from the one of into; NULL: the same */
void slot_sums_merge(struct slot_sums *into, const struct slot_sums *from, const u32 *node);
/* fills slots from the sums of all workers */
void slot_sums_finish(const struct slot_sums *k, const struct key_table *sample_keys,
		      struct hist_slots *slots);

#endif
