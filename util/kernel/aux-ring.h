/*
 * Aux-ring: the AUX area of a trace PMU, mapped beside the ring of its event. The kernel writes bytes of a
 * trace into it, and records about them into the ring. Bytes are read in place, as one or two spans; nothing
 * is copied or parsed here. Owns the mapping, not the descriptor, nor the ring whose first page has the
 * positions. Layout: aux_* of perf_event_mmap_page in <linux/perf_event.h>.
 *
 * Positions count the bytes of a trace from its start, and grow, also where the area wraps.
 */
#ifndef PERF_KERNEL_AUX_RING_H
#define PERF_KERNEL_AUX_RING_H

#include <sys/uio.h>
#include "ring.h"

enum { AUX_RING_TAIL = 512 };	/* bytes */

struct aux_ring {
	struct perf_event_mmap_page *page;	/* NULL: not mapped */
	u8 *data;
	u64 size;		/* bytes of data, a power of two */
	u64 from;		/* position of the first byte that the last look returned */
	u64 pos;		/* everything before this position was taken */
	u64 end;		/* where the bytes of the last look end */
	u64 lost;		/* bytes that the kernel wrote over before they were taken */
	/* the kernel overwrites old bytes until a snapshot is taken, and nothing is given back */
	bool overwrite;
	/* with overwrite: aux_head is an offset in the area and says nothing of how often it wrapped */
	bool head_wraps;
	bool wrapped;		/* with overwrite: all bytes of the area have been written */
	bool taken;		/* with overwrite: there was a snapshot */
	/* with head_wraps: the bytes before pos, as they were at that time; tail_len: number of them */
	u8 tail[AUX_RING_TAIL];
	u32 tail_len;
	int fd, cpu;
	s32 tid;
	u32 idx;		/* of the ring beside it */
};

/* maps nr_pages (a power of two) after the data of that ring; -errno */
int aux_ring_map(struct aux_ring *a, const struct ring *r, u64 nr_pages, bool overwrite);
void aux_ring_unmap(struct aux_ring *a);

/*
 * The bytes that were written and not taken: fills iov[0..1], returns how many are used (0: nothing new). The
 * bytes do not change until aux_ring_consume().
 */
int aux_ring_peek(struct aux_ring *a, struct iovec iov[2]);
/*
 * With overwrite, while the event is stopped: the newest bytes of the area, at most `most`. Bytes that an
 * earlier snapshot had, too, are among them if anything is new; a->from says which. 0: nothing was written
 * since the last one.
 */
int aux_ring_snapshot(struct aux_ring *a, u64 most, struct iovec iov[2]);
/* takes the bytes of the last look: the kernel may write over them, unless it does so anyway */
void aux_ring_consume(struct aux_ring *a);

#endif
