/*
 * Summary: the line above a live table: how many samples came since the last one, where they were taken, what
 * was lost, which events of what are observed. Text as users of perf top know it.
 */
#ifndef PERF_OBSERVE_SUMMARY_H
#define PERF_OBSERVE_SUMMARY_H

#include "observer.h"
#include "../view/view.h"

struct summary_counts {
	struct ring_counts rings;	/* filled by rings_read() */
	u64 kernel, exact;		/* samples in the kernel; with exact addresses */
	u64 dropped;			/* records that could not be counted */
	u64 time_ns;			/* CLOCK_MONOTONIC, of the last reading */
};

struct summary {
	struct summary_counts now, shown;	/* since the start; as of the last line */
};

/* for the function of a summary_read(): one record, for samples in the kernel and with exact addresses */
void summary_count(struct summary *s, const struct rec_header *h);
/* rings_read() and rings_read_backward(), with the time */
int summary_read(struct summary *s, struct observer *o, ring_record_fn fn);
/* appends the line and begins the next interval */
void summary_line(struct summary *s, const struct observer *o, struct strbuf *out);
/* appends which tasks or CPUs are observed: "(target_pid: 12)" */
void summary_target(const struct observer *o, struct strbuf *out);
/* the same as numbers: of the interval, and in all */
void summary_facts(struct summary *s, const struct observer *o, struct view_facts *facts);

#endif
