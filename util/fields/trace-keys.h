/*
 * Trace keys: fields of tracepoints as sort keys. "prev_comm" is the field of every event that has it,
 * "sched_switch.prev_comm" or "%1.prev_comm" the field of one event (by name, or by number from 1), "EVENT.*"
 * all fields of an event, "trace_fields" all fields of all events; with "/raw" after a name, numbers are
 * shown as they are. A key is a column only in the tables of events that have the field.
 */
#ifndef PERF_FIELDS_TRACE_KEYS_H
#define PERF_FIELDS_TRACE_KEYS_H

#include "../base/err.h"
#include "field.h"

/* maximum for one word: more than a report can have, so that no field is dropped silently */
#define TRACE_KEYS_MAX 257

struct trace_keys;
/* true if all events are tracepoints, and there is at least one */
bool trace_keys_only(const struct evset *set);
/* for these events; their formats are in a file's header, or were gathered (record/tracing-data.h) */
struct trace_keys *trace_keys_new(const struct evset *set, const struct feat_blob *formats);
void trace_keys_free(struct trace_keys *t);
/* true if one of the events is a tracepoint; false if t is NULL */
bool trace_keys_any(const struct trace_keys *t);
/*
 * The fields that a word stands for, which live as long as t: returns their number, or 0 if it is not a word
 * of this kind or no event has such a field.
 */
u32 trace_keys_find(struct trace_keys *t, const char *word, const struct field *ret[TRACE_KEYS_MAX]);

#endif
