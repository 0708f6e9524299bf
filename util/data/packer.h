/*
 * Packer: packs records into COMPRESSED records (type 81, which every reader of compressed files knows).
 * Whole records of up to 256 KB become one zstd frame, so that damage stays local, and a file that ends after
 * a frame ends with a whole record; a skippable frame keeps records aligned to 8 bytes, for readers on
 * machines that need this. Owns its codec state and output buffer.
 */
#ifndef PERF_DATA_PACKER_H
#define PERF_DATA_PACKER_H

#include <sys/uio.h>
#include "../base/err.h"
#include "../base/strbuf.h"

/*
 * readers unpack one record, and what was left of the one before, into a buffer of this size (which
 * FEAT_COMPRESSED contains)
 */
#define PACKER_MMAP_LEN ((512u << 10) + 4096)

struct packer {
	void *ctx;
	struct strbuf out;	/* COMPRESSED records of the last call */
	struct strbuf joined;	/* input that came in two spans */
	/* for records that must be changed before they are written; owned by the user of the packer */
	struct strbuf copy;
	u64 in_bytes, out_bytes;
};

/* level 1..22; -ENOTSUP with err if zstd is not built in */
int packer_init(struct packer *p, int level, struct err *err);
/*
 * Packs the next frame of records from at most two spans, after their first `from` bytes, into p->out,
 * replacing its contents. Returns the number of bytes that the frame holds; 0: none are left; or a negative
 * errno.
 */
s64 packer_frame(struct packer *p, const struct iovec *iov, int nr, size_t from);
void packer_release(struct packer *p);

#endif
