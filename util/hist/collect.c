/* Collect: the phases in order. */
#include "collect.h"
#include "count.h"
#include "count-worker.h"
#include "entry.h"
#include "frame-labels.h"
#include "label-buckets.h"
#include "merge-frames.h"
#include "paths.h"

#include <stdlib.h>
#include "../base/log.h"
#include "../base/phase.h"
#include "../session/session.h"

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

static bool keys_need(const struct hist_opts *o, u32 what)
{
	for (u32 i = 0; i < o->nr_keys; i++)
		if (o->key[i]->needs & what)
			return true;
	return false;
}

static bool needs_lines(const struct hist_opts *o)
{
	return (o->chains && o->chain.key != CHAIN_KEY_FUNCTION) || keys_need(o, NEEDS_SRCLINE);
}

/* names, inlined functions, lines and types of the merged frames */
static void name_frames(struct hist *h, struct phase_clock *t)
{
	struct names *n = &h->names;
	bool inlines = h->opts.chains && h->opts.inlines;

	n->only_hits = hist_only_hits(&h->opts) && !symbols_are_stored(n->symbols);
	names_resolve(n, h->session, h->opts.symbols || h->opts.chains, inlines);
	if (h->opts.verbose > 0)
		names_take_lowest(n);
	phase_end("names", t);
	if (inlines)
		names_inlines(n);
	vec_fit(&n->frame);
	vec_fit(&n->named);
	if (needs_lines(&h->opts))
		names_lines(n);
	if (keys_need(&h->opts, NEEDS_TYPE))
		names_types(n, h->session);
	phase_end("inlines", t);
}

static struct hist *hist_new(struct session *s, const struct hist_opts *opts)
{
	struct hist *h = xcalloc(1, sizeof(*h));

	h->session = s;
	h->opts = *opts;
	h->nr_events = s->data->evset->ev.nr;
	h->event = xcalloc(h->nr_events, sizeof(*h->event));
	names_init(&h->names, s);
	h->names.full_path = opts->full_path;
	h->names.join_unnamed = opts->join_unnamed;
	return h;
}

static void log_workers(const struct count_worker *workers, unsigned int nr_workers)
{
	for (unsigned int i = 0; i < nr_workers; i++)
		log_vv("worker %u: %lu frames, %lu kernel stacks, %lu buckets", i,
		       workers[i].lookup.frames.frame.nr, workers[i].kstacks.part.nr, workers[i].buckets.nr);
}

static void free_workers(struct count_worker *workers, unsigned int nr_workers)
{
	for (unsigned int i = 0; i < nr_workers; i++)
		count_worker_release(&workers[i]);
	free(workers);
}

/* from samples to the labelled buckets of each worker */
static struct worker_results count_and_label(struct hist *h, struct phase_clock *t)
{
	unsigned int nr_workers = pool_nr_workers(h->session->pool);
	struct count_worker *workers = xcalloc_aligned(nr_workers, sizeof(*workers));
	struct worker_results results;

	count_run(h->session, &h->opts, workers);
	phase_end("count", t);
	log_workers(workers, nr_workers);
	frames_merge(h, workers);
	phase_end("merge", t);
	name_frames(h, t);
	frame_labels_make(h);
	phase_end("labels", t);
	label_buckets(h, workers, &results);
	take_totals(h, workers);
	free_workers(workers, nr_workers);
	phase_end("fold", t);
	return results;
}

struct hist *hist_collect(struct session *s, const struct hist_opts *opts)
{
	struct phase_clock t = phase_start();
	struct hist *h = hist_new(s, opts);
	struct worker_results results = count_and_label(h, &t);

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
