/* Hist: the phases in order, and the order of entries. */
#include "fold.h"

#include <stdlib.h>
#include <time.h>
#include "../base/log.h"
#include "../base/units.h"

static void take_totals(struct hist *h, struct count_worker *workers)
{
	for (unsigned int i = 0; i < pool_nr_workers(h->session->pool); i++) {
		for (u32 e = 0; e < h->nr_events; e++) {
			h->event[e].total.nr += workers[i].total[e].nr;
			h->event[e].total.period += workers[i].total[e].period;
			h->event[e].shown.nr += workers[i].shown[e].nr;
			h->event[e].shown.period += workers[i].shown[e].period;
		}
		diag_merge(&h->diag, &workers[i].diag);
	}
}

static void log_phase(const char *phase, u64 *since)
{
	u64 now = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	log_vv("%-8s %6lu us of CPU time", phase, (now - *since) / 1000);
	*since = now;
}

struct hist *hist_collect(struct session *s, const struct hist_opts *opts)
{
	unsigned int nr_workers = pool_nr_workers(s->pool);
	struct count_worker *workers = xcalloc(nr_workers, sizeof(*workers));
	struct hist *h = xcalloc(1, sizeof(*h));
	u64 t = clock_ns(CLOCK_PROCESS_CPUTIME_ID);

	h->session = s;
	h->opts = *opts;
	h->nr_events = s->data->evset->ev.nr;
	h->event = xcalloc(h->nr_events, sizeof(*h->event));
	count_run(s, opts, workers);
	take_totals(h, workers);
	log_phase("count", &t);
	for (unsigned int i = 0; i < nr_workers; i++)
		log_vv("worker %u: %lu frames, %lu stacks, %lu rows", i, workers[i].frames.frame.nr,
		       workers[i].stacks.stack.nr, workers[i].rows.nr);
	fold_run(h, workers);
	log_phase("fold", &t);
	for (unsigned int i = 0; i < nr_workers; i++)
		count_worker_release(&workers[i]);
	free(workers);
	entries_make(h);
	log_phase("entries", &t);
	log_vv("%lu frames, %lu names, %lu nodes, %lu rows", h->names.frames.frame.nr, h->names.named.nr, h->trie.node.nr,
	       h->row.nr);
	return h;
}

struct order {
	const struct hist *h;
	const struct field *stat;
	const struct field_ctx *ctx;
};

static int cmp_u64_desc(u64 a, u64 b)
{
	return a < b ? 1 : a > b ? -1 : 0;
}

/* with children the caller stands above the callee where both have the same share */
static int cmp_depth(const struct hist *h, const struct hist_entry *a, const struct hist_entry *b)
{
	int d;

	if (!h->opts.chains || a->base != b->base)
		return 0;
	d = (a->max_depth < b->max_depth) - (a->max_depth > b->max_depth);
	return h->opts.chain.caller ? d : -d;
}

static int cmp_keys(const struct order *o, const struct hist_entry *a, const struct hist_entry *b)
{
	for (u32 i = 0; i < o->h->opts.nr_keys; i++) {
		const struct field *f = o->h->opts.key[i];
		int ret = f->cmp ? f->cmp(o->ctx, a->key[i], b->key[i]) : -cmp_u64_desc(a->key[i], b->key[i]);

		if (ret)
			return ret;
	}
	return 0;
}

static int cmp_entries(const void *pa, const void *pb, void *arg)
{
	const struct hist_entry *a = pa, *b = pb;
	const struct order *o = arg;
	int ret = 0;

	if (o->stat)
		ret = cmp_u64_desc(o->stat->stat(o->ctx, &a->sums), o->stat->stat(o->ctx, &b->sums));
	else if (o->h->opts.children)
		ret = cmp_u64_desc(a->sums.period_children, b->sums.period_children);
	if (!ret && o->h->opts.children)
		ret = cmp_depth(o->h, a, b);
	if (!ret)
		ret = cmp_u64_desc(a->sums.period, b->sums.period);
	return ret ? ret : cmp_keys(o, a, b);
}

void hist_sort(struct hist *h, const struct field *stat, const struct field_ctx *ctx)
{
	struct order o = { h, stat, ctx };

	for (u32 e = 0; e < h->nr_events; e++)
		if (h->event[e].entry.nr)
			qsort_r(h->event[e].entry.v, h->event[e].entry.nr, sizeof(struct hist_entry), cmp_entries, &o);
}

void hist_free(struct hist *h)
{
	if (!h)
		return;
	for (u32 e = 0; e < h->nr_events; e++)
		vec_release(&h->event[e].entry);
	free(h->event);
	names_release(&h->names);
	rows_release(&h->bases);
	rows_release(&h->elabels);
	vec_release(&h->label);
	free(h->label_of);
	trie_release(&h->trie);
	vec_release(&h->row);
	free(h->rowref);
	free(h->topref);
	free(h->cumul_nr);
	free(h->cumul_period);
	free(h->child_first);
	free(h->child);
	vec_release(&h->keys);
	free(h);
}
