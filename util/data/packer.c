/* Packer: the writing side of compression. */
#include "packer.h"

#include <errno.h>

#ifdef HAVE_ZSTD
#include "features-write.h"

#include <endian.h>
#include "../lib/zstd.h"

#define PIECE_BYTES (256u << 10)
/* of compressed bytes in a record: the header and the longest padding still fit into 16 bits of size */
#define DATA_MAX 65496u
#define SKIPPABLE_MAGIC 0x184d2a50u

int packer_init(struct packer *p, int level, struct err *err)
{
	*p = (struct packer){ 0 };
	if (zstd_load(err))
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

/* one frame, in as many records as it takes */
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

int packer_pack(struct packer *p, const struct iovec *iov, int nr)
{
	int ret = 0;

	strbuf_reset(&p->out);
	for (int i = 0; i < nr && !ret; i++) {
		p->in_bytes += iov[i].iov_len;
		for (size_t off = 0; off < iov[i].iov_len && !ret; off += PIECE_BYTES)
			ret = pack_piece(p, (const u8 *)iov[i].iov_base + off, MIN(iov[i].iov_len - off, PIECE_BYTES));
	}
	p->out_bytes += p->out.len;
	return ret;
}

void packer_release(struct packer *p)
{
	if (p->ctx)
		ZSTD_freeCCtx(p->ctx);
	p->ctx = NULL;
	strbuf_release(&p->out);
	strbuf_release(&p->copy);
}
#else
int packer_init(struct packer *p, int level, struct err *err)
{
	*p = (struct packer){ .ctx = NULL };
	return err_set(err, -ENOTSUP, "this perf was built without zstd: -z is not possible");
}

int packer_pack(struct packer *p, const struct iovec *iov, int nr)
{
	return -ENOTSUP;
}

void packer_release(struct packer *p)
{
	strbuf_release(&p->copy);
}
#endif
