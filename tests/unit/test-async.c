/* Writing beside the caller's work: order, short writes, failures, and a recorder's file that comes of it. */
#include "test.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../../util/data/async.h"
#include "../../util/data/writer.h"

/* aio_write usually completes before it is waited for; these writes are still running at first */
static int calls, fail_at, code;

static int refuse(struct aiocb *cb)
{
	if (++calls == fail_at) {
		errno = code;
		return -1;
	}
	return aio_write(cb);
}

static int write_words(struct async *a, u32 nr)
{
	for (u32 i = 0; i < nr; i++) {
		u64 head = i, tail[2] = { i * 10, ~(u64)i };
		struct iovec iov[2] = { { &head, 8 }, { tail, 16 } };
		int ret = async_write(a, iov, 2, (u64)i * 24);

		if (ret < 0)
			return ret;
		/* the bytes are ours again */
		head = tail[0] = tail[1] = 0;
	}
	return 0;
}

static void check_words(int fd, u32 nr)
{
	u64 w[3];

	for (u32 i = 0; i < nr; i++) {
		REQUIRE(pread(fd, w, 24, (off_t)i * 24) == 24);
		CHECK(w[0] == i && w[1] == i * 10 && w[2] == ~(u64)i);
	}
}

TEST(all_blocks_in_their_places)
{
	for (u32 blocks = 1; blocks <= ASYNC_BLOCKS_MAX; blocks++) {
		int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0600);
		struct async *a = async_new(fd, blocks);
		u64 bad;

		CHECK_INT(write_words(a, 500), 0);
		CHECK_INT(async_drain(a, &bad), 0);
		check_words(fd, 500);
		async_free(a);
		close(fd);
	}
}

TEST(writes_are_under_way_together)
{
	/* each write waits for the disk, which takes longer than to copy the next block */
	int fd = open("f", O_RDWR | O_CREAT | O_DSYNC, 0600);
	struct async *a = async_new(fd, 4);
	size_t size = 64 << 10;
	char *p = xcalloc(1, size);
	struct iovec iov = { p, size };

	for (int i = 0; i < 12 || (i < 5000 && !async_overlaps(a)); i++)
		CHECK_INT(async_write(a, &iov, 1, (u64)(i % 12) * size), 0);
	CHECK(async_overlaps(a) > 0);
	async_free(a);
	free(p);
	close(fd);
}

TEST(full_queue_writes_at_once)
{
	int fd = open("f", O_RDWR | O_CREAT, 0600);
	struct async *a = async_new(fd, 2);
	u64 bad;

	code = EAGAIN;
	fail_at = 7;
	async_set_write_for_test(refuse);
	CHECK_INT(write_words(a, 20), 0);
	CHECK_INT(async_drain(a, &bad), 0);
	check_words(fd, 20);
	async_free(a);
}

TEST(a_failure_says_from_where_on)
{
	int fd = open("f", O_RDWR | O_CREAT, 0600);
	struct async *a = async_new(fd, 2);
	u64 bad = 0;

	code = ENOSPC;
	fail_at = 4;
	async_set_write_for_test(refuse);
	CHECK_INT(write_words(a, 20), -ENOSPC);
	CHECK_INT(async_drain(a, &bad), -ENOSPC);
	CHECK_U64(bad, 3 * 24);
	check_words(fd, 3);
	async_free(a);
}

TEST(a_read_only_file_fails_later)
{
	int fd = open("f", O_RDONLY | O_CREAT, 0600);
	struct async *a = async_new(fd, 2);
	u64 bad;

	write_words(a, 1);
	CHECK_INT(async_drain(a, &bad), -EBADF);
	CHECK_U64(bad, 0);
	async_free(a);
}
