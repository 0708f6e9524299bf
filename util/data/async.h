/*
 * Async: writes to one file that go on while the caller does other work. Data is copied into a few blocks,
 * which are given to POSIX aio; if all of them are in use, the caller waits for the oldest. Owns the blocks,
 * not the descriptor.
 */
#ifndef PERF_DATA_ASYNC_H
#define PERF_DATA_ASYNC_H

#include "../base/err.h"

#include <sys/uio.h>

#define ASYNC_BLOCKS_MAX 4

struct async;

/* nr_blocks: 1 to ASYNC_BLOCKS_MAX */
struct async *async_new(int fd, unsigned int nr_blocks);
/*
 * writes bytes at file offset off; the caller may reuse its memory at once. 0, or the negative errno of an
 * earlier write
 */
int async_write(struct async *a, const struct iovec *iov, int nr, u64 off);
/*
 * waits until everything is written; 0, or the first negative errno and the offset from which the file's
 * contents are wrong
 */
int async_drain(struct async *a, u64 *ret_bad);
/* how often a write was still under way when the next one was requested: for tests and -v */
u64 async_overlaps(const struct async *a);
void async_free(struct async *a);

/* called instead of aio_write(3); NULL: the real one */
struct aiocb;
void async_set_write_for_test(int (*fn)(struct aiocb *cb));

#endif
