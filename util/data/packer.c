/* Packer: the writing side of compression. */
#include "packer.h"
#include "../event/record-type.h"

#include <errno.h>

#ifdef HAVE_ZSTD
#include "features-write.h"
#include "write-spans.h"

#include <endian.h>
#include <zstd.h>
#include "../lib/lib.h"

#define PIECE_BYTES (256u << 10)
/* maximum number of compressed bytes in a record: with header and padding its size must fit into 16 bits */
#define DATA_MAX 65496u
#define SKIPPABLE_MAGIC 0x184d2a50u

int packer_init(struct packer *p, int level, struct err *err)
{
	*p = (struct packer){ 0 };
	if (lib_load(LIB_zstd, err))
		return err_prefix(err, "-z is not possible: ");
	p->ctx = ZSTD_createCCtx();
	if (!p->ctx || ZSTD_isError(ZSTD_CCtx_setParameter(p->ctx, ZSTD_c_compressionLevel, level)))
		return err_set(err, -EINVAL, "zstd refuses compression level %d", level);
	return 0;
}

static void pad_record(struct strbuf *out, size_t at)
{
	u32 k = -(out->len - at) & 7;

	if (!k)
		return;
	put_u32(out, htole32(SKIPPABLE_MAGIC));	/* zstd is little-endian everywhere */
	put_u32(out, htole32(k));
	strbuf_pad(out, '\0', k);
}

static void set_size(struct strbuf *out, size_t at)
{
	struct rec_header h = { .type = REC_COMPRESSED, .size = out->len - at };

	memcpy(out->buf + at, &h, sizeof(h));
}

/* one frame, in as many records as necessary */
static int pack_piece(struct packer *p, const void *data, size_t len)
{
	ZSTD_inBuffer in = { data, len, 0 };
	size_t left;

	do {
		size_t at = p->out.len;
		char *room;
		ZSTD_outBuffer dst;

		strbuf_pad(&p->out, '\0', sizeof(struct rec_header));
		room = strbuf_room(&p->out, DATA_MAX);
		dst = (ZSTD_outBuffer){ room, DATA_MAX, 0 };
		left = ZSTD_compressStream2(p->ctx, &dst, &in, ZSTD_e_end);
		if (ZSTD_isError(left))
			return -EIO;
		p->out.len += dst.pos;
		if (!left)
			pad_record(&p->out, at);
		set_size(&p->out, at);
	} while (left);
	return 0;
}

/* len bytes of the spans in one piece; only a record that is split by the end of the ring is copied */
static const void *in_one_piece(struct packer *p, const struct iovec *iov, int nr, size_t len)
{
	if (len <= iov[0].iov_len)
		return iov[0].iov_base;
	strbuf_reset(&p->joined);
	for (int i = 0; i < nr && len; i++) {
		size_t part = MIN(len, iov[i].iov_len);

		strbuf_add(&p->joined, iov[i].iov_base, part);
		len -= part;
	}
	return p->joined.buf;
}

s64 packer_frame(struct packer *p, const struct iovec *iov, int nr, size_t from)
{
	struct iovec left[2];
	size_t room = 0, len;
	int ret;

	nr = spans_from(left, iov, nr, from);
	for (int i = 0; i < nr; i++)
		room += left[i].iov_len;
	if (!room)
		return 0;
	room = MIN(room, (size_t)PIECE_BYTES);
	len = whole_records(left, nr, room);
	if (!len)
		len = room;	/* not records: left to others to judge */
	strbuf_reset(&p->out);
	ret = pack_piece(p, in_one_piece(p, left, nr, len), len);
	p->in_bytes += len;
	p->out_bytes += p->out.len;
	return ret < 0 ? ret : (s64)len;
}

void packer_release(struct packer *p)
{
	if (p->ctx)
		ZSTD_freeCCtx(p->ctx);
	p->ctx = NULL;
	strbuf_release(&p->out);
	strbuf_release(&p->joined);
	strbuf_release(&p->copy);
}
#else
int packer_init(struct packer *p, int level, struct err *err)
{
	*p = (struct packer){ .ctx = NULL };
	return err_set(err, -ENOTSUP, "this perf was built without zstd: -z is not possible");
}

s64 packer_frame(struct packer *p, const struct iovec *iov, int nr, size_t from)
{
	return -ENOTSUP;
}

void packer_release(struct packer *p)
{
	strbuf_release(&p->copy);
}
#endif
