/* Write-spans: writes records to a file, and counts how many bytes were written. */
#include "write-spans.h"
#include "../base/fd.h"
#include "../event/abi.h"
#include "../event/record-type.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#define SPANS_MAX 2

int spans_from(struct iovec *ret, const struct iovec *iov, int nr, size_t skip)
{
	int left = 0;

	for (int i = 0; i < nr; i++) {
		size_t part = MIN(skip, iov[i].iov_len);

		skip -= part;
		if (iov[i].iov_len > part)
			ret[left++] = (struct iovec){ (char *)iov[i].iov_base + part, iov[i].iov_len - part };
	}
	return left;
}

int write_spans(int fd, const struct iovec *iov, int nr, size_t *ret_done)
{
	struct iovec left[SPANS_MAX];
	int nr_left;

	*ret_done = 0;
	while ((nr_left = spans_from(left, iov, nr, *ret_done))) {
		ssize_t n = writev(fd, left, nr_left);

		if (n < 0 && fd_try_again(fd, errno, POLLOUT))
			continue;
		if (n <= 0)
			return n < 0 ? -errno : -EIO;
		*ret_done += n;
	}
	return 0;
}

/* the record header at off; spans may be split anywhere */
static struct rec_header header_at(const struct iovec *iov, int nr, size_t off)
{
	struct rec_header h = { 0 };
	struct iovec left[SPANS_MAX];
	size_t have = 0;

	if (likely(off + sizeof(h) <= iov[0].iov_len)) {
		memcpy(&h, (const char *)iov[0].iov_base + off, sizeof(h));
		return h;
	}
	nr = spans_from(left, iov, nr, off);
	for (int i = 0; i < nr && have < sizeof(h); i++) {
		size_t part = MIN(sizeof(h) - have, left[i].iov_len);

		memcpy((char *)&h + have, left[i].iov_base, part);
		have += part;
	}
	return h;
}

size_t whole_records(const struct iovec *iov, int nr, size_t len)
{
	size_t off = 0;

	while (len - off >= sizeof(struct rec_header)) {
		struct rec_header h = header_at(iov, nr, off);

		if (h.size < sizeof(h) || h.size > len - off || h.type == REC_COMPRESSED ||
		    h.type == REC_COMPRESSED2)
			break;
		off += h.size;
	}
	return off;
}
