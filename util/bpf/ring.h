/*
 * Ring: a ring buffer that BPF programs write (bpf_ringbuf_output) and this process reads in place, without a
 * system call: BPF_MAP_TYPE_RINGBUF, kernels from 5.8 on. Owns its map and the mappings. Layout: a page with
 * the position of the reader, a page with that of the writer, and the data, mapped twice in a row, so that
 * each record is in one piece. A record begins with a struct ring_head and is a multiple of 8 bytes long.
 */
#ifndef PERF_BPF_RING_H
#define PERF_BPF_RING_H

#include "map.h"

struct bpf_ring {
	struct bpf_map map;
	u64 *consumer;			/* NULL: not mapped */
	const u64 *producer;
	const u8 *data;
	u64 size;			/* bytes of data, a power of two */
};
#define BPF_RING_INIT { .map = BPF_MAP_INIT }

/*
 * bytes: a power of two, of at least a page. 0, or a negative errno with err: -EINVAL if the kernel has no
 * such rings
 */
int bpf_ring_create(struct bpf_ring *r, const char *name, u64 bytes, struct err *err);
typedef void (*bpf_ring_fn)(void *ctx, const void *record, u32 len);
/* each record that is complete, oldest first; its space is given back when fn has returned for all of them */
void bpf_ring_read(struct bpf_ring *r, bpf_ring_fn fn, void *ctx);
void bpf_ring_release(struct bpf_ring *r);

#endif
