/*
 * Pipe format: a header of 16 bytes, then records only; the contents of a plain file's header are records
 * here (types from 64), anywhere in the stream. One walk collects them.
 */
#include "data-private.h"
#include "features-private.h"
#include "../base/cursor.h"
#include "../event/attr.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* the beginning of an input, kept to find out whether to read on */
struct input_head {
	u8 b[DATA_PIPE_HEADER];
	size_t len;
};

static void head_add(struct input_head *h, const void *p, size_t len)
{
	len = MIN(len, sizeof(h->b) - h->len);
	memcpy(h->b + h->len, p, len);
	h->len += len;
}

/* false for input that data_read_header() will refuse: such an input may never end */
static bool head_is_data(const struct input_head *h)
{
	u64 magic;

	memcpy(&magic, h->b, sizeof(magic));
	return h->len < sizeof(h->b) || magic == DATA_MAGIC1 || bswap_64(magic) == DATA_MAGIC1 ||
	       magic == DATA_MAGIC2 || bswap_64(magic) == DATA_MAGIC2;
}

int data_spool_input(struct data *d, int fd, const struct strbuf *seen, u64 *ret_size, struct err *err)
{
	size_t len = 1 << 20;
	u8 *buf = xmalloc(len);
	struct input_head head = { .len = 0 };
	struct spool spool;
	ssize_t n = 0;
	int ret = spool_open(&spool, err);

	if (ret == 0 && seen->len) {
		spool_add(&spool, seen->buf, seen->len);
		head_add(&head, seen->buf, seen->len);
	}
	while (ret == 0 && !spool.error && head_is_data(&head) &&
	       ((n = read(fd, buf, len)) > 0 || (n < 0 && errno == EINTR))) {
		if (n < 0)
			continue;
		spool_add(&spool, buf, n);
		head_add(&head, buf, n);
	}
	if (ret == 0 && n < 0)
		ret = err_sys(err, errno, "%s: cannot read", d->path);
	free(buf);
	if (ret < 0)
		return ret;
	*ret_size = spool.size;
	return spool_finish(&spool, err);
}

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
