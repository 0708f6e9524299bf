/* Copy-input: see copy-input.h. */
#include "copy-input.h"
#include "import.h"
#include "magic.h"
#include "spool.h"
#include "unzip.h"
#include "../base/fd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* an input that is copied: what is not a recording is read no further than is needed to say so */
struct input {
	struct spool spool;
	struct unzip *unzip;
	u8 head[DATA_PIPE_HEADER];	/* of the recording */
	size_t head_len;
	struct strbuf begin;		/* as long as it is not known whether it is wanted */
	bool wanted;			/* a recording, or another profile: import.h */
	bool stopped;
};

/* false for input that nobody will read: such an input may never end */
static bool is_wanted(struct input *in, const void *p, size_t len)
{
	bool more = false;
	u64 magic;

	if (in->wanted)
		return true;
	strbuf_add(&in->begin, p, MIN(len, IMPORT_HEAD - in->begin.len));
	if (in->head_len < sizeof(in->head))
		return true;
	memcpy(&magic, in->head, sizeof(magic));
	in->wanted = data_is_magic(magic) || import_probe((const u8 *)in->begin.buf, in->begin.len, &more);
	return in->wanted || more;
}

static void take_bytes(void *ctx, const void *p, size_t len)
{
	struct input *in = ctx;
	size_t part = MIN(len, sizeof(in->head) - in->head_len);

	if (in->stopped)
		return;
	spool_add(&in->spool, p, len);
	memcpy(in->head + in->head_len, p, part);
	in->head_len += part;
	in->stopped = in->spool.error || !is_wanted(in, p, len);
}

/* what could not be unpacked is missing at the end, as if the file were cut */
static void unzip_bytes(struct data *d, struct input *in, const void *p, size_t len)
{
	int ret = unzip_add(in->unzip, p, len);

	if (!ret)
		return;
	diag_count(&d->diag, ret == -EFBIG ? DIAG_UNPACKED_TOO_MUCH : DIAG_BAD_COMPRESSED, in->spool.size);
	in->stopped = true;
}

/* the first bytes of the input, enough to see what it is: their number or a negative errno */
static ssize_t read_head(int fd, const struct strbuf *seen, u8 *buf, size_t len)
{
	size_t have = MIN(seen->len, len);
	ssize_t n = 1;

	if (have)
		memcpy(buf, seen->buf, have);
	while (have < DATA_PIPE_HEADER && n > 0) {
		n = fd_read_some(fd, buf + have, len - have);
		if (n < 0)
			return n;
		have += n;
	}
	return have;
}

static int copy_input(struct data *d, struct input *in, int fd, const struct strbuf *seen, struct err *err)
{
	size_t len = MAX((size_t)1 << 20, seen->len);
	u8 *buf = xmalloc(len);
	ssize_t n = read_head(fd, seen, buf, len);
	int ret = 0;

	if (n > 0 && unzip_is_packed(buf, n)) {
		in->unzip = unzip_new(buf, n, take_bytes, in, err);
		ret = in->unzip ? 0 : err_prefix(err, "%s is compressed: ", d->path);
	}
	while (!ret && n > 0 && !in->stopped) {
		if (in->unzip)
			unzip_bytes(d, in, buf, n);
		else
			take_bytes(in, buf, n);
		n = in->stopped ? 0 : fd_read_some(fd, buf, len);
	}
	if (!ret && n < 0)
		ret = err_sys(err, -n, "%s: cannot read", d->path);
	if (!ret && in->unzip && !in->stopped && !unzip_at_end(in->unzip))
		diag_count(&d->diag, DIAG_BAD_COMPRESSED, in->spool.size);
	free(buf);
	return ret;
}

int data_spool_input(struct data *d, bool all, int fd, const struct strbuf *seen, u64 *ret_size,
		     struct err *err)
{
	struct input in = { .wanted = all };
	int ret = spool_open(&in.spool, err), out;

	if (ret < 0)
		return ret;
	ret = copy_input(d, &in, fd, seen, err);
	unzip_free(in.unzip);
	strbuf_release(&in.begin);
	*ret_size = in.spool.size;
	out = spool_finish(&in.spool, ret < 0 ? NULL : err);
	if (ret < 0 && out >= 0)
		close(out);
	return ret < 0 ? ret : out;
}
