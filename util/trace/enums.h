/*
 * Enums: names of the values of tracepoint fields that are enumerations, by the types of the running kernel,
 * which are read when a field first needs them; else by the words of the tracepoint's print format.
 */
#ifndef PERF_TRACE_ENUMS_H
#define PERF_TRACE_ENUMS_H

#include "../tep/tracefmt.h"

struct trace_enums;

/* live: the running kernel has the events */
struct trace_enums *trace_enums_new(bool live);
void trace_enums_free(struct trace_enums *t);
/* appends the name of a value; false: the field is not an enumeration, or the value has no name */
bool trace_enums_add(struct trace_enums *t, const struct tracefmt_field *f, u64 value, struct strbuf *out);

#endif
