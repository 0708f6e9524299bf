/* Thread counts: the total counts of each thread, as record -s has recorded them. */
#ifndef PERF_SESSION_THREAD_COUNTS_H
#define PERF_SESSION_THREAD_COUNTS_H

#include "session.h"

struct counted_thread {
	u32 pid, tid;
};

struct thread_count {
	u32 thread, event;
	u64 value;
};

/* the counts: there can be many threads and events, but few combinations */
struct thread_counts {
	struct { VEC(struct counted_thread); } thread;	/* in the order of the file */
	struct { VEC(struct thread_count); } count;
	struct hidx thread_idx, count_idx;
	u32 nr_events;
	bool *seen;					/* by event */
};

/* reads all records; thread is empty if the file has no such counts */
void thread_counts_read(struct thread_counts *c, const struct session *s);
void thread_counts_release(struct thread_counts *c);
/* NULL: that thread did not count that event */
const struct thread_count *thread_counts_find(const struct thread_counts *c, u32 thread, u32 event);

#endif
