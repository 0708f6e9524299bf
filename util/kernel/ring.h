/*
 * Ring: the kernel's ring buffer of one event, mapped. Records are looked at in place, as one or two spans (the ring wraps);
 * nothing is copied, parsed or allocated here. Owns the mapping, not the descriptor. Layout: perf_event_mmap_page in
 * <linux/perf_event.h>.
 */
#ifndef PERF_KERNEL_RING_H
#define PERF_KERNEL_RING_H

#include <sys/uio.h>
#include "../base/err.h"

struct ring {
	struct perf_event_mmap_page *page;	/* NULL: not mapped */
	u8 *data;
	u64 size;		/* bytes of data, a power of two */
	u64 tail;		/* everything before this position was consumed */
	u64 pos;		/* where the kernel was at the last ring_peek */
	int fd, cpu;
	s32 tid;
	bool backward;		/* the kernel writes towards lower addresses and overwrites what is old (--overwrite) */
};

/* what walking the headers of records tells; totals, only added to */
struct ring_counts {
	u64 samples, lost, lost_samples, throttled, records;
	u64 first_time, last_time;	/* of samples; first is UINT64_MAX before there was one */
};

/* how to find the time in a SAMPLE: offset behind the header, or 0 where events differ or have none */
struct ring_plan {
	u32 time_off;
	bool no_build_ids;	/* no event asked for build ids in MMAP2 records */
};

/* maps nr_pages (a power of two) of data; -errno */
int ring_map(struct ring *r, int fd, u64 nr_pages, bool backward);
void ring_unmap(struct ring *r);

/*
 * What has been written and not consumed: fills iov[0..1], returns how many are used (0: nothing new). The bytes stay put until
 * ring_consume(). A backward ring gives all whole records that it holds, newest first; stop the events before.
 */
int ring_peek(struct ring *r, struct iovec iov[2]);
/* gives the bytes of the last peek back to the kernel */
void ring_consume(struct ring *r);
/* for a backward ring: what is there now is old news */
static inline void ring_forget(struct ring *r)
{
	ring_consume(r);
}

static inline u64 iov_bytes(const struct iovec *iov, int nr)
{
	return (nr > 0 ? iov[0].iov_len : 0) + (nr > 1 ? iov[1].iov_len : 0);
}

/*
 * Kernels set the build-id bit of MMAP2 records for every event as soon as one of them, of anybody, asks for build ids: readers
 * then take a device number for a build id (and upstream's abort). Clears the bit; not in a ring, which only the kernel may write.
 */
void ring_clear_build_id_bit(const struct iovec *iov, int nr);

/* adds what the headers of these spans say; reads nothing but headers, times and loss counts */
void ring_count(struct ring_counts *c, const struct ring_plan *plan, const struct iovec *iov, int nr);

#endif
