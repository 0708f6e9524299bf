/* Table: see table.h. */
#include "table.h"

void contents_add_table(struct view *v, const char *section, const char *name, const struct view_field *field,
			u32 nr_fields, void *rows, size_t nr, size_t size)
{
	struct view_rows table = { .field = field, .nr_fields = nr_fields, .form = VIEW_FORM_VALUES,
				   .row = rows, .nr = nr, .size = size, .limit = UINT64_MAX };
	struct view_table *t = view_add_rows(v, &table);

	t->name = name;
	t->section = section;
	vec_push(&v->owned, rows);
}
