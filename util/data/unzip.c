/* Unzip: see unzip.h. A row and three functions per kind. */
#include "unzip.h"
#include "../base/alloc.h"
#include "../lib/lib.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define OUT_BYTES (256u << 10)
#define XZ_MEMORY (256ull << 20)
/* stacks full of zeros, the best case of a real recording, become less than 2000 times as large */
#define FREE_BYTES (64u << 20)
#define MAX_RATIO 4096u

/* what one step takes and gives; both are advanced */
struct packed_piece {
	const u8 *in;
	size_t in_left;
	u8 *out;
	size_t out_left;
};

struct unzip_kind {
	const char *name, *magic;
	size_t magic_len;
	enum lib lib;
	/* NULL: built without the library. 0 or -ENOMEM */
	int (*begin)(struct unzip *u);
	/* 0, 1 at the end of the compressed data, or a negative errno */
	int (*step)(struct unzip *u, struct packed_piece *p);
	void (*end)(struct unzip *u);
};

struct unzip {
	const struct unzip_kind *kind;
	unzip_put *put;
	void *ctx;
	u64 in, out;		/* bytes so far */
	bool begun;
	bool rest_ignored;	/* what follows is something else */
	union {
		z_stream gz;
#ifdef HAVE_BZIP2
		bz_stream bz;
#endif
#ifdef HAVE_LZMA
		lzma_stream xz;
#endif
#ifdef HAVE_ZSTD
		ZSTD_DStream *zst;
#endif
	};
	u8 buf[OUT_BYTES];
};

static int gz_begin(struct unzip *u)
{
	u->gz = (z_stream){ 0 };
	return inflateInit2(&u->gz, 15 + 16) == Z_OK ? 0 : -ENOMEM;
}

static int gz_step(struct unzip *u, struct packed_piece *p)
{
	uInt in = MIN(p->in_left, (size_t)OUT_BYTES), out = p->out_left;
	int ret;

	u->gz.next_in = (Bytef *)p->in;
	u->gz.avail_in = in;
	u->gz.next_out = p->out;
	u->gz.avail_out = out;
	ret = inflate(&u->gz, Z_NO_FLUSH);
	p->in += in - u->gz.avail_in;
	p->in_left -= in - u->gz.avail_in;
	p->out += out - u->gz.avail_out;
	p->out_left = u->gz.avail_out;
	return ret == Z_STREAM_END ? 1 : ret == Z_OK || ret == Z_BUF_ERROR ? 0 : -EBADMSG;
}

static void gz_end(struct unzip *u)
{
	inflateEnd(&u->gz);
}

#ifdef HAVE_LZMA
static int xz_begin(struct unzip *u)
{
	u->xz = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_auto_decoder(&u->xz, XZ_MEMORY, 0) == LZMA_OK ? 0 : -ENOMEM;
}

static int xz_step(struct unzip *u, struct packed_piece *p)
{
	lzma_ret ret;

	u->xz.next_in = p->in;
	u->xz.avail_in = p->in_left;
	u->xz.next_out = p->out;
	u->xz.avail_out = p->out_left;
	ret = lzma_code(&u->xz, LZMA_RUN);
	p->in = u->xz.next_in;
	p->in_left = u->xz.avail_in;
	p->out = u->xz.next_out;
	p->out_left = u->xz.avail_out;
	if (ret == LZMA_MEM_ERROR || ret == LZMA_MEMLIMIT_ERROR)
		return -ENOMEM;
	return ret == LZMA_STREAM_END ? 1 : ret == LZMA_OK || ret == LZMA_BUF_ERROR ? 0 : -EBADMSG;
}

static void xz_end(struct unzip *u)
{
	lzma_end(&u->xz);
}
#else
#define xz_begin NULL
#define xz_step NULL
#define xz_end NULL
#endif

#ifdef HAVE_ZSTD
static int zst_begin(struct unzip *u)
{
	u->zst = ZSTD_createDStream();
	return u->zst ? 0 : -ENOMEM;
}

static int zst_step(struct unzip *u, struct packed_piece *p)
{
	ZSTD_inBuffer in = { p->in, p->in_left, 0 };
	ZSTD_outBuffer out = { p->out, p->out_left, 0 };
	size_t ret = ZSTD_decompressStream(u->zst, &out, &in);

	p->in += in.pos;
	p->in_left -= in.pos;
	p->out += out.pos;
	p->out_left -= out.pos;
	return ZSTD_isError(ret) ? -EBADMSG : !ret;
}

static void zst_end(struct unzip *u)
{
	ZSTD_freeDStream(u->zst);
}
#else
#define zst_begin NULL
#define zst_step NULL
#define zst_end NULL
#endif

#ifdef HAVE_BZIP2
static int bz_begin(struct unzip *u)
{
	u->bz = (bz_stream){ 0 };
	return BZ2_bzDecompressInit(&u->bz, 0, 0) == BZ_OK ? 0 : -ENOMEM;
}

