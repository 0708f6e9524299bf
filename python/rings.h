/*
 * Live rings of an evlist: the rings of all its events, and what is needed to read their records. Its origin
 * stays while objects of its records exist; the rings are unmapped with the evlist.
 */
#ifndef PERF_PYTHON_RINGS_H
#define PERF_PYTHON_RINGS_H

#include "events.h"
#include "../util/kernel/rings.h"

/* of a ring that overwrites old records: copies of those that it held, the oldest first */
struct live_queue {
	VEC(u64);
	size_t at;		/* words before this one were given */
};

struct live_rings {
	struct origin origin;
	struct evset *set;	/* a copy of all events, with their ids */
	struct open_fds fds;	/* the same descriptors as those of the events, which own them */
	struct rings rings;
	bool mapped;
	bool *ended;		/* by ring: its task is gone */
	struct live_queue *queue;	/* by ring */
	size_t nr_queues;
};

/*
 * evsels: nr of them, open. pages 0: as large as perf makes them. Rings of events with write_backward
 * overwrite old records. NULL with an exception
 */
struct live_rings *live_map(PyObject *const *evsels, size_t nr, u64 pages);
/* unmaps the rings, before the events are closed */
void live_unmap(struct live_rings *l);
/* the next record of that CPU's ring; None without one, NULL with an exception */
PyObject *live_next(struct live_rings *l, int cpu, PyObject *const *evsels);
/* waits until a ring has records; how many have; -1 with an exception. timeout in ms, -1: none */
int live_poll(struct live_rings *l, int timeout);

#endif
