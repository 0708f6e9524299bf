/*
 * Stream: bytes that are read or written one after another: of a descriptor, through bzip2, or of a member of
 * a tar file. A stream does not own the one below it. All bytes that are read are regarded as hostile.
 */
#ifndef PERF_ARCHIVE_STREAM_H
#define PERF_ARCHIVE_STREAM_H

#include <sys/types.h>
#include "../base/err.h"

struct in_stream {
	/* up to len bytes: their number, 0 at the end, or a negative errno */
	ssize_t (*read)(struct in_stream *s, void *buf, size_t len);
};
struct out_stream {
	/* 0 or a negative errno */
	int (*write)(struct out_stream *s, const void *buf, size_t len);
};

struct fd_in {
	struct in_stream s;
	int fd;
};
struct fd_out {
	struct out_stream s;
	int fd;
};
struct in_stream *fd_in_init(struct fd_in *f, int fd);
struct out_stream *fd_out_init(struct fd_out *f, int fd);

/* len bytes, less only at the end of the stream: their number or a negative errno */
ssize_t stream_read_full(struct in_stream *s, void *buf, size_t len);

/* reads what from has: through bzip2 if it begins so, else as it is. NULL with err */
struct unpack_stream;
struct unpack_stream *unpack_stream_new(struct in_stream *from, struct err *err);
struct in_stream *unpack_stream_in(struct unpack_stream *u);
void unpack_stream_free(struct unpack_stream *u);

/* compresses by bzip2; NULL if this perf has no bzip2 */
struct bz2_out;
struct bz2_out *bz2_out_new(struct out_stream *to);
struct out_stream *bz2_out_stream(struct bz2_out *b);
/* writes the rest and frees it; 0 or a negative errno */
int bz2_out_end(struct bz2_out *b);

#endif
