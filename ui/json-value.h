/* Values of a view in JSON: numbers as numbers, addresses as hexadecimal strings, absent values as null. */
#ifndef PERF_UI_JSON_VALUE_H
#define PERF_UI_JSON_VALUE_H

#include "../util/base/json-out.h"
#include "../util/view/view.h"

/* a value; each object of a list begins a line and has this layout */
void json_write_value(struct json *w, const struct view_value *v, enum json_layout objects);
/* appends a value, on one line */
void json_add_value(struct strbuf *out, const struct view_value *v);
/* what a document calls the type of a column */
const char *json_type_name(enum view_type type);

#endif
