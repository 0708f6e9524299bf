/*
 * Values: what the texts of print.h say, as tables of typed values for formats that programs read. They refer
 * to the session, which must outlive the view.
 */
#ifndef PERF_SESSION_VALUES_H
#define PERF_SESSION_VALUES_H

#include "session.h"
#include "../view/rows.h"

/* section "stats": tables "records" (by type) and "samples" (by event, with lost ones) */
void session_add_stats(const struct session *s, struct view *v);
/* section "tasks": table "threads" in the order of the tree; with_maps: also "maps", of each address space */
void session_add_tasks(const struct session *s, bool with_maps, struct view *v);
/*
 * section "threads": table "counts", of each thread and event. False: the file has none, and the table is
 * empty
 */
bool session_add_threads(const struct session *s, struct view *v);
/* section "attributes": table "events", a row for each */
void session_add_attributes(const struct session *s, struct view *v);

/* a table of such values at the end of the view, which frees the rows; fields are static */
void session_add_values(struct view *v, const char *section, const char *name, const struct view_field *field,
			u32 nr_fields, void *rows, size_t nr, size_t size);

#endif
