/* Options of parse_events(): see parse-events.h. */
#ifndef PERF_PMU_PARSE_OPTS_H
#define PERF_PMU_PARSE_OPTS_H

#include "../base/types.h"

struct strbuf;
struct table_source;
struct parse_cache;
struct parse_events_opts {
	const char *option;	/* what messages call the string: "-e", or NULL */
	bool counting;		/* nothing is sampled: terms for sampling are refused */
	bool no_tracefs;	/* reading tracepoints is not allowed (tests of other parts) */
	/* data from sysfs, kept from one string to the next (with the same tables); NULL: read each time */
	struct parse_cache *cache;
	/* vendors' names, kept from one string to the next; NULL: the tables of the search path */
	struct table_source *tables;
	struct strbuf *notes;	/* lines for the user (a group that had to be split), or NULL */
};

#endif
