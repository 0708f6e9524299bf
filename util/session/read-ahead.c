/* Read-ahead: see read-ahead.h. */
#include "read-ahead.h"
#include "session-private.h"
#include "ordered-reader.h"
#include "../event/record-type.h"

#include <stdlib.h>

/* with less data than this no thread reads ahead: it would hardly have begun */
#define THREAD_MIN (1u << 20)
/* a batch of large records ends early, as its pages are in memory until the next one is read */
#define BATCH_BYTES (1u << 20)
#define PIECE 64u

struct read_ahead {
	const struct session *s;
	struct ordered_reader *reader;
	struct pool *pool;		/* NULL: the caller reads */
	struct pool_job job;		/* fills the batch that the caller does not have */
	struct read_batch *batch[2];
	u32 next;
};

/* reads a piece; returns how many bytes were read for it, those of samples that are left out included */
static u64 read_piece(struct read_ahead *a, struct read_batch *b)
{
	const struct rec *rec = b->rec + b->nr;
	u64 left_out = ordered_reader_left_out(a->reader);
	size_t nr = ordered_reader_next(a->reader, b->rec + b->nr, b->time + b->nr, PIECE);
	u64 bytes = nr ? ordered_reader_left_out(a->reader) - left_out : 0;

	for (size_t i = 0; i < nr; i++) {
		bytes += rec[i].size;
		if (likely(rec[i].type == REC_SAMPLE))
			b->event[b->nr + i] = sample_event(a->s->data->plan, &rec[i]);
	}
	b->nr += nr;
	return bytes;
}

static void read_batch(void *ctx)
{
	struct read_ahead *a = ctx;
	struct read_batch *b = a->batch[a->next];
	u64 bytes = 0, piece;

	b->nr = 0;
	do {
		piece = read_piece(a, b);
		bytes += piece;
	} while (piece && b->nr <= READ_AHEAD_BATCH - PIECE && bytes < BATCH_BYTES);
}

static struct pool *pool_of(const struct session *s)
{
	u64 size = 0;

	vec_foreach(&s->data->stream, st)
		size += st->end - st->start;
	return size < THREAD_MIN ? NULL : s->pool;
}

struct read_ahead *read_ahead_open(const struct session *s, const bool *left_out)
{
	struct read_ahead *a = xcalloc(1, sizeof(*a));

	*a = (struct read_ahead){ .s = s, .pool = pool_of(s), .job = { .run = read_batch, .ctx = a } };
	a->reader = ordered_reader_open_scanning(s);
	ordered_reader_leave_out(a->reader, left_out);
	for (u32 i = 0; i < 2; i++)
		a->batch[i] = xmalloc(sizeof(*a->batch[i]));
	if (s->late) {
		s->late->reader_pool = a->pool;
		s->late->reader_job = &a->job;
	}
	pool_beside(a->pool, &a->job);
	return a;
}

const struct read_batch *read_ahead_next(struct read_ahead *a)
{
	const struct read_batch *b = a->batch[a->next];

	pool_wait(a->pool, &a->job);
	if (!b->nr)
		return NULL;
	a->next = !a->next;
	pool_beside(a->pool, &a->job);
	return b;
}

void read_ahead_close(struct read_ahead *a, struct diag *diag)
{
	/* whether it was taken or not: what was found in the data must not depend on that */
	pool_wait(a->pool, &a->job);
	if (a->s->late)
		a->s->late->reader_job = NULL;
	diag_merge(diag, ordered_reader_diag(a->reader));
	ordered_reader_close(a->reader);
	for (u32 i = 0; i < 2; i++)
		free(a->batch[i]);
	free(a);
}
