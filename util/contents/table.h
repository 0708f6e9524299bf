/* Table: rows of values that no text shows in this form. */
#ifndef PERF_CONTENTS_TABLE_H
#define PERF_CONTENTS_TABLE_H

#include "../view/rows.h"

/* a table at the end of the view, which frees the rows; fields are static */
void contents_add_table(struct view *v, const char *section, const char *name, const struct view_field *field,
			u32 nr_fields, void *rows, size_t nr, size_t size);

#endif
