/* Pipe: see pipe.h. */
#include "pipe.h"
#include "events.h"
#include "features-read.h"
#include "streams.h"
#include "walk.h"
#include "../base/cursor.h"
#include "../event/attr.h"
#include "../event/record.h"

#include <math.h>

/* attr, then u64 ids to the end of the record */
static void take_attr(struct data *d, const struct record_view *v, u64 off)
{
	const struct rec_bytes *b = &v->attr.attr;
	struct cursor c = cursor_of(b->p, b->len, v->swap);
	u32 size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	if (!size)
		size = PE_ATTR_SIZE_MIN;	/* the first version of the attribute */
	if (size < PE_ATTR_SIZE_MIN || size > b->len) {
		diag_count(&d->diag, DIAG_BAD_ATTR, off);
		return;
	}
	d->attr_size = size;
	data_add_attr(d, b->p, size, b->p + size, b->len - size);
}

static void take_feature(struct data *d, const struct record_view *v, u64 off)
{
	const struct rec_bytes *b = &v->feature.content;
	u64 bit = v->feature.bit;

	/*
	 * older recorders end their features with a number that was unused then, without payload; it may be
	 * in use now
	 */
	if (!b->len && bit > FEAT_SAMPLE_TIME)
		return;
	if (bit >= FEAT_NR || features_decode(&d->feat, bit, b->p, b->len, v->swap) < 0)
		diag_count(&d->diag, DIAG_BAD_FEATURE, off);
	else if (bit == FEAT_EVENT_DESC)
		data_apply_event_desc(d, b->p, b->len);
}

static void take_tracing_data(struct data *d, const struct record_view *v, const struct rec *rec, u64 end)
{
	u64 size = v->tracing_data.size, have = end - rec->off - rec->size;

	if (size > have ||
	    features_decode(&d->feat, FEAT_TRACING_DATA, rec->p + rec->size, size, rec->swap) < 0)
		diag_count(&d->diag, DIAG_BAD_FEATURE, rec->off);
}

void data_apply_update(struct data *d, const struct rec *rec)
{
	const struct rec_event_update_view *u;
	struct record_view v;
	struct cursor c;
	struct event *ev;
	const char *text;
	double scale;
	u64 bits;

	if (record_decode(rec, &v) < 0)
		return;
	u = &v.event_update;
	ev = (struct event *)evset_by_id(d->evset, u->id);	/* the set is still being built */
	if (!ev)
		return;
	c = cursor_of(u->value.p, u->value.len, v.swap);
	text = (const char *)u->value.p;
	switch (u->what) {
	case ABI_UPDATE_SCALE:
		bits = cursor_u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		if (c.bad || !isfinite(scale))
			diag_count(&d->diag, DIAG_BAD_ATTR, rec->off);
		else
			ev->scale = scale;
		break;
	case ABI_UPDATE_UNIT:
		ev->unit = arena_strndup(&d->evset->arena, text, strnlen(text, u->value.len));
		break;
	case ABI_UPDATE_NAME:
		ev->name = arena_strndup(&d->evset->arena, text, strnlen(text, u->value.len));
		break;
	}
}

/* the names of tracepoints from the oldest recorders */
static void take_event_type(struct data *d, const struct record_view *v)
{
	if (v->event_type.name.len)
		data_add_tracepoint_name(d, v->event_type.config, (const char *)v->event_type.name.p,
					 v->event_type.name.len);
}

static void take_header_record(struct data *d, const struct rec *rec, u64 end)
{
	struct record_view v;

	if (record_decode(rec, &v) < 0) {
		diag_count(&d->diag, rec->type == REC_ATTR ? DIAG_BAD_ATTR : DIAG_BAD_FEATURE, rec->off);
		return;
	}
	switch (rec->type) {
	case REC_ATTR:
		take_attr(d, &v, rec->off);
		break;
	case REC_FEATURE:
		take_feature(d, &v, rec->off);
		break;
	case REC_TRACING_DATA:
		take_tracing_data(d, &v, rec, end);
		break;
	case REC_EVENT_TYPE:
		take_event_type(d, &v);
		break;
	}
}

void data_collect_header_records(struct data *d, const struct data_stream *s)
{
	struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &(struct diag){ 0 });
	struct rec rec;

	while (rec_next(&w, &rec) > 0) {
		if (likely(rec.type < REC_USER_START))
			continue;
		switch (rec.type) {
		case REC_ATTR:
		case REC_FEATURE:
		case REC_TRACING_DATA:
		case REC_EVENT_TYPE:
			take_header_record(d, &rec, w.end);
			break;
		case REC_EVENT_UPDATE:
			data_apply_update(d, &rec);
			break;
		case REC_COMPRESSED:
		case REC_COMPRESSED2:
			d->priv->maybe_packed = true;
			break;
		}
	}
}
