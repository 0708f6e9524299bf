/*
 * Bind: where the fields of a tracepoint lie in its payload. Looked up by name once per event of a file, from
 * the recorded format; a sample then costs one read per field.
 */
#ifndef PERF_TRACING_BIND_H
#define PERF_TRACING_BIND_H

#include "../tep/tracefmt.h"

#define TRACING_MAX_FIELDS 16u

/* a number in the payload of a tracepoint */
struct tracing_field {
	const char *name;
	const char *or_name;	/* its name in other versions of the kernel, or NULL */
	bool optional;		/* some kernels do not have it */
};

struct tracing_binding {
	u32 nr;
	/* NULL: the recorded format does not have it */
	const struct tracefmt_field *at[TRACING_MAX_FIELDS];
};

/*
 * field: ends with a NULL name, at most TRACING_MAX_FIELDS. 0; -ENOENT with err where the format
 * lacks a required one
 */
int tracing_bind(struct tracing_binding *b, const struct tracefmt_event *te,
		 const struct tracing_field *field, struct err *err);
/*
 * Reads all fields of a payload: ret_value[i] is of field[i], bit i of *ret_present says whether the format
 * has it (else the value is 0). false where the payload is shorter than its format says, or where a field is
 * not a number.
 */
bool tracing_read(const struct tracing_binding *b, const struct tracefmt *t, const void *raw, u32 size,
		  u64 *ret_value, u32 *ret_present);

#endif
