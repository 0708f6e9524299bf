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

#include "parse-opts.h"
#include "../base/err.h"
#include "../event/event.h"

/*
 * Appends the events of str to set. The attributes contain what the string says (type, config, excludes,
 * precise, terms), and nothing that record or stat decide. 0, or a negative errno with err: the message, the
 * string with a caret line below the wrong word, and the nearest names; set keeps what it had before. o may
 * be NULL.
 */
int parse_events(struct evset *set, const char *str, const struct parse_events_opts *o, struct err *err);

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
