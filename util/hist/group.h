/* Groups: the rows of several events side by side, one entry of each event (or none) per row. */
#ifndef PERF_HIST_GROUP_H
#define PERF_HIST_GROUP_H

#include "hist.h"

struct group {
	u32 *member;		/* event indexes, the leader first */
	u32 nr_members;
	u32 sort_first;		/* the member whose shares order the rows first */
	/*
	 * rows are ordered by its first fields, as long as they are numbers; by the share if there are none
	 */
	const struct field *const *by;
	u32 nr_by;
	const struct field_ctx *ctx;
	/* true: recorded as {a,b}; false: all events, as the user asks */
	bool recorded;
	const struct hist_entry **row;	/* nr_rows times nr_members; NULL if an event has no such entry */
	size_t nr_rows;
};

/*
 * fills rows from the members' entries, which are sorted: each number of by orders them, first by the value
 * of sort_first, then of the first member, the second one, and so on
 */
void group_make_rows(struct group *g, const struct hist *h);
void group_release(struct group *g);
/* by leader: the last event of its group; files may contain very many events */
u32 *group_last_members(const struct evset *set);

#endif
