/*
 * Pipe format: a header of 16 bytes, then records only; the contents of a plain file's header are records
 * here (types from 64), anywhere in the stream. One walk collects them.
 */
#include "data-private.h"
#include "features-read.h"
#include "import.h"
#include "unzip.h"
#include "../base/cursor.h"
#include "../base/fd.h"
#include "../event/attr.h"
#include "../event/record.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* an input that is copied: what is not a recording is read no further than is needed to say so */
struct input {
	struct spool spool;
	struct unzip *unzip;
	u8 head[DATA_PIPE_HEADER];	/* of the recording */
	size_t head_len;
	struct strbuf begin;		/* as long as it is not known whether it is wanted */
	bool wanted;			/* a recording, or another profile: import.h */
	bool stopped;
};

/* false for input that nobody will read: such an input may never end */
static bool is_wanted(struct input *in, const void *p, size_t len)
{
	bool more = false;
	u64 magic;

	if (in->wanted)
		return true;
	strbuf_add(&in->begin, p, MIN(len, IMPORT_HEAD - in->begin.len));
	if (in->head_len < sizeof(in->head))
		return true;
	memcpy(&magic, in->head, sizeof(magic));
	in->wanted = data_is_magic(magic) || import_probe((const u8 *)in->begin.buf, in->begin.len, &more);
	return in->wanted || more;
}

static void take_bytes(void *ctx, const void *p, size_t len)
{
	struct input *in = ctx;
	size_t part = MIN(len, sizeof(in->head) - in->head_len);

	if (in->stopped)
		return;
	spool_add(&in->spool, p, len);
	memcpy(in->head + in->head_len, p, part);
	in->head_len += part;
	in->stopped = in->spool.error || !is_wanted(in, p, len);
}

/* what could not be unpacked is missing at the end, as if the file were cut */
static void unzip_bytes(struct data *d, struct input *in, const void *p, size_t len)
{
	int ret = unzip_add(in->unzip, p, len);

	if (!ret)
		return;
	diag_count(&d->diag, ret == -EFBIG ? DIAG_UNPACKED_TOO_MUCH : DIAG_BAD_COMPRESSED, in->spool.size);
	in->stopped = true;
}

/* the first bytes of the input, enough to see what it is: their number or a negative errno */
static ssize_t read_head(int fd, const struct strbuf *seen, u8 *buf, size_t len)
{
	size_t have = MIN(seen->len, len);
	ssize_t n = 1;

	if (have)
		memcpy(buf, seen->buf, have);
	while (have < DATA_PIPE_HEADER && n > 0) {
		n = fd_read_some(fd, buf + have, len - have);
		if (n < 0)
			return n;
		have += n;
	}
	return have;
}

static int copy_input(struct data *d, struct input *in, int fd, const struct strbuf *seen, struct err *err)
{
	size_t len = MAX((size_t)1 << 20, seen->len);
	u8 *buf = xmalloc(len);
	ssize_t n = read_head(fd, seen, buf, len);
	int ret = 0;

	if (n > 0 && unzip_is_packed(buf, n)) {
		in->unzip = unzip_new(buf, n, take_bytes, in, err);
		ret = in->unzip ? 0 : err_prefix(err, "%s is compressed: ", d->path);
	}
	while (!ret && n > 0 && !in->stopped) {
		if (in->unzip)
			unzip_bytes(d, in, buf, n);
		else
			take_bytes(in, buf, n);
		n = in->stopped ? 0 : fd_read_some(fd, buf, len);
	}
	if (!ret && n < 0)
		ret = err_sys(err, -n, "%s: cannot read", d->path);
	if (!ret && in->unzip && !in->stopped && !unzip_at_end(in->unzip))
		diag_count(&d->diag, DIAG_BAD_COMPRESSED, in->spool.size);
	free(buf);
	return ret;
}

int data_spool_input(struct data *d, bool all, int fd, const struct strbuf *seen, u64 *ret_size,
		     struct err *err)
{
	struct input in = { .wanted = all };
	int ret = spool_open(&in.spool, err), out;

	if (ret < 0)
		return ret;
	ret = copy_input(d, &in, fd, seen, err);
	unzip_free(in.unzip);
	strbuf_release(&in.begin);
	*ret_size = in.spool.size;
	out = spool_finish(&in.spool, ret < 0 ? NULL : err);
	if (ret < 0 && out >= 0)
		close(out);
	return ret < 0 ? ret : out;
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