static int bz_step(struct unzip *u, struct packed_piece *p)
{
	unsigned int in = MIN(p->in_left, (size_t)OUT_BYTES), out = p->out_left;
	int ret;

	u->bz.next_in = (char *)p->in;
	u->bz.avail_in = in;
	u->bz.next_out = (char *)p->out;
	u->bz.avail_out = out;
	ret = BZ2_bzDecompress(&u->bz);
	p->in += in - u->bz.avail_in;
	p->in_left -= in - u->bz.avail_in;
	p->out += out - u->bz.avail_out;
	p->out_left = u->bz.avail_out;
	return ret == BZ_STREAM_END ? 1 : ret == BZ_OK ? 0 : ret == BZ_MEM_ERROR ? -ENOMEM : -EBADMSG;
}

static void bz_end(struct unzip *u)
{
	BZ2_bzDecompressEnd(&u->bz);
}
#else
#define bz_begin NULL
#define bz_step NULL
#define bz_end NULL
#endif

static const struct unzip_kind kinds[] = {
	{ "gzip", "\x1f\x8b", 2, LIB_zlib, gz_begin, gz_step, gz_end },
	{ "xz", "\xfd" "7zXZ", 6, LIB_lzma, xz_begin, xz_step, xz_end },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, LIB_zstd, zst_begin, zst_step, zst_end },
	{ "bzip2", "BZh", 3, LIB_bzip2, bz_begin, bz_step, bz_end },
};

static const struct unzip_kind *kind_of(const void *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (len >= kinds[i].magic_len && !memcmp(head, kinds[i].magic, kinds[i].magic_len))
			return &kinds[i];
	return NULL;
}

bool unzip_is_packed(const void *head, size_t len)
{
	return kind_of(head, len);
}

struct unzip *unzip_new(const void *head, size_t len, unzip_put *put, void *ctx, struct err *err)
{
	const struct unzip_kind *kind = kind_of(head, len);
	struct unzip *u;

	if (!kind->begin) {
		err_set(err, -ENOTSUP, "this perf was built without %s", kind->name);
		return NULL;
	}
	if (lib_load(kind->lib, err))
		return NULL;
	u = xcalloc(1, sizeof(*u));
	u->kind = kind;
	u->put = put;
	u->ctx = ctx;
	return u;
}

static int begin(struct unzip *u)
{
	int ret = u->kind->begin(u);

	u->begun = !ret;
	return ret;
}

/*
 * before the first stream, or another one in concatenated files; zeros may be between them. Anything else
 * after a stream is ignored, as gzip does
 */
static int next_stream(struct unzip *u, struct packed_piece *p)
{
	while (u->in && p->in_left && !*p->in) {
		p->in++;
		p->in_left--;
	}
	if (!p->in_left)
		return 0;
	u->rest_ignored = *p->in != (u8)*u->kind->magic;
	return u->rest_ignored ? 0 : begin(u);
}

static int one_step(struct unzip *u, struct packed_piece *p)
{
	size_t left = p->in_left, made;
	int ret;

	p->out = u->buf;
	p->out_left = sizeof(u->buf);
	ret = u->kind->step(u, p);
	made = sizeof(u->buf) - p->out_left;
	u->in += left - p->in_left;
	u->out += made;
	if (u->out > FREE_BYTES && u->out / MAX_RATIO > u->in)
		return -EFBIG;
	if (made)
		u->put(u->ctx, u->buf, made);
	if (ret == 1) {
		u->kind->end(u);
		u->begun = false;
	}
	return MIN(ret, 0);
}

int unzip_add(struct unzip *u, const void *bytes, size_t len)
{
	struct packed_piece p = { bytes, len, u->buf, sizeof(u->buf) };
	int ret = 0;

	while (!ret && !u->rest_ignored && (p.in_left || (u->begun && !p.out_left))) {
		if (!u->begun)
			ret = next_stream(u, &p);
		if (!ret && u->begun)
			ret = one_step(u, &p);
	}
	return ret;
}

bool unzip_at_end(const struct unzip *u)
{
	return !u->begun;
}

void unzip_free(struct unzip *u)
{
	if (u && u->begun)
		u->kind->end(u);
	free(u);
}

/* ---- whole files ---- */

#define WHOLE_MAX (16u << 20)
#define GZIP_MIN 18u		/* header and trailer */
#define GZIP_MAX_RATIO 1032u
#define SLACK 512u		/* zlib is slow where room becomes scarce */

/* the size is the end of the file: a claim, which the stream must meet */
static u32 whole_size(const u8 *p, size_t len)
{
	u32 size;

	if (len < GZIP_MIN || kind_of(p, len) != &kinds[0])
		return 0;
	memcpy(&size, p + len - sizeof(size), sizeof(size));
	size = le32toh(size);
	return size <= WHOLE_MAX && size / GZIP_MAX_RATIO <= len ? size : 0;
}

u8 *unzip_whole(const u8 *p, size_t len, size_t *ret_len)
{
	u32 size = whole_size(p, len);
	z_stream gz = { .next_in = (Bytef *)p, .avail_in = len };
	bool whole;
	u8 *out;

	if (!size || lib_load(LIB_zlib, NULL) || inflateInit2(&gz, 15 + 16) != Z_OK)
		return NULL;
	out = xmalloc(size + SLACK);
	gz.next_out = out;
	gz.avail_out = size + SLACK;
	whole = inflate(&gz, Z_FINISH) == Z_STREAM_END && !gz.avail_in && gz.total_out == size;
	inflateEnd(&gz);
	*ret_len = size;
	if (whole)
		return out;
	free(out);
	return NULL;
}
