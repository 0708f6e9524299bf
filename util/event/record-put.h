/* Records other than samples, encoded from the views of record.h by the rows of records.def. */
#ifndef PERF_EVENT_RECORD_PUT_H
#define PERF_EVENT_RECORD_PUT_H

#include "record.h"
#include "../base/strbuf.h"

/* an array of structs as the rows of a record */
#define rec_rows_of(array) \
	((struct rec_rows){ .p = (const u8 *)(array), .nr = ARRAY_SIZE(array), .size = sizeof((array)[0]) })

/*
 * Appends the record of a view: header, fields, and zeros up to a multiple of 8 bytes, but nothing after a
 * REST, whose size readers take for that of its content; then a trailer of len bytes (NULL: zeros). Numbers
 * are in the byte order of this machine, which bytes and rows of the view already have. Fields after a NEWER
 * are written if it is true, a U64_IF if its condition holds. False: the record would be too large, or its
 * type has no row; nothing was appended.
 */
bool record_put(struct strbuf *out, const struct record_view *v, const void *trailer, u32 len);

#endif
