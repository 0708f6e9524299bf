/*
 * Ring: the kernel's ring buffer of one event, mapped. Records are read in place, as one or two spans (the
 * ring wraps); nothing is copied, parsed or allocated here. Owns the mapping, not the descriptor. Layout:
 * perf_event_mmap_page in <linux/perf_event.h>.
 */
#ifndef PERF_KERNEL_RING_H
#define PERF_KERNEL_RING_H

#include <sys/uio.h>
#include "../base/err.h"
#include "../base/strbuf.h"

struct ring {
	struct perf_event_mmap_page *page;	/* NULL: not mapped */
	u8 *data;
	u64 size;		/* bytes of data, a power of two */
	u64 tail;		/* everything before this position was consumed */
	u64 pos;		/* the kernel's position at the last ring_peek() */
	int fd, cpu;
	s32 tid;
	/* the kernel writes towards lower addresses and overwrites old records (--overwrite) */
	bool backward;
};

/* totals from the headers of records; only added to */
struct ring_counts {
	u64 samples, lost, lost_samples, throttled, records;
	u64 first_time, last_time;	/* of samples; first_time is UINT64_MAX if there was none */
	/* AUX records with these flags */
	struct aux_flags { u64 truncated, partial, collision; } aux;
};

/* how to find the time in a SAMPLE: offset after the header, or 0 if events differ or have none */
struct ring_plan {
	u32 time_off;
	bool no_build_ids;	/* no event asked for build ids in MMAP2 records */
	struct strbuf *side;	/* gets a copy of all records about tasks and maps; NULL: nobody needs them */
	/* gets the s32 pid of each sample, of equal ones in a row the first; needs time_off; or NULL */
	struct strbuf *pids;
};

/* maps nr_pages (a power of two) of data; -errno */
int ring_map(struct ring *r, int fd, u64 nr_pages, bool backward);
void ring_unmap(struct ring *r);

/*
 * The bytes that were written and not consumed: fills iov[0..1], returns how many are used (0: nothing new).
 * The bytes do not change until ring_consume(). A backward ring gives all whole records that it contains,
 * newest first; stop its events before.
 */
int ring_peek(struct ring *r, struct iovec iov[2]);
/* gives the bytes of the last ring_peek() back to the kernel */
void ring_consume(struct ring *r);
/* the same for the first bytes of them, whole records; the next ring_peek() begins after them */
void ring_consume_first(struct ring *r, u64 bytes);
/* for a backward ring: ignores the present contents */
static inline void ring_forget(struct ring *r)
{
	ring_consume(r);
}

static inline u64 iov_bytes(const struct iovec *iov, int nr)
{
	return (nr > 0 ? iov[0].iov_len : 0) + (nr > 1 ? iov[1].iov_len : 0);
}

/*
 * The kernel sets the build-id bit of MMAP2 records for all events as soon as any event in the system asks
 * for build-ids: readers then take a device number for a build-id (and upstream's abort). Clears the bit; not
 * to be used in a ring, which only the kernel may write.
 */
void ring_clear_build_id_bit(const struct iovec *iov, int nr);

/* adds what the headers of these spans contain; reads only headers, times, loss counts, and for plan->side */
void ring_count(struct ring_counts *c, const struct ring_plan *plan, const struct iovec *iov, int nr);

#endif
