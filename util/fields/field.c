/* Look-up of fields by name. */
#include "field-family.h"

#include <string.h>
#include "../resolve/names.h"

const struct field *const fields[] = {
#define FIELD(id) &field_##id,
#include "fields.def"
#undef FIELD
	NULL
};

const char field_sort_help[] = "make rows by these keys:"
#define FIELD(id) " " #id
#include "fields.def"
#undef FIELD
	;

const char *field_title(const struct field *f, u32 event, u32 *width)
{
	return f->title_of ? f->title_of(f, event, width) : f->title;
}

u32 field_title_width(const struct field *f, const char *title, u32 width)
{
	return MAX(width, (u32)strlen(f->group ? f->title_in_group : title));
}

const char *field_missing(const char *name)
{
	static const struct {
		const char *name, *why;
	} missing[] = {
#define MISSING_FIELD(name, why) { name, why },
#include "missing.def"
#undef MISSING_FIELD
	};

	for (size_t i = 0; i < ARRAY_SIZE(missing); i++)
		if (!strcmp(name, missing[i].name))
			return missing[i].why;
	return NULL;
}

int cmp_strings(const char *a, const char *b)
{
	int ret = strcmp(a, b);

	return (ret > 0) - (ret < 0);
}

u64 string_prefix(const char *s)
{
	u64 v = 0;

	for (int i = 0; i < 8; i++) {
		v = v << 8 | (u8)*s;
		s += *s != 0;
	}
	return v;
}

int cmp_descending(const struct field_ctx *ctx, u64 a, u64 b)
{
	return (a < b) - (a > b);
}

u64 prefix_text(const struct field_ctx *ctx, u64 key)
{
	return string_prefix(strtab_get(&ctx->names->texts, key));
}

void format_text(const struct field_ctx *ctx, u64 key, struct strbuf *out)
{
	strbuf_add_safe(out, strtab_get(&ctx->names->texts, key));
}

int cmp_text(const struct field_ctx *ctx, u64 a, u64 b)
{
	return cmp_strings(strtab_get(&ctx->names->texts, a), strtab_get(&ctx->names->texts, b));
}

const struct field *field_find(const char *name, bool *ret_ambiguous)
{
	const struct field *prefix = NULL;
	size_t len = strlen(name);

	*ret_ambiguous = false;
	for (const struct field *const *f = fields; *f; f++) {
		if (!strcmp((*f)->name, name))
			return *f;
		if (len < 3 || strncmp((*f)->name, name, len))
			continue;
		if (prefix)
			*ret_ambiguous = true;
		else
			prefix = *f;
	}
	/* "sym" has always meant symbol, "over" overhead: the first row of a family has priority */
	return prefix;
}
