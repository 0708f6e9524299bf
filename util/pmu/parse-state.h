/*
 * The state of the parser of event strings, parts of a string, and messages about them, for util/pmu only.
 */
#ifndef PERF_PMU_PARSE_STATE_H
#define PERF_PMU_PARSE_STATE_H

#include "event-table.h"
#include "parse-opts.h"
#include "pmu.h"
#include "../base/arena.h"
#include "../base/err.h"
#include "../count/hwmon.h"
#include "../event/event.h"

/* a part of the string */
struct span {
	const char *s;
	size_t len;
};

/* term ratio-to-prev=RATIO */
struct ratio {
	struct event *ev;
	struct span where;
	double value;
};

struct parser {
	const char *str;	/* the whole string */
	const char *p;		/* the current position */
	struct evset *set;
	const struct parse_events_opts *opts;
	struct pmus pmus;	/* sysfs, read when first needed */
	struct hwmon_list hwmon;
	bool hwmon_scanned;
	struct table_source own_tables;	/* used if opts has none */
	bool tables_used;		/* pmus contains the table's events, too, or there are none */
	struct err table_err;		/* why the table could not be read */
	struct { VEC(struct ratio); } ratio;	/* terms ratio-to-prev, applied when the group is complete */
	struct err *err;
};

/* one term between slashes: name or name=value */
struct term {
	struct span name, value;
	bool has_value;
};
struct terms {
	VEC(struct term);
};

/* message with a caret under word; always returns code (negative) */
int parse_err(struct parser *ps, int code, struct span word, const char *fmt, ...) PRINTF_LIKE(4, 5);
static inline bool span_is(struct span s, const char *word)
{
	return strlen(word) == s.len && !memcmp(s.s, word, s.len);
}
static inline bool span_begins(struct span s, const char *prefix)
{
	return s.len >= strlen(prefix) && !memcmp(s.s, prefix, strlen(prefix));
}
/* a copy in the set's arena */
static inline char *span_dup(struct parser *ps, struct span s)
{
	return arena_strndup(&ps->set->arena, s.s, s.len);
}
/* an unsigned number in any base that fills the span */
int span_u64(struct span s, u64 *ret);

/* adds an event with an empty name: the grammar fills in what was typed */
struct event *parse_add_event(struct parser *ps, u32 type, u64 config);

#endif
