/*
 * In-place: a ring buffer of one CPU that BPF programs write without a helper, and this process reads without
 * a system call: an array with one value, which is mapped into this process. A program builds each record
 * where it will be read, so nothing is copied, and no lock is taken: programs of one CPU follow one another.
 * Owns its map and the mapping.
 *
 * The value is a struct bpf_inplace_head, `size` bytes of data and room for one record more: a record that
 * begins before the end of the data goes on after it, and the next one begins at the start. A record is a
 * u64, its length, and its bytes, and begins at a multiple of 8.
 *
 * Only for machines on which other CPUs see stores in their order (x86): programs have no barriers.
 */
#ifndef PERF_BPF_INPLACE_H
#define PERF_BPF_INPLACE_H

#include "inplace-types.h"
#include "map.h"

struct bpf_inplace {
	struct bpf_map map;
	struct bpf_inplace_head *head;	/* NULL: not mapped */
	const u8 *data;
	u64 size;			/* bytes of data, a power of two */
	u32 room;			/* bytes that a record can have at most */
};
#define BPF_INPLACE_INIT { .map = BPF_MAP_INIT }

/*
 * size: a power of two, at least 4 records of `room` bytes and at most 256 MB. 0, or a negative errno with
 * err: -E2BIG for other sizes and for those that the kernel does not allow (before 5.19 more than 4 MB)
 */
int bpf_inplace_create(struct bpf_inplace *r, const char *name, u64 size, u32 room, struct err *err);
typedef void (*bpf_inplace_fn)(void *ctx, const void *record, u32 len);
/* each record, oldest first; its space is given back when fn has returned for all of them */
void bpf_inplace_read(struct bpf_inplace *r, bpf_inplace_fn fn, void *ctx);
/* the number of records that found no room */
u64 bpf_inplace_lost(const struct bpf_inplace *r);
void bpf_inplace_release(struct bpf_inplace *r);

#endif
