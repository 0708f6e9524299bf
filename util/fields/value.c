/* Fields: keys and sums as typed values, for formats that do not print text. */
#include "field.h"

#include <math.h>

static bool is_absent(const struct field *f, u64 key)
{
	return (f->zero_is_absent && !key) || (f->minus_is_absent && key == UINT32_MAX);
}

static void absent(struct view_value *ret, const char *why)
{
	*ret = (struct view_value){ .type = VIEW_ABSENT, .text = why };
}

/* the text of the cell without the blanks that align it */
static void text_value(const struct field *f, const struct field_ctx *ctx, u64 key, struct strbuf *scratch,
		       struct view_value *ret)
{
	size_t start = scratch->len;

	ret->type = VIEW_TEXT;
	if (!f->bare_name)
		f->format(ctx, key, scratch);
	else if (!f->bare_name(ctx, key, scratch))
		ret->type = VIEW_ABSENT;
	while (scratch->len > start && scratch->buf[scratch->len - 1] == ' ')
		strbuf_setlen(scratch, scratch->len - 1);
	while (start < scratch->len && scratch->buf[start] == ' ')
		start++;
	ret->text = strbuf_str(scratch) + (scratch->len ? start : 0);
}

void field_value(const struct field *f, const struct field_ctx *ctx, u64 key, struct strbuf *scratch,
		 struct view_value *ret)
{
	if (is_absent(f, key))
		absent(ret, "not recorded");
	else if (f->type == VIEW_TEXT)
		text_value(f, ctx, key, scratch, ret);
	else if (!f->real_key)
		*ret = (struct view_value){ .type = f->type, .number = key };
	else
		*ret = (struct view_value){ .type = f->type, .real = f->real_key(ctx, key) };
	if (ret->type == VIEW_REAL && !isfinite(ret->real))
		absent(ret, "not known");
}

void field_stat_value(const struct field *f, const struct field_ctx *ctx, const struct stat_sums *s,
		      struct view_value *ret)
{
	*ret = (struct view_value){ .type = f->type };
	if (!f->real)
		ret->number = f->stat(ctx, s);
	else
		ret->real = f->real(ctx, s);
	if (f->real && !isfinite(ret->real))
		absent(ret, "the event has no total");
}
