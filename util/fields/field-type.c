/* Fields: types of the data that instructions access. Keys are texts, made once per distinct frame. */
#include "field-family.h"

#include "../resolve/data-types.h"
#include "../resolve/names.h"

#define SHOWN_LINE 64u

static const struct access *access_of(const struct field_ctx *ctx, const struct frame *f, u32 frame)
{
	const struct named *nm = &ctx->names->named.v[ctx->names->named_of[frame]];

	return data_types_find(ctx->names->types, f->dso, nm->sym, f->addr);
}

enum type_text { TEXT_NAME, TEXT_MEMBER, TEXT_LINE };

static u64 type_key(const struct field_ctx *ctx, u32 frame, enum type_text what)
{
	const struct frame *f = &ctx->names->frame.v[frame];
	const struct access *a = access_of(ctx, f, frame);
	struct strbuf text = STRBUF_INIT;
	u64 key;

	if (what == TEXT_MEMBER)
		data_type_add_member(ctx->names->types, f->dso, a, true, &text);
	else
		data_type_add_name(ctx->names->types, f->dso, a, &text);
	if (what == TEXT_LINE)
		strbuf_addf(&text, ": cache-line %u", a->off / SHOWN_LINE);
	key = strtab_add(&ctx->names->texts, strbuf_str(&text));
	strbuf_release(&text);
	return key;
}

#define TYPE_FIELD(id, column, text, words) \
	static u64 frame_##id(const struct field_ctx *ctx, u32 frame) \
	{ \
		return type_key(ctx, frame, text); \
	} \
	const struct field field_##id = { .name = #id, .title = column, .kind = FIELD_FRAME, \
		.needs = NEEDS_SYM | NEEDS_TYPE, .of_frame = frame_##id, .format = format_text, \
		.cmp = cmp_text, .prefix = prefix_text, .no_pad = true, .help = words }

TYPE_FIELD(type, "Data Type", TEXT_NAME, "type of the data that the instruction accesses");
TYPE_FIELD(typeoff, "Data Type Offset", TEXT_MEMBER, "type, offset and member that the instruction accesses");
TYPE_FIELD(typecln, "Data Type Cacheline", TEXT_LINE,
	   "type and cache line in it that the instruction accesses");
