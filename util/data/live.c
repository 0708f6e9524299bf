/* Live: reads what is in the pipe and adds whole records to the stream. */
#include "live.h"
#include "header.h"
#include "magic.h"
#include "pipe.h"
#include "streams.h"
#include "unpack.h"
#include "walk.h"
#include "../base/cursor.h"
#include "../base/fd.h"
#include "../event/record-type.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define READ_SIZE (1u << 20)
#define ROOM_MAX (1ull << 44)
#define ROOM_MIN (1ull << 36)
#define PAYLOAD_MAX (1ull << 30)	/* payloads after records are awaited up to this size */

struct data_live {
	struct data *data;
	int fd;
	u8 *room;
	u64 size, used;		/* used: after the last whole record */
	struct strbuf raw;	/* data that is not in the stream yet: begins with a record */
	struct unpacker unpacker;
	bool unpacks, full;
	u8 *head;		/* a copy of the beginning, to which attributes and features point */
};

static bool reserve_room(struct data_live *l)
{
	for (l->size = ROOM_MAX; l->size >= ROOM_MIN; l->size /= 2) {
		l->room = mmap(NULL, l->size, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (l->room != MAP_FAILED)
			return true;
	}
	l->room = NULL;
	return false;
}

void data_live_free(struct data_live *l)
{
	if (!l)
		return;
	unpacker_end(&l->unpacker, l->used);
	strbuf_release(&l->raw);
	if (l->room)
		munmap(l->room, l->size);
	free(l->head);
	free(l);
}

static void to_room(void *ctx, const void *p, size_t len)
{
	struct data_live *l = ctx;

	if (len > l->size - l->used) {
		l->full = true;
		return;
	}
	memcpy(l->room + l->used, p, len);
	l->used += len;
}

/* the record at p with the payload after it: its size, or 0 if it is incomplete */
static u64 whole_record(const struct data *d, const u8 *p, u64 left, struct rec *ret)
{
	struct cursor c = cursor_of(p, left, d->swap);
	u64 payload;

	*ret = (struct rec){ .p = p, .swap = d->swap };
	ret->type = cursor_u32(&c);
	ret->misc = cursor_u16(&c);
	ret->size = cursor_u16(&c);
	if (c.bad)
		return 0;
	if (ret->size < sizeof(struct rec_header)) {	/* damaged: the walk will report it */
		ret->type = 0;
		ret->size = sizeof(struct rec_header);
		return ret->size;
	}
	if (ret->size > left)
		return 0;
	payload = MIN(rec_declared_payload(ret), PAYLOAD_MAX);
	return payload > left - ret->size ? 0 : ret->size + payload;
}

/* adds the whole records to the stream */
static int take_records(struct data_live *l, struct err *err)
{
	struct data *d = l->data;
	u64 done = 0, len;
	struct rec rec;

	while ((len = whole_record(d, (const u8 *)l->raw.buf + done, l->raw.len - done, &rec))) {
		rec.off = l->used;
		if (!l->unpacks && (rec.type == REC_COMPRESSED || rec.type == REC_COMPRESSED2)) {
			int ret = unpacker_begin(&l->unpacker, d, err);

			if (ret < 0)
				return ret;
			l->unpacks = true;
		}
		if (l->unpacks)
			unpacker_add(&l->unpacker, &rec, len);
		else
			to_room(l, rec.p, len);
		done += len;
	}
	memmove(l->raw.buf, l->raw.buf + done, l->raw.len - done);
	strbuf_setlen(&l->raw, l->raw.len - done);
	return l->full ? err_set(err, -EFBIG, "%s: more than %llu GB were read", d->path,
				 (unsigned long long)l->size >> 30) : 0;
}

/* 1: some data came, 0: the end */
static int read_some(struct data_live *l, struct err *err)
{
	char *p = strbuf_room(&l->raw, READ_SIZE);
	ssize_t n = fd_read_some(l->fd, p, READ_SIZE);

	if (n < 0)
		return err_sys(err, -n, "%s: cannot read", l->data->path);
	strbuf_setlen(&l->raw, l->raw.len + n);
	return n > 0;
}

static void finish(struct data_live *l)
{
	to_room(l, l->raw.buf, l->raw.len);	/* a record that is cut: the walk will report it */
	strbuf_reset(&l->raw);
	l->data->live = false;
}

int data_more(struct data *d, struct err *err)
{
	struct data_live *l = d->priv->live;
	struct data_stream *s = &d->stream.v[0];
	int ret;

	if (!d->live)
		return 0;
	ret = read_some(l, err);
	if (ret > 0)
		ret = take_records(l, err);
	else if (!ret)
		finish(l);
	s->end = l->used;
	d->data_size = d->file_size = l->used;
	return ret < 0 ? ret : 1;
}

bool data_more_waits(const struct data *d)
{
	struct pollfd p = { .fd = d->priv->live->fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

static bool is_head(u32 type)
{
	return type >= REC_USER_START && type != REC_FINISHED_ROUND && type != REC_FINISHED_INIT &&
	       type != REC_COMPRESSED && type != REC_COMPRESSED2 && type != REC_STAT &&
	       type != REC_STAT_ROUND;
}

/* the end of attributes and features, or 0 if it was not reached */
static u64 head_end(const struct data_live *l)
{
	u64 done = DATA_PIPE_HEADER, len;
	struct rec rec;

	while ((len = whole_record(l->data, (const u8 *)l->raw.buf + done, l->raw.len - done, &rec))) {
		if (!is_head(rec.type))
			return done;
		done += len;
	}
	return 0;
}

/* samples with counters can only be used when all of them, from the first on, are known */
static bool has_reads(const struct evset *set)
{
	for (size_t i = 0; i < set->ev.nr; i++)
		if (set->ev.v[i]->attr.sample_type & PERF_SAMPLE_READ)
			return true;
	return false;
}

static int start(struct data_live *l, u64 end, struct err *err)
{
	struct data *d = l->data;
	struct data_stream head = { .start = DATA_PIPE_HEADER, .end = end };
	int ret;

	head.base = l->head = xmemdup(l->raw.buf, end);
	data_collect_header_records(d, &head);
	if (has_reads(d->evset) || !reserve_room(l)) {
		evset_free(d->evset);
		d->evset = evset_new();
		features_release(&d->feat);
		memset(&d->feat, 0, sizeof(d->feat));
		memset(&d->diag, 0, sizeof(d->diag));
		return 0;
	}
	d->is_pipe = d->live = true;
	d->data_offset = l->used = DATA_PIPE_HEADER;
	memmove(l->raw.buf, l->raw.buf + DATA_PIPE_HEADER, l->raw.len - DATA_PIPE_HEADER);
	strbuf_setlen(&l->raw, l->raw.len - DATA_PIPE_HEADER);
	l->unpacker = (struct unpacker){ .put = to_room, .ctx = l, .data = d };
	data_add_stream(d, "data", l->fd, l->room, DATA_PIPE_HEADER, DATA_PIPE_HEADER);
	ret = take_records(l, err);
	d->stream.v[0].end = l->used;
	return ret < 0 ? ret : 1;
}

int data_live_open(struct data *d, int fd, struct strbuf *ret_seen, struct err *err)
{
	struct data_live *l = xcalloc(1, sizeof(*l));
	u64 end = 0;
	int ret;

	l->data = d;
	l->fd = fd;
	d->priv->live = l;
	while ((ret = read_some(l, err)) > 0) {
		if (l->raw.len < DATA_PIPE_HEADER)
			continue;
		if (!data_is_pipe_header(d, l->raw.buf))
			break;
		end = head_end(l);
		if (end)
			break;
	}
	if (ret > 0 && end)
		ret = start(l, end, err);
	else if (ret > 0)
		ret = 0;
	if (ret)
		return ret;
	*ret_seen = l->raw;
	l->raw = (struct strbuf)STRBUF_INIT;
	data_live_free(l);
	d->priv->live = NULL;
	return 0;
}
