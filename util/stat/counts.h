/*
 * Stat: what counters say, summed up, derived from and put into lines. It never opens or reads a counter (util/sys does) and
 * never prints: outputs append to a strbuf. Counts live as long as the run; aggregates and lines as long as one printing of them.
 *
 * Counts: the raw matrix event x CPU x thread, filled from descriptors (sys/count-read) or from STAT records of a file.
 */
#ifndef PERF_STAT_COUNTS_H
#define PERF_STAT_COUNTS_H

#include "../base/types.h"

struct count {
	u64 val, ena, run;	/* value as read; ns the event was enabled and really counted */
};

enum count_state {
	COUNT_ABSENT,		/* this event does not belong on this CPU or thread */
	COUNT_READ,		/* v holds what was read (ena 0: never ran) */
	COUNT_UNSUPPORTED,	/* the kernel or the machine does not have the event */
	COUNT_GONE,		/* it could not be read any more (the thread ended before it was opened, the CPU went offline) */
};

struct counts {
	u32 nr_events, nr_cpus, nr_threads;
	struct count *v;	/* [event][cpu][thread] */
	u8 *state;		/* same shape: enum count_state */
	int *cpu;		/* nr_cpus of them; -1: any CPU */
	s32 *tid;		/* nr_threads of them; -1: all tasks */
};

static inline size_t counts_at(const struct counts *c, u32 ev, u32 cpu, u32 thread)
{
	return ((size_t)ev * c->nr_cpus + cpu) * c->nr_threads + thread;
}

#endif
