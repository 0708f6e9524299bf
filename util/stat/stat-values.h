/* Values: the counts of one printing, and what is derived from them, for metric*.c. */
#ifndef PERF_STAT_VALUES_H
#define PERF_STAT_VALUES_H

#include "../view/lines.h"
#include "aggr.h"

#define NO_EVENT UINT32_MAX

/* the counts of one printing: a run, an interval, or the sum of all */
struct stat_values {
	const struct tallies *tallies;
	/* time that passed while these counts were made: of the interval, or the mean of the runs */
	double elapsed_ns;
	double user_ns, system_ns;	/* CPU time of the command; negative where it is not known */
};

/* the tally of an event that really counted in this aggregate, or NULL; also for NO_EVENT */
const struct tally *stat_counted(const struct stat_values *v, u32 event, u32 id);
/* true where the event could not be counted at all in this aggregate */
bool stat_unsupported(const struct stat_values *v, u32 event, u32 id);
/* appends a derived value to the block, as one more of the line */
void stat_derive_push(struct view_block *b, struct view_line *line, struct view_derived m);

#endif
