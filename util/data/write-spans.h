/*
 * Write-spans: writes one or two spans of records to a file, and tells how much of them is whole records if
 * the disk became full.
 */
#ifndef PERF_DATA_WRITE_SPANS_H
#define PERF_DATA_WRITE_SPANS_H

#include <sys/uio.h>
#include "../base/types.h"

/* ret becomes the rest of at most two spans after their first `skip` bytes; returns how many spans that is */
int spans_from(struct iovec *ret, const struct iovec *iov, int nr, size_t skip);
/*
 * writes at most two spans, also after EINTR and short writes. 0 or a negative errno; *ret_done is the number
 * of bytes written in either case
 */
int write_spans(int fd, const struct iovec *iov, int nr, size_t *ret_done);
/*
 * The number of bytes of whole records in the first len bytes of spans that begin with a record. 0 if records
 * are compressed, because the number of samples in a part of one is unknown.
 */
size_t whole_records(const struct iovec *iov, int nr, size_t len);

#endif
