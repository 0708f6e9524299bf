/* Walking records: the slow path of rec_next(). */
#include "data.h"
#include "../base/cursor.h"

struct rec_walk rec_walk_of(const struct data *d, const struct data_stream *s, u64 off, u64 end, struct diag *diag)
{
	end = MIN(end, s->end);
	off = MAX(off, s->start);
	return (struct rec_walk){ .data = d, .stream = s, .off = MIN(off, end), .end = end, .diag = diag,
				  .base = s->base, .swap = d->swap };
}

static bool all_zero(const u8 *p, u64 len)
{
	for (u64 i = 0; i < len; i++)
		if (p[i])
			return false;
	return true;
}

/* bytes that follow a record outside its size */
static u64 payload_size(const struct rec *rec)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	u64 len;

	if (rec->type == REC_AUXTRACE)
		return cursor_u64(&c);
	if (rec->type == REC_HEADER_TRACING_DATA) {
		len = cursor_u32(&c);
		return ALIGN_UP(len, 8);
	}
	return 0;
}

int rec_next_slow(struct rec_walk *w, struct rec *ret)
{
	u64 left = w->end - w->off, payload;
	struct cursor c = cursor_of(w->base + w->off, left, w->swap);

	if (!left)
		return 0;
	ret->type = cursor_u32(&c);
	ret->misc = cursor_u16(&c);
	ret->size = cursor_u16(&c);
	if (c.bad || ret->size < 8 || ret->size > left) {
		/* the end of a file that was cut, or zeros that were never written, is one thing, damage another */
		if (!c.bad && ret->size >= 8)
			diag_count(w->diag, DIAG_TRUNCATED_FILE, w->off);
		else if (!all_zero(w->base + w->off, MIN(left, 64)))
			diag_count(w->diag, DIAG_BAD_RECORD_SIZE, w->off);
		else
			diag_count(w->diag, DIAG_TRUNCATED_FILE, w->off);
		w->off = w->end;
		return 0;
	}
	ret->p = w->base + w->off;
	ret->swap = w->swap;
	ret->off = w->off;
	w->off += ret->size;
	payload = payload_size(ret);
	if (payload > w->end - w->off) {
		diag_count(w->diag, DIAG_TRUNCATED_FILE, ret->off);
		payload = w->end - w->off;
	}
	w->off += payload;
	return 1;
}
