/*
 * Filter notes: why filters left nothing of a profile: names that it does not have, with the nearest that it has, or else
 * that no sample passes all filters together. For after a run that showed nothing; looks through all names of the session.
 */
#ifndef PERF_SESSION_FILTER_NOTES_H
#define PERF_SESSION_FILTER_NOTES_H

#include "filter-list.h"
#include "session.h"

/* a filter as typed: its option and its value; a NULL value: not asked for */
struct filter_given {
	const char *option, *value;
};

/* one warning for each of these filters of which the profile has no name, or else one for all that were given (nr rows) */
void filters_warn_empty(const struct session *s, const struct name_filter *comms, const struct name_filter *dsos,
			const struct name_filter *symbols, const struct filter_given *given, size_t nr);

#endif
