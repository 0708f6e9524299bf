/* What a trace says of samples of other events: see history.h. */
#include "history.h"
#include "queues.h"
#include "../base/hash.h"
#include "../base/search.h"

#include <stdlib.h>

struct aux_history {
	bool of_cpus;		/* streams are of CPUs, rather than of threads */
	struct { VEC(struct aux_moment); } moment;	/* sorted by stream and time */
	size_t next, end;	/* those of a stream that is walked */
	struct { VEC(u64); } chain;
	struct { VEC(struct branch_entry); } branch;
	struct hidx idx;	/* moments by record, once all is found */
};

void aux_history_free(struct aux_history *h)
{
	if (!h)
		return;
	vec_release(&h->moment);
	vec_release(&h->chain);
	vec_release(&h->branch);
	hidx_release(&h->idx);
	free(h);
}

static bool find(const void *ctx, const u8 *rec, struct sample_history *ret)
{
	const struct aux_history *h = ctx;
	u32 i;

	HIDX_FOREACH(&h->idx, hash_u64((uintptr_t)rec), i) {
		const struct aux_moment *m = &h->moment.v[i];

		if (m->rec != rec)
			continue;
		*ret = (struct sample_history){ h->chain.v + m->chain, m->nr_chain, h->branch.v + m->branch,
						m->nr_branches };
		return true;
	}
	return false;
}

void aux_history_open(struct aux *a, bool chains, bool branches)
{
	const u64 fields = (chains ? ABI_SAMPLE_CALLCHAIN : 0) | (branches ? ABI_SAMPLE_BRANCH_STACK : 0);

	a->history = xcalloc(1, sizeof(*a->history));
	vec_foreach(&a->data->evset->ev, p) {
		struct event *ev = *p;
		u64 added = fields & ~ev->attr.sample_type;

		if (ev->attr.type == aux_pmu_type(a) || !(ev->attr.sample_type & ABI_SAMPLE_TIME) || !added)
			continue;
		for (u32 i = 0; i < AUX_EVENTS_MAX; i++)
			if (a->event[i].on && a->event[i].idx == ev->idx)
				added = 0;
		if (!added)
			continue;
		sample_plan_set_history(a->data->plan, ev, added, find, a->history);
		ev->attr.sample_type |= added;
		if (added & ABI_SAMPLE_BRANCH_STACK)
			ev->attr.branch_sample_type = ABI_BRANCH_ANY;
	}
}

void aux_history_see(struct aux_history *h, const struct rec *rec, const struct sample *sm)
{
	vec_push(&h->moment, (struct aux_moment){ .rec = rec->p, .time = sm->time, .ip = sm->ip,
						  .cpu = sm->cpu, .tid = sm->tid });
}

static int cmp_cpu(const void *pa, const void *pb)
{
	const struct aux_moment *a = pa, *b = pb;

	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

static int cmp_tid(const void *pa, const void *pb)
{
	const struct aux_moment *a = pa, *b = pb;

	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return a->time < b->time ? -1 : a->time > b->time;
}

static size_t first_of(const struct aux_history *h, const struct aux_moment *key)
{
	return LOWER_BOUND(h->moment.nr, i,
			   (h->of_cpus ? cmp_cpu : cmp_tid)(&h->moment.v[i], key) < 0);
}

static void begin_stream(struct aux_history *h, const struct aux_piece *p)
{
	struct aux_moment from = { .cpu = p->cpu, .tid = p->tid }, to = from;

	to.time = UINT64_MAX;
	h->next = first_of(h, &from);
	h->end = first_of(h, &to);
}

struct aux_moment *aux_history_next(struct aux_history *h, u64 time)
{
	if (h->next >= h->end || h->moment.v[h->next].time >= time)
		return NULL;
	return &h->moment.v[h->next++];
}

void aux_history_put(struct aux_history *h, struct aux_moment *m, const u64 *chain, u32 nr,
		     const struct branch_entry *branch, u32 nr_branches)
{
	m->chain = h->chain.nr;
	m->branch = h->branch.nr;
	m->nr_chain = nr;
	m->nr_branches = nr_branches;
	for (u32 i = 0; i < nr; i++)
		vec_push(&h->chain, chain[i]);
	for (u32 i = 0; i < nr_branches; i++)
		vec_push(&h->branch, branch[i]);
}

static void walk_all(struct aux *a, void *worker, void *state)
{
	struct strbuf buf = STRBUF_INIT;
	struct aux_piece piece;
	struct aux_cut cut;
	size_t nr_parts;
	const struct aux_part *part = aux_queues_parts(a->queues, &nr_parts);
	u32 idx = 0;

	for (bool first = true; aux_queues_cut(a->queues, a->kind, &cut, 1); first = false) {
		aux_queues_piece(a->queues, &cut, a->kind->ahead, &buf, &piece);
		if (first || part[cut.part].idx != idx) {
			if (!first)
				a->kind->history(a, NULL, worker, state);
			begin_stream(a->history, &piece);
		}
		idx = part[cut.part].idx;
		a->kind->history(a, &piece, worker, state);
	}
	a->kind->history(a, NULL, worker, state);
	aux_queues_rewind(a->queues);
	strbuf_release(&buf);
}

void aux_history_find(struct aux *a)
{
	struct aux_history *h = a->history;
	void *worker, *state;

	if (!h->moment.nr)
		return;
	worker = a->kind->worker_new(a);
	state = xcalloc(1, a->kind->history_size);
	h->of_cpus = aux_queues_of_cpus(a->queues);
	qsort(h->moment.v, h->moment.nr, sizeof(*h->moment.v), h->of_cpus ? cmp_cpu : cmp_tid);
	walk_all(a, worker, state);
	for (size_t i = 0; i < h->moment.nr; i++)
		if (h->moment.v[i].nr_chain || h->moment.v[i].nr_branches)
			hidx_insert(&h->idx, hash_u64((uintptr_t)h->moment.v[i].rec), i);
	a->kind->worker_free(worker);
	free(state);
}
