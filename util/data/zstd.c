/* Zstandard, the codec that record -z uses. */
#include "codec.h"

#include <errno.h>

#ifdef HAVE_ZSTD
#include <stdlib.h>
#include <zstd.h>
#include "../base/alloc.h"
#include "../lib/lib.h"

struct zstd_state {
	ZSTD_DStream *stream;
	size_t size;
	u8 out[];
};

static void *zstd_begin(struct err *err)
{
	struct zstd_state *z;
	size_t size;

	if (lib_load(LIB_zstd, err))
		return NULL;
	size = ZSTD_DStreamOutSize();
	z = xmalloc(sizeof(*z) + size);
	z->size = size;
	z->stream = ZSTD_createDStream();
	if (z->stream)
		ZSTD_initDStream(z->stream);
	return z;
}

static int zstd_feed(void *state, const void *p, size_t len,
		     void (*sink)(void *ctx, const void *p, size_t len), void *ctx)
{
	struct zstd_state *z = state;
	ZSTD_inBuffer in = { p, len, 0 };
	ZSTD_outBuffer out;

	if (!z->stream)
		return -ENOMEM;
	do {
		size_t rc;

		out = (ZSTD_outBuffer){ z->out, z->size, 0 };
		rc = ZSTD_decompressStream(z->stream, &out, &in);
		if (ZSTD_isError(rc)) {
			/* a frame that begins after the damage can be read again */
			ZSTD_initDStream(z->stream);
			return -EBADMSG;
		}
		sink(ctx, z->out, out.pos);
	} while (in.pos < in.size || out.pos == out.size);
	return 0;
}

static void zstd_end(void *state)
{
	struct zstd_state *z = state;

	ZSTD_freeDStream(z->stream);
	free(z);
}

const struct codec codec_zstd = { 1, "zstd", true, zstd_begin, zstd_feed, zstd_end };
#else
const struct codec codec_zstd = { .type = 1, .name = "zstd" };
#endif
