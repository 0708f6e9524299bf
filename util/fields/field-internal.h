/* Shared by the field families: how rows are declared. */
#ifndef PERF_FIELDS_FIELD_INTERNAL_H
#define PERF_FIELDS_FIELD_INTERNAL_H

#include "field.h"

#define FIELD(id) extern const struct field field_##id;
#include "fields.def"
#undef FIELD

int cmp_strings(const char *a, const char *b);
/* the first bytes of s as a number that sorts like strcmp */
u64 string_prefix(const char *s);

/* keys that are ids of names->texts */
void format_text(const struct field_ctx *ctx, u64 key, struct strbuf *out);
u64 prefix_text(const struct field_ctx *ctx, u64 key);
int cmp_text(const struct field_ctx *ctx, u64 a, u64 b);

#endif
