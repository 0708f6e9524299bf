/* Walk: see walk.h. */
#include "walk.h"
#include "../base/cursor.h"
#include "../base/fs.h"
#include "../event/record.h"

#include <string.h>
#include <sys/mman.h>

struct rec_walk rec_walk_of(const struct data *d, const struct data_stream *s, u64 off, u64 end,
			    struct diag *diag)
{
	end = MIN(end, s->end);
	off = MAX(off, s->start);
	return (struct rec_walk){ .data = d, .stream = s, .off = MIN(off, end), .end = end, .diag = diag,
				  .base = s->base, .swap = d->swap };
}

/* the first 8-byte word at or after off that is not zero, or the end */
static u64 skip_zeros(const struct rec_walk *w, u64 off)
{
	u64 v;

	for (; w->end - off >= sizeof(v); off += sizeof(v)) {
		memcpy(&v, w->base + off, sizeof(v));
		if (v)
			return off;
	}
	return w->end;
}

u64 rec_declared_payload(const struct rec *rec)
{
	struct record_view v;

	if ((rec->type != REC_AUXTRACE && rec->type != REC_TRACING_DATA) || record_decode(rec, &v) < 0)
		return 0;
	return rec->type == REC_AUXTRACE ? v.auxtrace.size : ALIGN_UP((u64)v.tracing_data.size, 8);
}

u64 data_payload_size(const struct data *d, const struct rec *rec)
{
	vec_foreach(&d->stream, s) {
		u64 end = rec->off + rec->size;

		if (rec->p == s->base + rec->off && rec->off >= s->start && end <= s->end)
			return MIN(rec_declared_payload(rec), s->end - end);
	}
	return 0;
}

/*
 * Where to continue after an impossible header. Zeros are blocks that never reached the disk: records may
 * follow them. Anything else is damage after which the next record cannot be found.
 */
static bool step_over_damage(struct rec_walk *w, u32 size, u32 type)
{
	u64 next;

	w->base = w->stream->base;	/* a copy of a part may end before the zeros do */
	next = size ? w->off : skip_zeros(w, w->off);
	if (size >= sizeof(struct rec_header) || w->end - w->off < sizeof(struct rec_header) ||
	    next == w->end) {
		diag_count(w->diag, DIAG_TRUNCATED_FILE, w->off);
		next = w->end;
	} else {
		diag_count_record(w->diag, DIAG_BAD_RECORD_SIZE, w->off, record_name(type));
		next = next == w->off ? w->end : next;
	}
	w->off = next;
	return next != w->end;
}

int rec_next_slow(struct rec_walk *w, struct rec *ret)
{
	u64 left, payload;
	struct cursor c;

	do {
		left = w->end - w->off;
		if (!left)
			return 0;
		c = cursor_of(w->base + w->off, left, w->swap);
		ret->type = cursor_u32(&c);
		ret->misc = cursor_u16(&c);
		ret->size = cursor_u16(&c);
		if (!c.bad && ret->size >= sizeof(struct rec_header) && ret->size <= left)
			break;
	} while (step_over_damage(w, c.bad ? 0 : ret->size, ret->type));
	if (w->off == w->end)
		return 0;
	ret->p = w->base + w->off;
	ret->swap = w->swap;
	ret->off = w->off;
	w->off += ret->size;
	payload = rec_declared_payload(ret);
	if (payload > w->end - w->off) {
		diag_count(w->diag, DIAG_TRUNCATED_FILE, ret->off);
		payload = w->end - w->off;
	}
	w->off += payload;
	return 1;
}

static void advise(const struct data_stream *s, u64 off, u64 end, int advice, bool inner)
{
	uintptr_t mask = page_size() - 1, from, to;

	off = MAX(off, s->start);
	end = MIN(end, s->end);
	if (off >= end)
		return;
	from = (uintptr_t)s->base + off;
	to = (uintptr_t)s->base + end;
	/* a page that is shared with a neighbour is kept */
	from = inner ? (from + mask) & ~mask : from & ~mask;
	to = inner ? to & ~mask : to;
	if (from < to)
		madvise((void *)from, to - from, advice);
}

#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

void data_will_need(const struct data_stream *s, u64 off, u64 end)
{
	advise(s, off, end, MADV_POPULATE_READ, false);
}

void data_dont_need(const struct data_stream *s, u64 off, u64 end)
{
	if (s->fd >= 0)		/* memory that is not of a file would be lost */
		advise(s, off, end, MADV_DONTNEED, true);
}
