/*
 * Packer: records to COMPRESSED records (type 81, which every reader of compressed files knows). Pieces of up to 256 KB become
 * one zstd frame each, so that damage stays local; a skippable frame keeps records aligned to 8 bytes, for readers on machines
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
	struct strbuf copy;	/* of records that have to be changed before they are written; its user's */
	u64 in_bytes, out_bytes;
};

/* level 1..22; -ENOTSUP with err where zstd is not built in */
int packer_init(struct packer *p, int level, struct err *err);
/* into p->out, replacing what was there. 0 or negative errno */
int packer_pack(struct packer *p, const struct iovec *iov, int nr);
void packer_release(struct packer *p);

#endif
