/*
 * Filter notes: why filters left nothing of a profile: it does not have a name (and which of its names are
 * similar), or no sample passes all filters together. To be called after a run that showed nothing; searches
 * all names of the session.
 */
#ifndef PERF_SESSION_FILTER_NOTES_H
#define PERF_SESSION_FILTER_NOTES_H

#include "filter-list.h"
#include "session.h"

/* a filter as typed: its option and its value ("": it has none); a NULL value: not given */
struct filter_given {
	const char *option, *value;
};

/*
 * one warning that the profile has no samples, or one for each of these filters that matches no name of the
 * profile, or else one for all filters that were given (nr rows)
 */
void filters_warn_empty(const struct session *s, const struct name_filter *comms,
			const struct name_filter *dsos, const struct name_filter *symbols,
			const struct filter_given *given, size_t nr);

#endif
