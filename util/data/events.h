/*
 * Events: the event set of a file: its attributes, what features and side records say about the events, and
 * names for events without one.
 */
#ifndef PERF_DATA_EVENTS_H
#define PERF_DATA_EVENTS_H

#include "data.h"

/* adds one attribute of attr_size bytes with its ids (ids_size bytes, in file byte order) to the event set */
void data_add_attr(struct data *d, const u8 *attr, u32 attr_size, const u8 *ids, u64 ids_size);
/* adds the names, ids and groups of the feature EVENT_DESC */
void data_apply_event_desc(struct data *d, const void *p, u64 size);
/* p: u64 config, then a NUL-terminated name: names the tracepoint with this config */
void data_name_by_config(struct data *d, const void *p, u64 size);
/* the same for a name of len bytes; data_finish_events() gives it to events that have no name by then */
void data_add_tracepoint_name(struct data *d, u64 config, const char *name, size_t len);
/* after all attributes, features and names: names events that still have none, and applies groups */
void data_finish_events(struct data *d);

/* the name of the PMU that an attribute belongs to, if the file contains it; else NULL */
const char *data_pmu_name(const struct data *d, const struct pe_attr *attr);
/* "system:name" of a tracepoint with this config, if the file contains it; else NULL */
const char *data_tracepoint_name(const struct data *d, const struct pe_attr *attr);

#endif
