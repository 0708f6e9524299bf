/*
 * Bind: where the fields of a tracepoint lie in its payload. Looked up by name once per event of a file, from
 * the recorded format; a sample then costs one read per field.
 */
#ifndef PERF_TRACING_BIND_H
#define PERF_TRACING_BIND_H

#include "../tep/tracefmt.h"

#define TRACING_MAX_FIELDS 16u

/* a number, a text or an array in the payload of a tracepoint */
struct tracing_field {
	const char *name;
	const char *or_name;	/* its name in other versions of the kernel, or NULL */
	bool optional;		/* some kernels do not have it */
	bool is_bytes;		/* a text or an array, not a number */
};

/* a text or an array in the payload; a text need not end with a 0 byte */
struct tracing_bytes {
	const void *data;	/* NULL: the format does not have the field */
	u32 len;
};

/* an integer: at off, or within the 8 bytes there, out of which both shifts cut it */
struct tracing_load {
	u32 off;
	u8 field, left, right;
	bool is_signed;
};

/* a field with is_bytes */
struct tracing_span {
	u32 off, len;
	u8 field;
	bool is_dynamic;	/* elsewhere in the payload: its format tells */
};

struct tracing_binding {
	const struct tracefmt *formats;
	const struct tracing_field *field;
	u32 nr;
	/* NULL: the recorded format does not have it */
	const struct tracefmt_field *at[TRACING_MAX_FIELDS];
	/* what a payload of at least `need` bytes is read by; need 0: each field by its format */
	u32 need, nr_loads, nr_bytes;
	/* loads up to nr_s32 are signed and of 4 bytes, those up to nr_whole have 8; others need shifts */
	u32 nr_s32, nr_whole;
	struct tracing_load load[TRACING_MAX_FIELDS];
	struct tracing_span bytes[TRACING_MAX_FIELDS];
	u32 present;				/* bit i: the format has field i */
};

/*
 * field: ends with a NULL name, at most TRACING_MAX_FIELDS. 0; -ENOENT with err where the format
 * lacks a required one
 */
int tracing_bind(struct tracing_binding *b, const struct tracefmt *t, const struct tracefmt_event *te,
		 const struct tracing_field *field, struct err *err);
/* the values of one payload */
struct tracing_values {
	u64 number[TRACING_MAX_FIELDS];
	struct tracing_bytes bytes[TRACING_MAX_FIELDS];	/* of those with is_bytes */
};

/*
 * Reads all fields of a payload, in the order of the row. What the format lacks is not written: 0 at first.
 * false where the payload is shorter than its format says, or where a field is not of the kind that the row
 * says.
 */
bool tracing_read(const struct tracing_binding *b, const void *raw, u32 size, struct tracing_values *ret);
/* the length of a text: up to its first 0 byte */
u32 tracing_text_len(const struct tracing_bytes *text);

#endif
