/*
 * Compressed records: the stream is copied to a temporary file with what COMPRESSED records hold in their place. Unpacked
 * bytes are records again, but one may begin in one COMPRESSED record and end in the next.
 */
#include "private.h"
#include "codec.h"
#include "../base/cursor.h"

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

struct unpacker {
	struct data *data;
	struct spool spool;
	struct strbuf rest;	/* the begin of a record whose end is not unpacked yet */
};

/* size of the record at p as its header says; 0 where there are too few bytes to tell */
static u32 record_size(const struct data *d, const u8 *p, size_t len)
{
	u16 size;

	if (len < sizeof(struct rec_header))
		return 0;
	memcpy(&size, p + 6, sizeof(size));
	return d->swap ? bswap_16(size) : size;
}

/* whole records go to the spool, so that a record between two COMPRESSED ones does not land inside another */
static void sink(void *ctx, const void *p, size_t len)
{
	struct unpacker *u = ctx;
	size_t done = 0;

	strbuf_add(&u->rest, p, len);
	for (;;) {
		size_t left = u->rest.len - done;
		u32 size = record_size(u->data, (const u8 *)u->rest.buf + done, left);

		if (!size && left >= sizeof(struct rec_header))
			size = sizeof(struct rec_header);	/* damaged; the walk will say so */
		if (!size || size > left)
			break;
		done += size;
	}
	spool_add(&u->spool, u->rest.buf, done);
	memmove(u->rest.buf, u->rest.buf + done, u->rest.len - done);
	strbuf_setlen(&u->rest, u->rest.len - done);
}

/* where in a record the compressed bytes are; false where the record is damaged */
static bool packed_bytes(const struct rec *rec, const void **ret_p, size_t *ret_len)
{
	struct cursor c = cursor_of(rec->p + 8, rec->size - 8, rec->swap);

	*ret_len = rec->type == REC_COMPRESSED2 ? cursor_u64(&c) : cursor_left(&c);
	*ret_p = cursor_bytes(&c, *ret_len);
	return !c.bad;
}

static void unpack_records(struct unpacker *u, const struct codec *codec, const struct data_stream *s)
{
	struct data *d = u->data;
	struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &d->diag);
	void *state = codec->begin();
	struct rec rec;

	while (rec_next(&w, &rec) > 0) {
		const void *p;
		size_t len;

		if (!is_packed(rec.type)) {
			spool_add(&u->spool, rec.p, w.off - rec.off);	/* with the payload behind it */
			continue;
		}
		d->nr_packed[rec.type == REC_COMPRESSED2]++;
		if (!packed_bytes(&rec, &p, &len) || codec->feed(state, p, len, sink, u) < 0)
			diag_count(&d->diag, DIAG_BAD_COMPRESSED, rec.off);
	}
	if (u->rest.len)
		diag_count(&d->diag, DIAG_BAD_COMPRESSED, s->end);
	codec->end(state);
}

static int unpack_stream(struct data *d, struct data_stream *s, const struct codec *codec, struct err *err)
{
	struct unpacker u = { .data = d };
	const u8 *base;
	int fd, ret;

	ret = spool_open(&u.spool, err);
	if (ret < 0)
		return ret;
	unpack_records(&u, codec, s);
	strbuf_release(&u.rest);
	fd = spool_finish(&u.spool, err);
	if (fd < 0)
		return fd;
	vec_push(&d->priv->fd, fd);
	ret = data_map(d, fd, u.spool.size, &base, err);
	if (ret < 0)
		return ret;
	if (!u.spool.size) {	/* nothing could be unpacked: an empty stream in the old place */
		s->end = s->start;
		return 0;
	}
	s->base = base - s->start;	/* what lies in front of the first COMPRESSED record keeps its offsets */
	s->end = s->start + u.spool.size;
	s->fd = fd;
	return 0;
}

static bool has_packed(const struct data *d, const struct data_stream *s)
{
	struct diag unused = { 0 };	/* what is wrong is counted when the records are read for real */
	struct rec_walk w = rec_walk_of(d, s, s->start, s->end, &unused);
	struct rec rec;

	while (rec_next(&w, &rec) > 0)
		if (is_packed(rec.type))
			return true;
	return false;
}

int data_unpack_streams(struct data *d, struct err *err)
{
	u32 type = d->feat.comp_type ? d->feat.comp_type : 1;
	const struct codec *codec = codec_find(type);

	vec_foreach(&d->stream, s) {
		int ret;

		if (!has_packed(d, s))
			continue;
		if (!codec || !codec->built)
			return err_set(err, -ENOTSUP, codec ? "%s holds records that are compressed (type %u): this perf was built without zstd" :
				       "%s holds records that are compressed in a way that is not known here (type %u)",
				       d->path, type);
		ret = unpack_stream(d, s, codec, err);
		if (ret < 0)
			return ret;
	}
	return 0;
}
