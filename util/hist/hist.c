/* Hist: the phases in order. */
#include "paths.h"

#include <stdlib.h>
#include "../base/log.h"
#include "../base/phase.h"

static void take_totals(struct hist *h, struct count_worker *workers)
{
	struct unwind_guesses guesses = { 0 };
	u64 nr = 0, nr_parallel = 0;

	for (unsigned int i = 0; i < pool_nr_workers(h->session->pool); i++) {
		for (u32 e = 0; e < h->nr_events; e++) {
			h->event[e].total.nr += workers[i].total[e].nr;
			nr += workers[i].total[e].nr;
			h->event[e].total.period += workers[i].total[e].period;
			h->event[e].total.latency += workers[i].total[e].latency;
			h->event[e].total.cycles += workers[i].total[e].cycles;
		}
		nr_parallel += workers[i].nr_parallel;
		diag_merge(&h->diag, &workers[i].diag);
		unwind_take_guesses(workers[i].resolver.unwind, &guesses);
		h->ends.whole = MAX(h->ends.whole, unwind_whole_stack(workers[i].resolver.unwind));
	}
	h->parallel = nr_parallel > nr / 100;
	unwind_log_guesses(&guesses, machine_dsos(h->session->machine));
	vec_release(&guesses);
}

struct hist *hist_collect(struct session *s, const struct hist_opts *opts)
{
	unsigned int nr_workers = pool_nr_workers(s->pool);
	struct count_worker *workers = xcalloc_aligned(nr_workers, sizeof(*workers));
	struct hist *h = xcalloc(1, sizeof(*h));
	struct worker_results results;
	struct phase_clock t = phase_start();

	h->session = s;
	h->opts = *opts;
	h->nr_events = s->data->evset->ev.nr;
	h->event = xcalloc(h->nr_events, sizeof(*h->event));
	count_run(s, opts, workers);
	phase_end("count", &t);
	for (unsigned int i = 0; i < nr_workers; i++)
		log_vv("worker %u: %lu frames, %lu kernel stacks, %lu buckets", i,
		       workers[i].lookup.frames.frame.nr, workers[i].kstacks.part.nr, workers[i].buckets.nr);
	label_buckets(h, workers, &results);
	take_totals(h, workers);
	for (unsigned int i = 0; i < nr_workers; i++)
		count_worker_release(&workers[i]);
	free(workers);
	phase_end("fold", &t);
	entries_make(h, &results);
	phase_end("entries", &t);
	if (hist_only_hits(opts))
		alloc_give_back();
	paths_make(h, &results);
	phase_end("paths", &t);
	worker_results_release(&results);
	if (hist_only_hits(opts))
		alloc_give_back();
	log_vv("%lu frames, %lu names, %lu nodes, %lu items", h->names.frame.nr, h->names.named.nr,
	       h->trie.node.nr, h->item.nr);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	free(h->event);
	blocks_release(&h->entry);
	names_release(&h->names);
	key_table_release(&h->sample_keys);
	key_table_release(&h->frame_keys);
	vec_release(&h->carried_key);
	vec_release(&h->label);
	free(h->label_of);
	free(h->keep_frame);
	free(h->dso_sampled);
	trie_release(&h->trie);
	vec_release(&h->item);
	vec_release(&h->end);
	vec_release(&h->end_sum);
	vec_release(&h->marked_frame);
	vec_release(&h->own);
	vec_release(&h->more);
	vec_release(&h->mem);
	hist_slots_release(&h->slots);
	blocks_release(&h->timed);
	vec_release(&h->fp);
	stack_ends_release(&h->ends);
	free(h);
}
