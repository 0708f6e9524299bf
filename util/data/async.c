/* Async: writes that continue while the caller works. */
#include "async.h"
#include "../base/alloc.h"

#include <aio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct block {
	struct aiocb cb;
	char *buf;
	size_t room;
	u64 start;
	bool busy;
};

struct async {
	int fd;
	unsigned int nr, next;	/* blocks are used in turn: next is the oldest */
	int failed;
	u64 bad;		/* the lowest offset of a write that failed */
	u64 overlaps;
	struct block block[ASYNC_BLOCKS_MAX];
};

static int (*start_write)(struct aiocb *cb) = aio_write;

void async_set_write_for_test(int (*fn)(struct aiocb *cb))
{
	start_write = fn ? fn : aio_write;
}

struct async *async_new(int fd, unsigned int nr_blocks)
{
	struct async *a = xcalloc(1, sizeof(*a));

	a->fd = fd;
	a->bad = UINT64_MAX;
	a->nr = MIN(MAX(nr_blocks, 1u), (unsigned int)ASYNC_BLOCKS_MAX);
	return a;
}

/* the system's queue can be full for a while: then this block is written at once */
static int submit(struct async *a, struct block *b)
{
	if (!start_write(&b->cb)) {
		b->busy = true;
		return 0;
	}
	if (errno != EAGAIN && errno != ENOSYS)
		return -errno;
	while (b->cb.aio_nbytes) {
		ssize_t n = pwrite(a->fd, (char *)b->cb.aio_buf, b->cb.aio_nbytes, b->cb.aio_offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		b->cb.aio_buf = (char *)b->cb.aio_buf + n;
		b->cb.aio_nbytes -= n;
		b->cb.aio_offset += n;
	}
	return 0;
}

static void fail(struct async *a, const struct block *b, int code)
{
	if (!a->failed)
		a->failed = code;
	a->bad = MIN(a->bad, b->start);
}

/* waits until the block is free; continues a short write where it stopped */
static int wait_for(struct async *a, struct block *b)
{
	while (b->busy) {
		const struct aiocb *list[1] = { &b->cb };
		int e = aio_error(&b->cb), ret;
		ssize_t n;

		if (e == EINPROGRESS) {
			aio_suspend(list, 1, NULL);
			continue;
		}
		b->busy = false;
		n = aio_return(&b->cb);
		if (e || n <= 0) {
			ret = e ? -e : -EIO;
		} else {
			b->cb.aio_buf = (char *)b->cb.aio_buf + n;
			b->cb.aio_nbytes -= n;
			b->cb.aio_offset += n;
			ret = b->cb.aio_nbytes ? submit(a, b) : 0;
		}
		if (ret < 0)
			fail(a, b, ret);
	}
	return a->failed;
}

int async_write(struct async *a, const struct iovec *iov, int nr, u64 off)
{
	struct block *b = &a->block[a->next];
	size_t len = 0;
	int ret = wait_for(a, b);

	if (ret < 0)
		return ret;
	for (int i = 0; i < nr; i++)
		len += iov[i].iov_len;
	if (!len)
		return 0;
	if (len > b->room) {
		free(b->buf);
		b->room = ALIGN_UP(len, (size_t)65536);
		b->buf = xmalloc(b->room);
	}
	len = 0;
	for (int i = 0; i < nr; i++) {
		memcpy(b->buf + len, iov[i].iov_base, iov[i].iov_len);
		len += iov[i].iov_len;
	}
	for (unsigned int i = 0; i < a->nr; i++)
		if (a->block[i].busy && aio_error(&a->block[i].cb) == EINPROGRESS) {
			a->overlaps++;
			break;
		}
	b->cb = (struct aiocb){ .aio_fildes = a->fd, .aio_buf = b->buf, .aio_nbytes = len, .aio_offset = off,
				.aio_sigevent.sigev_notify = SIGEV_NONE };
	a->next = (a->next + 1) % a->nr;
	b->start = off;
	ret = submit(a, b);
	if (ret < 0)
		fail(a, b, ret);
	return ret;
}

int async_drain(struct async *a, u64 *ret_bad)
{
	for (unsigned int i = 0; i < a->nr; i++)
		wait_for(a, &a->block[(a->next + i) % a->nr]);
	*ret_bad = a->bad;
	return a->failed;
}

u64 async_overlaps(const struct async *a)
{
	return a->overlaps;
}

void async_free(struct async *a)
{
	u64 bad;

	if (!a)
		return;
	async_drain(a, &bad);
	for (unsigned int i = 0; i < a->nr; i++)
		free(a->block[i].buf);
	free(a);
}
