/*
 * Pipe format: a header of 16 bytes, then records only; what a plain file keeps in its header comes as records (types from 64),
 * anywhere in the stream. One walk collects them.
 */
#include "private.h"
#include "features-inside.h"
#include "../base/cursor.h"
#include "../event/attr.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

/* the begin of an input, kept to know whether it is worth reading on */
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

/* false for what data_read_header() will refuse: such an input may never end */
static bool head_is_data(const struct input_head *h)
{
	u64 magic;

	memcpy(&magic, h->b, sizeof(magic));
	return h->len < sizeof(h->b) || magic == DATA_MAGIC1 || bswap_64(magic) == DATA_MAGIC1 || magic == DATA_MAGIC2 ||
	       bswap_64(magic) == DATA_MAGIC2;
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
static void take_attr(struct data *d, const struct rec *rec)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	u32 size;

	cursor_u32(&c);
	size = cursor_u32(&c);
	if (!size)
		size = PE_ATTR_SIZE_MIN;	/* the first version of the attribute */
	if (c.bad || size < PE_ATTR_SIZE_MIN || size > rec->size - 8) {
		diag_count(&d->diag, DIAG_BAD_ATTR, rec->off);
		return;
	}
	d->attr_size = size;
	data_add_attr(d, rec->p + 8, size, rec->p + 8 + size, rec->size - 8 - size);
}

static void take_feature(struct data *d, const struct rec *rec)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	u64 bit = cursor_u64(&c);

	if (c.bad || bit >= FEAT_NR || features_decode(&d->feat, bit, c.p, cursor_left(&c), rec->swap) < 0)
		diag_count(&d->diag, DIAG_BAD_FEATURE, rec->off);
	else if (bit == FEAT_EVENT_DESC)
		data_apply_event_desc(d, c.p, cursor_left(&c));
}

static void take_tracing_data(struct data *d, const struct rec *rec, u64 end)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	u64 size = cursor_u32(&c), have = end - rec->off - rec->size;

	if (c.bad || size > have || features_decode(&d->feat, FEAT_TRACING_DATA, rec->p + rec->size, size, rec->swap) < 0)
		diag_count(&d->diag, DIAG_BAD_FEATURE, rec->off);
}

enum { UPDATE_UNIT, UPDATE_SCALE, UPDATE_NAME, UPDATE_CPUS };

/* u64 what, u64 id, value */
void data_apply_update(struct data *d, const struct rec *rec)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);
	u64 what = cursor_u64(&c), id = cursor_u64(&c), bits;
	struct event *ev = (struct event *)evset_by_id(d->evset, id);	/* the set is still being built */
	const char *s = (const char *)c.p;
	double scale;

	if (!ev || c.bad)
		return;
	if (what == UPDATE_SCALE) {
		bits = cursor_u64(&c);
		memcpy(&scale, &bits, sizeof(scale));
		if (c.bad || !isfinite(scale))
			diag_count(&d->diag, DIAG_BAD_ATTR, rec->off);
		else
			ev->scale = scale;
	} else if (what == UPDATE_UNIT) {
		ev->unit = arena_strndup(&d->evset->arena, s, strnlen(s, cursor_left(&c)));
	} else if (what == UPDATE_NAME) {
		ev->name = arena_strndup(&d->evset->arena, s, strnlen(s, cursor_left(&c)));
	}
}

/* u64 config of a tracepoint, its name: how the oldest recorders named events */
static void take_event_type(struct data *d, const struct rec *rec)
{
	if (rec->size >= 24)
		data_name_by_config(d, rec->p + 8, rec->size - 8);
}

void data_collect_header_records(struct data *d, const struct data_stream *s)
{
	struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &(struct diag){ 0 });
	struct rec rec;

	while (rec_next(&w, &rec) > 0) {
		if (likely(rec.type < REC_USER_START))
			continue;
		switch (rec.type) {
		case REC_HEADER_ATTR:
			take_attr(d, &rec);
			break;
		case REC_HEADER_FEATURE:
			take_feature(d, &rec);
			break;
		case REC_HEADER_TRACING_DATA:
			take_tracing_data(d, &rec, w.end);
			break;
		case REC_EVENT_UPDATE:
			data_apply_update(d, &rec);
			break;
		case REC_HEADER_EVENT_TYPE:
			take_event_type(d, &rec);
			break;
		case REC_COMPRESSED:
		case REC_COMPRESSED2:
			d->priv->maybe_packed = true;
			break;
		}
	}
}
