/*
 * Compressed records: the stream is copied to a temporary file, in which the contents of COMPRESSED records
 * replace these records. Unpacked bytes are records again, but one may begin in one COMPRESSED record and end
 * in the next.
 */
#include "unpack.h"
#include "spool.h"
#include "streams.h"
#include "walk.h"
#include "../base/cursor.h"
#include "../event/record.h"

#include <byteswap.h>
#include <errno.h>

static const struct codec *const codecs[] = {
#define CODEC(type, name) &codec_##name,
#include "codecs.def"
#undef CODEC
};

const struct codec *codec_find(u32 type)
{
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++)
		if (codecs[i]->type == type)
			return codecs[i];
	return NULL;
}

static bool is_packed(u32 type)
{
	return type == REC_COMPRESSED || type == REC_COMPRESSED2;
}

/* size of the record at p from its header; 0 if there are too few bytes */
static u32 record_size(const struct data *d, const u8 *p, size_t len)
{
	u16 size;

	if (len < sizeof(struct rec_header))
		return 0;
	memcpy(&size, p + 6, sizeof(size));
	return d->swap ? bswap_16(size) : size;
}

/*
 * A few bytes of a compressed stream can expand to gigabytes. Stacks full of zeros, the best case of a real
 * recording, expand less than 2000 times.
 */
#define UNPACKED_FREE (64u << 20)
#define UNPACKED_RATIO 4096u

static bool too_much(struct unpacker *u, size_t len)
{
	u->unpacked += len;
	u->stopped |= u->unpacked > UNPACKED_FREE && u->unpacked / UNPACKED_RATIO > u->packed;
	return u->stopped;
}

/* whole records are passed on, so that a record between two COMPRESSED ones does not end up inside another */
static void sink(void *ctx, const void *p, size_t len)
{
	struct unpacker *u = ctx;
	size_t done = 0;

	if (u->stopped || too_much(u, len))
		return;
	strbuf_add(&u->rest, p, len);
	for (;;) {
		size_t left = u->rest.len - done;
		u32 size = record_size(u->data, (const u8 *)u->rest.buf + done, left);

		if (!size && left >= sizeof(struct rec_header))
			size = sizeof(struct rec_header);	/* damaged; the walk will report it */
		if (!size || size > left)
			break;
		done += size;
	}
	u->put(u->ctx, u->rest.buf, done);
	memmove(u->rest.buf, u->rest.buf + done, u->rest.len - done);
	strbuf_setlen(&u->rest, u->rest.len - done);
}

int unpacker_begin(struct unpacker *u, struct data *d, struct err *err)
{
	u32 type = d->feat.comp_type ? d->feat.comp_type : 1;

	u->data = d;
	u->codec = codec_find(type);
	if (!u->codec || !u->codec->built)
		return err_set(err, -ENOTSUP, u->codec ?
			       "%s holds compressed records (type %u): this perf was built without zstd" :
			       "%s holds records compressed with an unknown method (type %u)", d->path, type);
	u->state = u->codec->begin(err);
	if (!u->state)
		return err_prefix(err, "%s holds compressed records: ", d->path);
	return 0;
}

void unpacker_add(struct unpacker *u, const struct rec *rec, u64 len)
{
	struct data *d = u->data;
	struct record_view v;

	if (!is_packed(rec->type)) {
		u->put(u->ctx, rec->p, len);
		return;
	}
	d->nr_packed[rec->type == REC_COMPRESSED2]++;
	if (u->stopped)
		return;
	u->packed += rec->size;
	if (record_decode(rec, &v) < 0 ||
	    u->codec->feed(u->state, v.packed.bytes.p, v.packed.bytes.len, sink, u) < 0)
		diag_count(&d->diag, DIAG_BAD_COMPRESSED, rec->off);
	if (u->stopped)
		diag_count(&d->diag, DIAG_UNPACKED_TOO_MUCH, rec->off);
}

void unpacker_end(struct unpacker *u, u64 off)
{
	if (u->rest.len)
		diag_count(&u->data->diag, DIAG_BAD_COMPRESSED, off);
	if (u->state)
		u->codec->end(u->state);
	strbuf_release(&u->rest);
	u->state = NULL;
}

static void to_spool(void *ctx, const void *p, size_t len)
{
	spool_add(ctx, p, len);
}

static void unpack_records(struct unpacker *u, const struct data_stream *s)
{
	struct rec_walk w = rec_walk_of(u->data, s, s->start, s->end, &u->data->diag);
	struct rec rec;

	while (rec_next(&w, &rec) > 0)
		unpacker_add(u, &rec, w.off - rec.off);		/* with the payload after it */
}

static int unpack_stream(struct data *d, struct data_stream *s, struct err *err)
{
	struct spool spool;
	struct unpacker u = { .put = to_spool, .ctx = &spool };
	const u8 *base;
	int fd, ret;

	ret = unpacker_begin(&u, d, err);
	if (ret == 0)
		ret = spool_open(&spool, err);
	if (ret == 0)
		unpack_records(&u, s);
	unpacker_end(&u, s->end);
	if (ret < 0)
		return ret;
	fd = spool_finish(&spool, err);
	if (fd < 0)
		return fd;
	vec_push(&d->priv->fd, fd);
	ret = data_map(d, fd, spool.size, &base, err);
	if (ret < 0)
		return ret;
	if (!spool.size) {	/* nothing could be unpacked: an empty stream at the old offset */
		s->end = s->start;
		return 0;
	}
	s->base = base - s->start;	/* what is before the first COMPRESSED record keeps its offsets */
	s->end = s->start + spool.size;
	s->fd = fd;
	s->fd_start = s->start;
	return 0;
}

static bool has_packed(const struct data *d, const struct data_stream *s)
{
	struct diag unused = { 0 };	/* problems are counted when the records are read the second time */
	struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &unused);
	struct rec rec;

	while (rec_next(&w, &rec) > 0)
		if (is_packed(rec.type))
			return true;
	return false;
}

int data_unpack_streams(struct data *d, struct err *err)
{
	vec_foreach(&d->stream, s) {
		int ret = has_packed(d, s) ? unpack_stream(d, s, err) : 0;

		if (ret < 0)
			return ret;
	}
	return 0;
}
