/*
 * Event strings ("cycles:u", "sched:*", "{a,b}:S", "cpu/event=0x3c/pp", "mem:0x1000:rw", ...) to events. A
 * recursive-descent parser; names are looked up in tables (hardware, software, cache), tracefs (tracepoints,
 * probes) and sysfs (PMUs, their formats and aliases), all through base/fs, so that fake machines can be
 * parsed for.
 *
 *	list    := item { "," item }
 *	item    := ( group | event ) [ ":" modifiers ]
 *	group   := [ name ":" ] "{" event-with-modifiers { "," ... } "}"
 *	event   := name | "rHEX" | "mem:" place [ "/" len ] [ ":" rwx ] | sys ":" event | pmu "/" terms "/"
 *		[modifiers]
 *	place   := address | kernel-symbol | file ":" symbol [ "+" offset ]
 */
#ifndef PERF_PMU_PARSE_EVENTS_H
#define PERF_PMU_PARSE_EVENTS_H

#include "../base/err.h"
#include "../event/event.h"

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

/*
 * Appends the events of str to set. The attributes contain what the string says (type, config, excludes,
 * precise, terms), and nothing that record or stat decide. 0, or a negative errno with err: the message, the
 * string with a caret line below the wrong word, and the nearest names; set keeps what it had before. o may
 * be NULL.
 */
int parse_events(struct evset *set, const char *str, const struct parse_events_opts *o, struct err *err);

/* for parsing many strings: a machine may have hundreds of PMUs, and a table thousands of events */
struct parse_cache *parse_cache_new(void);
void parse_cache_free(struct parse_cache *c);

/*
 * --pfm-events: "NAME[:UMASK...][:MODIFIER...],{...}" with the names of libpfm4; braces make groups. 0 or a
 * negative errno with err; set keeps what it had before.
 */
int parse_pfm_events(struct evset *set, const char *str, struct err *err);

/*
 * --filter: sets the filter of the events that the last -e added (those from index `from` on): on fields of
 * tracepoints, addresses of tracing hardware, samples of all other events (bpf/bpf-filter.h). -EINVAL with
 * err if there are none, or the filter is wrong for one of them. Several filters of one event hold together.
 */
int parse_filter(struct evset *set, u32 from, const char *filter, struct err *err);
/* --exclude-perf: the same with "common_pid != pid"; tracepoints only */
int parse_filter_exclude_pid(struct evset *set, u32 from, s32 pid, struct err *err);

/*
 * The event that record and top use without -e: the most precise cycles that exists (cycles:P). Which one
 * this is, and whether cpu-clock must replace it because there is no PMU, is found when it is opened
 * (kernel/open).
 */
struct event *parse_default_event(struct evset *set);

#endif
