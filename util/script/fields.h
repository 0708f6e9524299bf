/*
 * Which fields "perf script" prints for which kind of event: -F parsed, defaults, and whether a file's events
 * carry them. Masks of FIELD_BIT(COMM) | ...; rows are in fields.def.
 */
#ifndef PERF_SCRIPT_FIELDS_H
#define PERF_SCRIPT_FIELDS_H

#include "../base/err.h"
#include "../base/strbuf.h"
#include "../event/event.h"

enum script_field {
#define FIELD(name, id, bit, attr, text) SF_##id,
#include "fields.def"
#undef FIELD
	SF_NR
};
#define FIELD_BIT(id) (1ull << SF_##id)

/* kinds of events that have field lists of their own */
enum script_type { ST_HARDWARE, ST_SOFTWARE, ST_TRACEPOINT, ST_HW_CACHE, ST_RAW, ST_BREAKPOINT, ST_OTHER,
		   ST_SYNTH, ST_NR };

struct script_fields {
	u64 mask[ST_NR];
	bool user_set[ST_NR];		/* -F with a whole list: what is missing is an error */
	u64 user_added[ST_NR], user_removed[ST_NR];
	bool any_set;			/* -F was given without types */
	/* "'trace' not valid for software events. Ignoring." lines, for stderr */
	struct strbuf notes;
};

void script_fields_init(struct script_fields *f);
void script_fields_release(struct script_fields *f);
/* One -F argument: "LIST", "TYPE:LIST", "+a,-b". -EINVAL with err for what is unknown or contradictory. */
int script_fields_parse(struct script_fields *f, const char *arg, struct err *err);
/* all field names, for the help text */
void script_fields_list(struct strbuf *out);

enum script_type script_type_of(const struct event *ev);
/* whether masks have any of these fields for any kind of event */
bool script_fields_any(const struct script_fields *f, u64 bits);

/* whether the user had any say in that kind's fields, flags aside */
bool script_fields_chosen(const struct script_fields *f, enum script_type t);

struct script_caps {
	bool callchain;		/* chains are shown: -G was not given and the event may have them */
	bool made;		/* samples are of a trace: events that have none need no fields */
	bool clock_data;	/* the file can convert time to time of day */
};
/*
 * Fits the masks to the events of a file: default fields that were not sampled are dropped, asked-for ones
 * are an error that names the remedy. -EINVAL with err.
 */
int script_fields_check(struct script_fields *f, const struct evset *set, const struct script_caps *caps,
			struct err *err);

#endif
