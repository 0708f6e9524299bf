/* Values of a view in JSON: numbers as numbers, addresses as hexadecimal strings, absent values as null. */
#ifndef PERF_UI_JSON_VALUE_H
#define PERF_UI_JSON_VALUE_H

#include "../util/view/view.h"

/* appends the value, one token */
void json_add_value(struct strbuf *out, const struct view_value *v);
/* what a document calls the type of a column */
const char *json_type_name(enum view_type type);

#endif
