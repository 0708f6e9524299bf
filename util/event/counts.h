/*
 * Counts: the raw matrix event x CPU x thread, filled from descriptors (count/count-read) or from STAT
 * records of a file. Values are totals since the start, or differences from the previous reading
 * (counts_since()).
 */
#ifndef PERF_EVENT_COUNTS_H
#define PERF_EVENT_COUNTS_H

#include "event.h"

struct count {
	/* val as read; ena, run: ns for which the event was enabled and actually counted */
	u64 val, ena, run;
};

enum count_state {
	COUNT_ABSENT,		/* this event does not belong on this CPU or thread */
	COUNT_READ,		/* v holds what was read (ena 0: never ran) */
	COUNT_UNSUPPORTED,	/* the kernel or the machine does not have the event */
	/* it could not be read any more (the thread ended before it was opened, the CPU went offline) */
	COUNT_GONE,
};

/* owns all of its arrays */
struct counts {
	u32 nr_events, nr_cpus, nr_threads;
	struct count *v;	/* [event][cpu][thread] */
	u8 *state;		/* same dimensions: enum count_state */
	int *cpu;		/* nr_cpus of them; -1: any CPU */
	s32 *tid;		/* nr_threads of them; -1: all tasks */
	u16 *refused;		/* per event: the errno that made it COUNT_UNSUPPORTED; 0: not known */
};

static inline size_t counts_at(const struct counts *c, u32 ev, u32 cpu, u32 thread)
{
	return ((size_t)ev * c->nr_cpus + cpu) * c->nr_threads + thread;
}

static inline size_t counts_nr(const struct counts *c)
{
	return (size_t)c->nr_events * c->nr_cpus * c->nr_threads;
}

/* sets everything to COUNT_ABSENT and 0; cpu and tid are copied */
void counts_init(struct counts *c, u32 nr_events, const int *cpu, u32 nr_cpus, const s32 *tid,
		 u32 nr_threads);
/* copies from to to, which has the same dimensions */
void counts_copy(struct counts *to, const struct counts *from);
/*
 * The difference from `before`, which has the same dimensions: ret = now - before, except for events of the
 * set with ->snapshot, whose value is kept as it is. A counter that went back counts from 0.
 */
void counts_since(struct counts *ret, const struct counts *now, const struct counts *before,
		  const struct evset *set);
void counts_release(struct counts *c);

#endif
