/* Hist: the phases in order. */
#include "paths.h"

#include <stdlib.h>
#include "../base/log.h"
#include "../base/phase.h"

static void take_totals(struct hist *h, struct count_worker *workers)
{
	for (unsigned int i = 0; i < pool_nr_workers(h->session->pool); i++) {
		for (u32 e = 0; e < h->nr_events; e++) {
			h->event[e].total.nr += workers[i].total[e].nr;
			h->event[e].total.period += workers[i].total[e].period;
			h->event[e].total.latency += workers[i].total[e].latency;
		}
		h->parallel |= workers[i].max_parallelism > 1;
		diag_merge(&h->diag, &workers[i].diag);
	}
}

struct hist *hist_collect(struct session *s, const struct hist_opts *opts)
{
	unsigned int nr_workers = pool_nr_workers(s->pool);
	struct count_worker *workers = xcalloc_aligned(nr_workers, sizeof(*workers));
	struct hist *h = xcalloc(1, sizeof(*h));
	struct shares shares;
	struct phase_clock t = phase_start();

	h->session = s;
	h->opts = *opts;
	h->nr_events = s->data->evset->ev.nr;
	h->event = xcalloc(h->nr_events, sizeof(*h->event));
	count_run(s, opts, workers);
	phase_end("count", &t);
	for (unsigned int i = 0; i < nr_workers; i++)
		log_vv("worker %u: %lu frames, %lu kernel stacks, %lu piles", i, workers[i].lookup.frames.frame.nr,
		       workers[i].kstacks.stack.nr, workers[i].piles.nr);
	fold_run(h, workers, &shares);
	take_totals(h, workers);
	for (unsigned int i = 0; i < nr_workers; i++)
		count_worker_release(&workers[i]);
	free(workers);
	phase_end("fold", &t);
	entries_make(h, &shares);
	phase_end("entries", &t);
	paths_make(h, &shares);
	phase_end("paths", &t);
	shares_release(&shares);
	log_vv("%lu frames, %lu names, %lu nodes, %lu items", h->names.frame.nr, h->names.named.nr, h->trie.node.nr,
	       h->item.nr);
	return h;
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	free(h->event);
	blocks_release(&h->entry);
	names_release(&h->names);
	rows_release(&h->bases);
	rows_release(&h->elabels);
	vec_release(&h->label);
	free(h->label_of);
	free(h->keep_frame);
	free(h->dso_hit);
	trie_release(&h->trie);
	vec_release(&h->item);
	vec_release(&h->own);
	vec_release(&h->more);
	free(h);
}
