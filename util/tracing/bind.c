/* Bind: see bind.h. */
#include "bind.h"

#include <errno.h>
#include <string.h>

static int say_missing(const struct tracefmt_event *te, const struct tracing_field *f, struct err *err)
{
	return err_set(err, -ENOENT, "the recorded format of event '%s:%s' has no field '%s'%s%s%s",
		       tracefmt_event_system(te), tracefmt_event_name(te), f->name, f->or_name ? " or '" : "",
		       f->or_name ? f->or_name : "", f->or_name ? "'" : "");
}

#define HOST_IS_BE (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)

static bool is_integer(const struct tracefmt_field *f)
{
	return !f->is_array && !f->is_dynamic &&
	       (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static bool is_s32(const struct tracefmt_field *f)
{
	return f->size == 4 && f->is_signed;
}

static void add_load(struct tracing_binding *b, u32 field, const struct tracefmt_field *at)
{
	struct tracing_load *l = &b->load[b->nr_loads++];
	u32 before;

	*l = (struct tracing_load){ .field = field, .off = at->off };
	if (is_s32(at) || at->size == 8)
		return;
	l->off = MIN(at->off, b->need - 8);
	l->right = 64 - 8 * at->size;
	l->is_signed = at->is_signed;
	before = at->off - l->off;
	l->left = 8 * (HOST_IS_BE ? before : 8 - at->size - before);
}

/* those that are read in the same way stand together */
static void add_loads(struct tracing_binding *b)
{
	for (u32 way = 0; way < 3; way++) {
		for (u32 i = 0; i < b->nr; i++) {
			const struct tracefmt_field *at = b->field[i].is_bytes ? NULL : b->at[i];

			if (at && way == (is_s32(at) ? 0 : at->size == 8 ? 1 : 2))
				add_load(b, i, at);
		}
		b->nr_s32 = way ? b->nr_s32 : b->nr_loads;
		b->nr_whole = way == 2 ? b->nr_whole : b->nr_loads;
	}
}

/* how payloads of the usual kind are read; others need the checks of util/tep at each field */
static void plan_loads(struct tracing_binding *b)
{
	u64 need = 8;

	for (u32 i = 0; i < b->nr; i++) {
		const struct tracefmt_field *at = b->at[i];

		if (!at)
			continue;
		if (!b->field[i].is_bytes && !is_integer(at))
			return;
		need = MAX(need, (u64)at->off + at->size);
	}
	if (need > UINT16_MAX || tracefmt_is_swapped(b->formats))
		return;
	b->need = need;
	add_loads(b);
	for (u32 i = 0; i < b->nr; i++)
		if (b->at[i] && b->field[i].is_bytes)
			b->bytes[b->nr_bytes++] = (struct tracing_span){
				b->at[i]->off, b->at[i]->size, i, b->at[i]->is_dynamic };
}

int tracing_bind(struct tracing_binding *b, const struct tracefmt *t, const struct tracefmt_event *te,
		 const struct tracing_field *field, struct err *err)
{
	*b = (struct tracing_binding){ .formats = t, .field = field };
	for (; field[b->nr].name; b->nr++) {
		const struct tracing_field *f = &field[b->nr];
		const struct tracefmt_field *at = tracefmt_field(te, f->name);

		if (!at && f->or_name)
			at = tracefmt_field(te, f->or_name);
		if (!at && !f->optional)
			return say_missing(te, f, err);
		b->at[b->nr] = at;
		b->present |= at ? 1u << b->nr : 0;
	}
	plan_loads(b);
	return 0;
}

static bool read_slow(const struct tracing_binding *b, const void *raw, u32 size, struct tracing_values *ret)
{
	for (u32 i = 0; i < b->nr; i++) {
		struct tracing_bytes *bytes = &ret->bytes[i];

		if (!b->at[i])
			continue;
		if (b->field[i].is_bytes) {
			bytes->data = tracefmt_bytes(b->formats, b->at[i], raw, size, &bytes->len);
			if (!bytes->data)
				return false;
		} else if (!tracefmt_value(b->formats, b->at[i], raw, size, &ret->number[i])) {
			return false;
		}
	}
	return true;
}

bool tracing_read(const struct tracing_binding *b, const void *raw, u32 size, struct tracing_values *ret)
{
	const struct tracing_load *l = b->load;

	if (unlikely(!b->need || size < b->need))
		return read_slow(b, raw, size, ret);
	for (; l < b->load + b->nr_s32; l++) {
		s32 v;

		memcpy(&v, (const u8 *)raw + l->off, sizeof(v));
		ret->number[l->field] = (s64)v;
	}
	for (; l < b->load + b->nr_whole; l++)
		memcpy(&ret->number[l->field], (const u8 *)raw + l->off, 8);
	for (; l < b->load + b->nr_loads; l++) {
		u64 v;

		memcpy(&v, (const u8 *)raw + l->off, sizeof(v));
		v <<= l->left;
		ret->number[l->field] = l->is_signed ? (u64)((s64)v >> l->right) : v >> l->right;
	}
	for (u32 i = 0; i < b->nr_bytes; i++) {
		const struct tracing_span *at = &b->bytes[i];
		struct tracing_bytes *bytes = &ret->bytes[at->field];

		*bytes = (struct tracing_bytes){ (const u8 *)raw + at->off, at->len };
		if (likely(!at->is_dynamic))
			continue;
		bytes->data = tracefmt_bytes(b->formats, b->at[at->field], raw, size, &bytes->len);
		if (!bytes->data)
			return false;
	}
	return true;
}

u32 tracing_text_len(const struct tracing_bytes *text)
{
	return text->data ? strnlen(text->data, text->len) : 0;
}
