/*
 * Packer: records to COMPRESSED records (type 81, which every reader of compressed files knows). Whole records of up to
 * 256 KB become one zstd frame each, so that damage stays local, and a file that ends behind a frame ends with a record; a skippable frame keeps records aligned to 8 bytes, for readers on machines
 * that need that. Owns its codec state and output buffer.
 */
#ifndef PERF_DATA_PACKER_H
#define PERF_DATA_PACKER_H

#include <sys/uio.h>
#include "../base/err.h"
#include "../base/strbuf.h"

/* readers unpack one record into a buffer of this size and what was left over (FEAT_COMPRESSED says so) */
#define PACKER_MMAP_LEN ((512u << 10) + 4096)

struct packer {
	void *ctx;
	struct strbuf out;	/* COMPRESSED records of the last call */
	struct strbuf joined;	/* what came in two spans */
	struct strbuf copy;	/* of records that have to be changed before they are written; its user's */
	u64 in_bytes, out_bytes;
};

/* level 1..22; -ENOTSUP with err where zstd is not built in */
int packer_init(struct packer *p, int level, struct err *err);
/*
 * The next frame of records in at most two spans, behind their first `from` bytes: into p->out, replacing what was there. Returns the
 * bytes that are in it; 0: none are left; or a negative errno.
 */
s64 packer_frame(struct packer *p, const struct iovec *iov, int nr, size_t from);
void packer_release(struct packer *p);

#endif
