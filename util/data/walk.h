/*
 * Walk: reads the records of a stream one after another, what follows them, and hints of what will be read.
 */
#ifndef PERF_DATA_WALK_H
#define PERF_DATA_WALK_H

#include "data.h"

/* Walks the records of [off, end) of a stream. */
struct rec_walk {
	const struct data *data;
	const struct data_stream *stream;
	u64 off, end;
	struct diag *diag;
	const u8 *base;		/* of the stream */
	bool swap;
};
struct rec_walk rec_walk_of(const struct data *d, const struct data_stream *s, u64 off, u64 end,
			    struct diag *diag);
/*
 * 1 and *ret filled, or 0 at the end. Damage is counted in diag; the walk then ends or skips a record, as the
 * format allows. AUXTRACE payloads (which follow their record and are not in its size) are skipped: rec.size
 * is the record alone.
 */
static inline int rec_next(struct rec_walk *w, struct rec *ret);

/*
 * Hints for reading: [off, end) of a stream is needed soon / no longer. They keep resident memory small;
 * failures do not matter.
 */
void data_will_need(const struct data_stream *s, u64 off, u64 end);
void data_dont_need(const struct data_stream *s, u64 off, u64 end);

/*
 * Number of bytes that follow a record of d and are not in its size: what the record declares, but no more
 * than its stream has. 0 for a record that is not in a stream.
 */
u64 data_payload_size(const struct data *d, const struct rec *rec);
/*
 * number of bytes that a record says follow it, which nobody has checked: data_payload_size() is what may be
 * read
 */
u64 rec_declared_payload(const struct rec *rec);
int rec_next_slow(struct rec_walk *w, struct rec *ret);	/* all cases except the common one below */

static inline int rec_next(struct rec_walk *w, struct rec *ret)
{
	u64 left = w->end - w->off;
	struct rec_header h;

	if (unlikely(left < sizeof(h) || w->swap))
		return rec_next_slow(w, ret);
	__builtin_memcpy(&h, w->base + w->off, sizeof(h));
	if (unlikely(h.size < sizeof(h) || h.size > left || h.type == ABI_RECORD_AUXTRACE ||
		     h.type == ABI_RECORD_TRACING_DATA))
		return rec_next_slow(w, ret);
	*ret = (struct rec){ .p = w->base + w->off, .size = h.size, .type = h.type, .misc = h.misc,
			     .off = w->off };
	w->off += h.size;
	return 1;
}

#endif
