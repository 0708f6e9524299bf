/* Shared by the field families: how rows are declared. */
#ifndef PERF_FIELDS_FIELD_INTERNAL_H
#define PERF_FIELDS_FIELD_INTERNAL_H

#include "field.h"

#define FIELD(id) extern const struct field field_##id;
#include "fields.def"
#undef FIELD

int cmp_strings(const char *a, const char *b);

/* keys that are ids of names->texts */
void format_text(const struct field_ctx *ctx, u64 key, struct strbuf *out);
int cmp_text(const struct field_ctx *ctx, u64 a, u64 b);

#endif
