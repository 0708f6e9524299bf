/* Count worker: see count-worker.h. */
#include "count-worker.h"

#include <stdlib.h>
#include "../fields/field.h"

void count_worker_release(struct count_worker *w)
{
	resolver_release(&w->resolver);
	lookup_finish(&w->lookup);
	frames_release(&w->lookup.frames);
	key_table_release(&w->sample_keys);
	buckets_release(&w->buckets);
	vec_release(&w->places);
	blocks_release(&w->timed);
	kstacks_release(&w->kstacks);
	free(w->total);
	free(w->pending);
	free(w->pending_sums);
	free(w->frame_map);
	free(w->frame_dso);
	vec_release(&w->mark);
	key_table_release(&w->marked);
	free(w->marked_label);
	arena_release(&w->scratch);
	field_worker_release(&w->fields);
}
