/* Stream: descriptors and bzip2. */
#include "stream.h"
#include "../base/alloc.h"
#include "../base/fs.h"
#include "../lib/lib.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif

#define BUFFER (64u << 10)
#define BZ2_MAGIC "BZh"

static ssize_t fd_read(struct in_stream *s, void *buf, size_t len)
{
	const struct fd_in *f = (struct fd_in *)s;
	ssize_t n;

	do
		n = read(f->fd, buf, len);
	while (n < 0 && errno == EINTR);
	return n < 0 ? -errno : n;
}

static int fd_write(struct out_stream *s, const void *buf, size_t len)
{
	return fd_write_all(((struct fd_out *)s)->fd, buf, len);
}

struct in_stream *fd_in_init(struct fd_in *f, int fd)
{
	*f = (struct fd_in){ { fd_read }, fd };
	return &f->s;
}

struct out_stream *fd_out_init(struct fd_out *f, int fd)
{
	*f = (struct fd_out){ { fd_write }, fd };
	return &f->s;
}

ssize_t stream_read_full(struct in_stream *s, void *buf, size_t len)
{
	size_t have = 0;

	while (have < len) {
		ssize_t n = s->read(s, (char *)buf + have, len - have);

		if (n < 0)
			return n;
		if (!n)
			break;
		have += n;
	}
	return have;
}

struct unpack_stream {
	struct in_stream s;
	struct in_stream *from;
	bool packed, at_end;
	size_t pos, have;	/* bytes of buf that are not used yet */
#ifdef HAVE_BZIP2
	bz_stream bz;
#endif
	u8 buf[BUFFER];
};

static ssize_t read_plain(struct unpack_stream *u, void *buf, size_t len)
{
	if (u->pos == u->have)
		return u->from->read(u->from, buf, len);
	len = MIN(len, u->have - u->pos);
	memcpy(buf, u->buf + u->pos, len);
	u->pos += len;
	return len;
}

#ifdef HAVE_BZIP2
static ssize_t refill(struct unpack_stream *u)
{
	ssize_t n = u->from->read(u->from, u->buf, sizeof(u->buf));

	u->pos = 0;
	u->have = MAX(n, 0);
	return n;
}

static int bz2_start(struct unpack_stream *u, struct err *err)
{
	int ret = lib_load(LIB_bzip2, err);

	u->packed = true;
	return ret ? ret : BZ2_bzDecompressInit(&u->bz, 0, 0) == BZ_OK ? 0 : err_sys(err, ENOMEM, "bzip2");
}

/* a file may have several bzip2 streams after each other */
static int next_bz2_stream(struct unpack_stream *u)
{
	if (u->pos == u->have && refill(u) <= 0)
		return 0;
	BZ2_bzDecompressEnd(&u->bz);
	memset(&u->bz, 0, sizeof(u->bz));
	return BZ2_bzDecompressInit(&u->bz, 0, 0) == BZ_OK ? 1 : -ENOMEM;
}

static ssize_t read_packed(struct unpack_stream *u, void *buf, size_t len)
{
	int state = BZ_OK;

	u->bz.next_out = buf;
	u->bz.avail_out = len = MIN(len, (size_t)BUFFER);
	while (u->bz.avail_out == len && !u->at_end) {
		ssize_t n = u->pos == u->have ? refill(u) : 1;

		if (n <= 0)
			return n < 0 ? n : -EBADMSG;	/* it ends inside a stream */
		u->bz.next_in = (char *)u->buf + u->pos;
		u->bz.avail_in = u->have - u->pos;
		state = BZ2_bzDecompress(&u->bz);
		u->pos = u->have - u->bz.avail_in;
		if (state == BZ_STREAM_END) {
			char *out = u->bz.next_out;
			unsigned int room = u->bz.avail_out;
			int more = next_bz2_stream(u);

			if (more < 0)
				return more;
			u->at_end = !more;
			u->bz.next_out = out;
			u->bz.avail_out = room;
		} else if (state != BZ_OK) {
			return state == BZ_MEM_ERROR ? -ENOMEM : -EBADMSG;
		}
	}
	return len - u->bz.avail_out;
}

