/* Compress: one small driver per library over a growing output buffer. */
#include "compress.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#include "../base/alloc.h"
#include "../lib/lib.h"

#define XZ_MEMORY (256ull << 20)

struct unpacked {
	u8 *buf;
	size_t len, alloc, max;
};

/* makes room for more output; false: the limit is reached */
static bool grow(struct unpacked *u, size_t guess)
{
	size_t want = u->alloc ? u->alloc * 2 : MAX(guess, (size_t)65536);

	if (u->len < u->alloc)
		return true;
	if (u->alloc >= u->max)
		return false;
	u->alloc = MIN(want, u->max);
	u->buf = xrealloc(u->buf, u->alloc);
	return true;
}

static int unpack_gz(const void *in, size_t len, struct unpacked *u)
{
	z_stream z = { .next_in = (void *)in, .avail_in = MIN(len, (size_t)UINT32_MAX) };
	int rc, ret = -EBADMSG;

	if (inflateInit2(&z, 15 + 32) != Z_OK)
		return -ENOMEM;
	for (;;) {
		if (!grow(u, len * 4)) {
			ret = -EFBIG;
			break;
		}
		z.next_out = u->buf + u->len;
		z.avail_out = MIN(u->alloc - u->len, (size_t)1 << 30);
		rc = inflate(&z, Z_NO_FLUSH);
		u->len = z.next_out - u->buf;
		if (rc == Z_STREAM_END)
			ret = 0;
		if (rc != Z_OK)
			break;
	}
	inflateEnd(&z);
	return ret;
}

#ifdef HAVE_LZMA
static int unpack_xz(const void *in, size_t len, struct unpacked *u)
{
	lzma_stream z = LZMA_STREAM_INIT;
	int ret = -EBADMSG;
	lzma_ret rc;

	if (lzma_auto_decoder(&z, XZ_MEMORY, 0) != LZMA_OK)
		return -ENOMEM;
	z.next_in = in;
	z.avail_in = len;
	for (;;) {
		if (!grow(u, len * 4)) {
			ret = -EFBIG;
			break;
		}
		z.next_out = u->buf + u->len;
		z.avail_out = u->alloc - u->len;
		rc = lzma_code(&z, LZMA_FINISH);
		u->len = z.next_out - u->buf;
		if (rc == LZMA_STREAM_END)
			ret = 0;
		if (rc != LZMA_OK)
			break;
	}
	lzma_end(&z);
	return ret;
}
#else
#define unpack_xz NULL
#endif

#ifdef HAVE_ZSTD
static int unpack_zst(const void *in, size_t len, struct unpacked *u)
{
	ZSTD_DStream *z = ZSTD_createDStream();
	ZSTD_inBuffer src = { in, len, 0 };
	int ret = -EBADMSG;

	if (!z)
		return -ENOMEM;
	for (;;) {
		ZSTD_outBuffer dst;
		size_t rc, before = src.pos;

		if (!grow(u, len * 4)) {
			ret = -EFBIG;
			break;
		}
		dst = (ZSTD_outBuffer){ u->buf + u->len, u->alloc - u->len, 0 };
		rc = ZSTD_decompressStream(z, &dst, &src);
		u->len += dst.pos;
		if (ZSTD_isError(rc) || (rc && !dst.pos && src.pos == before))
			break;
		if (rc == 0 && src.pos == src.size) {
			ret = 0;
			break;
		}
	}
	ZSTD_freeDStream(z);
	return ret;
}
#else
#define unpack_zst NULL
#endif

static const struct {
	const char *name, *magic;
	size_t magic_len;
	enum lib lib;
	int (*unpack)(const void *in, size_t len, struct unpacked *u);
} kinds[] = {
	[COMPRESS_GZ] = { "gzip", "\x1f\x8b", 2, LIB_zlib, unpack_gz },
	[COMPRESS_XZ] = { "xz", "\xfd" "7zXZ", 6, LIB_lzma, unpack_xz },
	[COMPRESS_ZST] = { "zstd", "\x28\xb5\x2f\xfd", 4, LIB_zstd, unpack_zst },
};

enum compress_kind compress_kind_of(const void *head, size_t len)
{
	for (size_t i = 1; i < ARRAY_SIZE(kinds); i++)
		if (len >= kinds[i].magic_len && !memcmp(head, kinds[i].magic, kinds[i].magic_len))
			return i;
	return COMPRESS_NONE;
}

int compress_unpack(enum compress_kind kind, const void *in, size_t len, size_t max, u8 **ret,
		    size_t *ret_len, struct err *err)
{
	struct unpacked u = { .max = max };
	int rc;

	if (kind == COMPRESS_NONE || kind >= ARRAY_SIZE(kinds))
		return err_set(err, -EINVAL, "the compression method is unknown");
	if (!kinds[kind].unpack)
		return err_set(err, -ENOSYS, "compressed with %s, which this perf was built without",
			       kinds[kind].name);
	rc = lib_load(kinds[kind].lib, err);
	if (rc)
		return rc;
	rc = kinds[kind].unpack(in, len, &u);
	if (rc) {
		free(u.buf);
		if (rc == -EFBIG)
			return err_set(err, rc, "%s data unpacks to more than %zu MB", kinds[kind].name,
				       max >> 20);
		return err_set(err, rc, "damaged %s data", kinds[kind].name);
	}
	*ret = u.buf;
	*ret_len = u.len;
	return 0;
}
