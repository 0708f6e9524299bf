/*
 * Trace keys: fields of tracepoints as sort keys. "prev_comm" is that field of every event that has one, "sched_switch.prev_comm"
 * or "%1.prev_comm" of one event (by name, or counted from one), "EVENT.*" all of an event's, "trace_fields" all of all; "/raw"
 * behind a name shows numbers as they are. A key is a column in the tables of those events only that have the field.
 */
#ifndef PERF_FIELDS_TRACE_KEYS_H
#define PERF_FIELDS_TRACE_KEYS_H

#include "../base/err.h"
#include "field.h"

#define TRACE_KEYS_MAX 257	/* of one word; more than a report can have, so that none is left out in silence */

struct trace_keys;
/* all members of the session's event set are tracepoints, and there is one */
bool trace_keys_only(const struct session *s);
struct trace_keys *trace_keys_new(const struct session *s);
void trace_keys_free(struct trace_keys *t);
/*
 * The fields that a word stands for, which live as long as t: how many, 0 where it is no word of this kind or no event has such
 * a field.
 */
u32 trace_keys_find(struct trace_keys *t, const char *word, const struct field *ret[TRACE_KEYS_MAX]);
/* names of kernel addresses are wanted while counting: loads the kernel's symbols */
void trace_keys_load_kernel(const struct session *s);

#endif