static void bz2_stop(struct unpack_stream *u)
{
	if (u->packed && u->bz.state)
		BZ2_bzDecompressEnd(&u->bz);
}
#else
static int bz2_start(struct unpack_stream *u UNUSED, struct err *err)
{
	return err_set(err, -ELIBACC, "this perf is built without bzip2");
}

static ssize_t read_packed(struct unpack_stream *u UNUSED, void *buf UNUSED, size_t len UNUSED)
{
	return -ELIBACC;
}

static void bz2_stop(struct unpack_stream *u UNUSED)
{
}
#endif

static ssize_t unpack_stream_read(struct in_stream *s, void *buf, size_t len)
{
	struct unpack_stream *u = (struct unpack_stream *)s;

	return u->packed ? read_packed(u, buf, len) : read_plain(u, buf, len);
}

struct unpack_stream *unpack_stream_new(struct in_stream *from, struct err *err)
{
	struct unpack_stream *u = xcalloc(1, sizeof(*u));
	ssize_t n = stream_read_full(from, u->buf, sizeof(u->buf));

	u->s.read = unpack_stream_read;
	u->from = from;
	u->have = MAX(n, 0);
	if (n < 0)
		err_sys(err, -n, "cannot read the archive");
	else if (n < 4 || memcmp(u->buf, BZ2_MAGIC, 3) || !bz2_start(u, err))
		return u;
	unpack_stream_free(u);
	return NULL;
}

struct in_stream *unpack_stream_in(struct unpack_stream *u)
{
	return &u->s;
}

void unpack_stream_free(struct unpack_stream *u)
{
	if (u)
		bz2_stop(u);
	free(u);
}

struct bz2_out {
	struct out_stream s;
	struct out_stream *to;
#ifdef HAVE_BZIP2
	bz_stream bz;
#endif
	char buf[BUFFER];
};

#ifdef HAVE_BZIP2
/* with BZ_FINISH up to the end of the stream */
static int bz2_push(struct bz2_out *b, int action)
{
	int state, ret;

	do {
		b->bz.next_out = b->buf;
		b->bz.avail_out = sizeof(b->buf);
		state = BZ2_bzCompress(&b->bz, action);
		if (state < 0)
			return -EIO;
		ret = b->to->write(b->to, b->buf, sizeof(b->buf) - b->bz.avail_out);
		if (ret)
			return ret;
	} while (action == BZ_FINISH ? state != BZ_STREAM_END : b->bz.avail_in > 0);
	return 0;
}

static int bz2_write(struct out_stream *s, const void *buf, size_t len)
{
	struct bz2_out *b = (struct bz2_out *)s;
	int ret = 0;

	while (!ret && len) {
		b->bz.next_in = (char *)buf;
		b->bz.avail_in = MIN(len, (size_t)1 << 30);
		buf = (const char *)buf + b->bz.avail_in;
		len -= b->bz.avail_in;
		ret = bz2_push(b, BZ_RUN);
	}
	return ret;
}

struct bz2_out *bz2_out_new(struct out_stream *to)
{
	struct bz2_out *b = xcalloc(1, sizeof(*b));

	b->s.write = bz2_write;
	b->to = to;
	if (lib_usable(LIB_bzip2) && BZ2_bzCompressInit(&b->bz, 9, 0, 0) == BZ_OK)
		return b;
	free(b);
	return NULL;
}

int bz2_out_end(struct bz2_out *b)
{
	int ret = bz2_push(b, BZ_FINISH);

	BZ2_bzCompressEnd(&b->bz);
	free(b);
	return ret;
}
#else
struct bz2_out *bz2_out_new(struct out_stream *to UNUSED)
{
	return NULL;
}

int bz2_out_end(struct bz2_out *b)
{
	free(b);
	return 0;
}
#endif

struct out_stream *bz2_out_stream(struct bz2_out *b)
{
	return &b->s;
}
