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

#include "code.h"
#include "map.h"

/* on cache lines of its writer and its reader */
struct bpf_inplace_head {
	u64 written;		/* where the next record begins; grows, and counts what is skipped, too */
	u64 lost;		/* records that found no room */
	u64 unread;		/* bytes since bpf_inplace_end() said that there are enough of them */
	u64 reserved[5];
	u64 read;		/* where the reader is */
	u64 reserved_too[7];
};

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

/*
 * Code: the address of the room for the next record of this CPU to register `room`, 6 to 9. rings: an array
 * of maps like `model`, by CPU. Goes to `out` if this CPU has none, or it is full, which is counted. at: 8
 * bytes of the frame, to be left alone until bpf_inplace_end(); key: 4 bytes, which are lost
 */
void bpf_inplace_begin(struct bpf_code *c, const struct bpf_inplace *model, const struct bpf_map *rings,
		       u8 room, s16 at, s16 key, u32 out);
/*
 * Code: the record at `room` has as many bytes as register 3 says, and can be read from now on. Goes to
 * `few` unless `enough` bytes were written since it last did not: then the reader should be woken
 */
void bpf_inplace_end(struct bpf_code *c, const struct bpf_inplace *model, u8 room, s16 at, u32 enough,
		     u32 few);

#endif
