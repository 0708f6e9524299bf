/*
 * Tracefmt: formats of tracepoint payloads, from the profile's TRACING_DATA blob (never those of the running
 * system). Prints the text of a payload as libtraceevent would, mostly by small programs that are compiled
 * from the format once; libtraceevent itself prints what these cannot. Also looks up fields by name. Blob
 * layout: trace.dat(5), versions 0.5 and 0.6: magic, endianness, long size, page size, header_page,
 * header_event, ftrace formats, formats by system, kallsyms, printk formats, saved command lines.
 *
 * One struct tracefmt belongs to one thread: events are parsed when first asked for. The blob
 * must stay in place.
 */
#ifndef PERF_TEP_TRACEFMT_H
#define PERF_TEP_TRACEFMT_H

#include "../base/err.h"
#include "../base/strbuf.h"

struct tracefmt;
struct tracefmt_event;
struct tep_format_field;

/*
 * Names a kernel address: NULL if unknown, else the function; *ret_start is its first address, *ret_mod its
 * module or NULL.
 */
typedef const char *(*tracefmt_resolve)(void *ctx, u64 addr, u64 *ret_start, const char **ret_mod);

struct tracefmt_field {
	const char *name, *type;
	u32 off, size;		/* within the payload */
	u32 elem_size;		/* of arrays; else size */
	bool is_signed, is_string, is_array;
	bool is_dynamic;	/* the field holds length << 16 | offset of its data */
	bool has_numbers;	/* an array of a probe, "u32[4]" */
	bool is_relative;	/* __rel_loc: that offset is relative to the end of the field */
	struct tep_format_field *tep;	/* for util/tep only */
};

/*
 * Indexes the blob; events are parsed later. Of a damaged blob the part before the damage is read; err is set
 * if nothing can be read (-EBADMSG).
 */
struct tracefmt *tracefmt_new(const void *blob, u64 size, struct err *err);
void tracefmt_free(struct tracefmt *t);
/* of the recorded machine, in bytes */
u32 tracefmt_page_size(const struct tracefmt *t);
void tracefmt_set_resolver(struct tracefmt *t, tracefmt_resolve fn, void *ctx);
/* its payloads are in the other byte order */
bool tracefmt_is_swapped(const struct tracefmt *t);
/* for tests: never use compiled programs */
void tracefmt_set_slow(struct tracefmt *t, bool slow);

/*
 * By attr.config; NULL if the blob has no such format or it cannot be parsed. The result lives as long as t.
 */
const struct tracefmt_event *tracefmt_event(struct tracefmt *t, u64 id);
const char *tracefmt_event_name(const struct tracefmt_event *ev);
const char *tracefmt_event_system(const struct tracefmt_event *ev);
/* true if a compiled program prints the whole text (for tests and measurements) */
bool tracefmt_event_compiled(const struct tracefmt_event *ev);
/*
 * true if libtraceevent may print it when it is not compiled; otherwise a bad payload could mislead or crash
 * it, and fields are listed instead
 */
bool tracefmt_event_for_library(const struct tracefmt_event *ev);

/* The n-th event of the blob, for listings and tests; false after the last one */
bool tracefmt_nth_id(const struct tracefmt *t, u32 n, u64 *ret_id);

/* Appends the text. A payload that is too short for the format's fields is shown as hex bytes. */
void tracefmt_print(struct tracefmt *t, const struct tracefmt_event *ev, const void *raw, u32 size,
		    struct strbuf *out);

/* Appends " name=value" of each own field instead of the text */
void tracefmt_print_fields(struct tracefmt *t, const struct tracefmt_event *ev, const void *raw, u32 size,
			   struct strbuf *out);
/* Appends the value of one field as tracefmt_print_fields() shows it; nothing if the payload is damaged */
void tracefmt_print_field(struct tracefmt *t, const struct tracefmt_event *ev, const struct tracefmt_field *f,
			  const void *raw, u32 size, struct strbuf *out);

/* The n-th own field of the event (common fields are not counted); NULL after the last one */
const struct tracefmt_field *tracefmt_nth_field(const struct tracefmt_event *ev, u32 n);
/* by name, also common fields; NULL if there is none */
const struct tracefmt_field *tracefmt_field(const struct tracefmt_event *ev, const char *name);
/*
 * integer value, sign-extended if the type is signed; false if the payload is too short or the field is not
 * an integer
 */
bool tracefmt_value(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw, u32 size,
		    u64 *ret);
/*
 * address and length of the field's data (for a dynamic field, where it points); NULL if it is outside of the
 * payload
 */
const void *tracefmt_bytes(const struct tracefmt *t, const struct tracefmt_field *f, const void *raw,
			   u32 size, u32 *ret_len);

#endif
