/*
 * Trace keys: fields of tracepoints as sort keys. "prev_comm" is that field of every event that has one,
 * "sched_switch.prev_comm" or "%1.prev_comm" that of one event (by name, or by number from 1), "EVENT.*" all
 * fields of an event, "trace_fields" all fields of all events; with "/raw" after a name, numbers are shown as
 * they are. A key is a column only in the tables of events that have the field.
 */
#ifndef PERF_FIELDS_TRACE_KEYS_H
#define PERF_FIELDS_TRACE_KEYS_H

#include "../base/err.h"
#include "field.h"

/* of one word; more than a report can have, so that none is left out silently */
#define TRACE_KEYS_MAX 257

struct trace_keys;
/* true if all events are tracepoints, and there is at least one */
bool trace_keys_only(const struct evset *set);
/* of these events, whose formats are in a file's header, or are gathered (record/tracing-data.h) */
struct trace_keys *trace_keys_new(const struct evset *set, const struct feat_blob *formats);
void trace_keys_free(struct trace_keys *t);
/* one of the events is a tracepoint; t may be NULL: none is */
bool trace_keys_any(const struct trace_keys *t);
/*
 * The fields that a word stands for, which live as long as t: returns their number, or 0 if it is not a word
 * of this kind or no event has such a field.
 */
u32 trace_keys_find(struct trace_keys *t, const char *word, const struct field *ret[TRACE_KEYS_MAX]);

#endif
