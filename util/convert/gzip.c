/* Gzip: see gzip.h. */
#include "gzip.h"

#include <errno.h>
#include <stdlib.h>
#include <zlib.h>
#include "../base/alloc.h"

#define GZIP_LEVEL 3		/* profiles are half as large again with 1, and no tenth smaller with 6 */
#define GZIP_BITS (15 + 16)	/* the largest window, and the header of gzip */
#define GZIP_MEMORY 8		/* zlib's default */
#define OUT_SIZE 65536u

struct gzip {
	FILE *out;
	z_stream z;
	u8 buf[OUT_SIZE];
};

/* 0 or negative errno */
static int compress_some(struct gzip *g, const char *data, size_t len, int flush)
{
	int ret;

	g->z.next_in = (Bytef *)data;
	g->z.avail_in = len;
	do {
		size_t nr;

		g->z.next_out = g->buf;
		g->z.avail_out = OUT_SIZE;
		ret = deflate(&g->z, flush);
		nr = OUT_SIZE - g->z.avail_out;
		if (nr && fwrite(g->buf, 1, nr, g->out) != nr)
			return errno ? -errno : -EIO;
	} while (!g->z.avail_out || (flush == Z_FINISH && ret == Z_OK));
	return 0;
}

static ssize_t write_some(void *gzip, const char *data, size_t len)
{
	int ret = compress_some(gzip, data, MIN(len, (size_t)1 << 30), Z_NO_FLUSH);

	if (!ret)
		return MIN(len, (size_t)1 << 30);
	errno = -ret;
	return 0;
}

static int end(void *gzip)
{
	struct gzip *g = gzip;
	int ret = ferror(g->out) ? -EIO : compress_some(g, NULL, 0, Z_FINISH);

	deflateEnd(&g->z);
	if (!ret && fflush(g->out))
		ret = -errno;
	free(g);
	errno = -ret;
	return ret ? -1 : 0;
}

FILE *gzip_begin(FILE *out, struct err *err)
{
	const cookie_io_functions_t io = { .write = write_some, .close = end };
	struct gzip *g = xcalloc(1, sizeof(*g));
	FILE *f = NULL;

	g->out = out;
	if (deflateInit2(&g->z, GZIP_LEVEL, Z_DEFLATED, GZIP_BITS, GZIP_MEMORY, Z_DEFAULT_STRATEGY) == Z_OK) {
		f = fopencookie(g, "w", io);
		if (!f)
			deflateEnd(&g->z);
	}
	if (f)
		return f;
	free(g);
	err_set(err, -ENOMEM, "cannot compress the output: out of memory");
	return NULL;
}

int gzip_end(FILE *f, int ret)
{
	return fclose(f) && !ret ? errno ? -errno : -EIO : ret;
}
