/* Event stats: the numbers of samples that a recording has of each event, and of those that were lost. */
#ifndef PERF_SESSION_EVENT_STATS_H
#define PERF_SESSION_EVENT_STATS_H

#include "session.h"

struct event_stats {
	const char *name;	/* of the event */
	u64 nr_samples;
	u64 nr_lost;		/* from LOST_SAMPLES records */
	u64 nr_filtered;	/* the same of those that BPF left out */
};

/*
 * Reads all records. An array by idx of the event, and one element more for samples without event; the caller
 * frees it
 */
struct event_stats *event_stats_count(const struct session *s);

#endif
