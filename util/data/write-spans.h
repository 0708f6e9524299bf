/*
 * Write-spans: one or two spans of records to a file, and what of them is whole records where the disk ended first.
 */
#ifndef PERF_DATA_WRITE_SPANS_H
#define PERF_DATA_WRITE_SPANS_H

#include <sys/uio.h>
#include "../base/types.h"

/* what is left of two spans at most behind their first `skip` bytes; returns how many that are */
int spans_from(struct iovec *ret, const struct iovec *iov, int nr, size_t skip);
/* at most two spans, over EINTR and short writes. 0 or a negative errno; *ret_done: bytes that were written in either case */
int write_spans(int fd, const struct iovec *iov, int nr, size_t *ret_done);
/*
 * Bytes of the whole records in the first len bytes of spans that begin with a record. 0 where records are compressed: how many
 * samples are in half of them nobody knows.
 */
size_t whole_records(const struct iovec *iov, int nr, size_t len);

#endif
