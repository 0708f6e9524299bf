/* Batches, and the samples that wait for the rest of their chains. */
#include "batch.h"
#include "../event/record-type.h"

#include <stdlib.h>
#include "../event/callchain.h"
#include "../resolve/deferred.h"
#include "../session/ordered-reader.h"

/* a sample that waits, or a record for which a batch had no more room; owns its bytes */
struct held {
	struct rec rec, chain;
	u64 time, cookie;
	u32 tid;
};

struct batch_reader {
	const struct session *s;
	struct ordered_reader *cursor;
	bool merge;
	struct { VEC(struct held); } waiting, ready;
	size_t ready_pos;
	struct arena scratch;
};

struct batch_reader *batch_reader_new(const struct session *s, bool merge, bool sorted)
{
	struct batch_reader *r = xcalloc(1, sizeof(*r));

	r->s = s;
	r->cursor = sorted ? ordered_reader_open(s) : ordered_reader_open_unsorted(s);
	r->merge = merge && evset_defers(s->data->evset);
	return r;
}

void batch_reader_free(struct batch_reader *r)
{
	if (!r)
		return;
	vec_foreach(&r->waiting, h)
		free((void *)h->rec.p);
	for (size_t i = r->ready_pos; i < r->ready.nr; i++) {
		free((void *)r->ready.v[i].rec.p);
		free((void *)r->ready.v[i].chain.p);
	}
	vec_release(&r->waiting);
	vec_release(&r->ready);
	arena_release(&r->scratch);
	ordered_reader_close(r->cursor);
	free(r);
}

void batch_reader_more(struct batch_reader *r)
{
	ordered_reader_more(r->cursor);
}

void batch_release(struct batch *b)
{
	free(b->chain);
	arena_release(&b->copies);
}

static struct rec keep(const struct rec *rec)
{
	struct rec copy = *rec;

	if (copy.p)
		copy.p = xmemdup(rec->p, rec->size);
	return copy;
}

/* takes over held records */
static void put_held(struct batch *b, const struct held *h)
{
	b->rec[b->nr] = h->rec;
	b->rec[b->nr].p = arena_memdup(&b->copies, h->rec.p, h->rec.size);
	b->chain[b->nr] = h->chain;
	if (h->chain.p)
		b->chain[b->nr].p = arena_memdup(&b->copies, h->chain.p, h->chain.size);
	b->time[b->nr++] = h->time;
	free((void *)h->rec.p);
	free((void *)h->chain.p);
}

/* samples that wait for this chain are ready, in the order in which they came */
static void join(struct batch_reader *r, const struct rec *chain)
{
	struct sample id;
	u64 cookie, nr;
	size_t left = 0;

	if (sample_decode_id(r->s->data->plan, chain, &id) ||
	    !deferred_chain(chain, &cookie, &nr, &r->scratch))
		return;
	vec_foreach(&r->waiting, h) {
		if (h->cookie == cookie && h->tid == id.tid) {
			h->chain = keep(chain);
			vec_push(&r->ready, *h);
		} else {
			r->waiting.v[left++] = *h;
		}
	}
	r->waiting.nr = left;
}

/* true if the record is not a line now: a sample that waits, a chain that was waited for */
static bool hold(struct batch_reader *r, const struct rec *rec, u64 time)
{
	struct sample sm;

	arena_reset(&r->scratch);
	if (rec->type == REC_CALLCHAIN_DEFERRED) {
		join(r, rec);
		return true;
	}
	if (rec->type != REC_SAMPLE || sample_decode(r->s->data->plan, rec, &sm, &r->scratch) || !sm.event ||
	    !callchain_is_deferred(&sm))
		return false;
	vec_push(&r->waiting, (struct held){ .rec = keep(rec), .time = time, .cookie = sm.deferred_cookie,
					     .tid = sm.tid });
	return true;
}

/* at the end those that waited in vain are shown as they are */
static void give_up(struct batch_reader *r)
{
	vec_foreach(&r->waiting, h)
		vec_push(&r->ready, *h);
	r->waiting.nr = 0;
}

static void read_merged(struct batch_reader *r, struct batch *b, u32 max)
{
	struct rec rec;
	u64 time;

	if (!b->chain)
		b->chain = xcalloc(BATCH, sizeof(*b->chain));
	while (b->nr < max) {
		if (r->ready_pos < r->ready.nr) {
			put_held(b, &r->ready.v[r->ready_pos++]);
			continue;
		}
		r->ready.nr = r->ready_pos = 0;
		if (!ordered_reader_next(r->cursor, &rec, &time, 1)) {
			if (r->s->data->live || !r->waiting.nr)
				break;
			give_up(r);
		} else if (!hold(r, &rec, time)) {
			b->rec[b->nr] = rec;
			if (r->s->streams_trace)	/* whose records are gone soon */
				b->rec[b->nr].p = arena_memdup(&b->copies, rec.p, rec.size);
			b->chain[b->nr].p = NULL;
			b->time[b->nr++] = time;
		}
	}
}

void batch_read(struct batch_reader *r, struct batch *b, u32 max)
{
	b->nr = 0;
	arena_reset(&b->copies);
	if (r->merge)
		read_merged(r, b, max);
	else
		b->nr = ordered_reader_next(r->cursor, b->rec, b->time, max);
}
