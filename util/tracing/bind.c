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

int tracing_bind(struct tracing_binding *b, const struct tracefmt_event *te,
		 const struct tracing_field *field, struct err *err)
{
	b->field = field;
	for (b->nr = 0; field[b->nr].name; b->nr++) {
		const struct tracing_field *f = &field[b->nr];
		const struct tracefmt_field *at = tracefmt_field(te, f->name);

		if (!at && f->or_name)
			at = tracefmt_field(te, f->or_name);
		if (!at && !f->optional)
			return say_missing(te, f, err);
		b->at[b->nr] = at;
	}
	return 0;
}

bool tracing_read(const struct tracing_binding *b, const struct tracefmt *t, const void *raw, u32 size,
		  struct tracing_values *ret)
{
	ret->present = 0;
	for (u32 i = 0; i < b->nr; i++) {
		struct tracing_bytes *bytes = &ret->bytes[i];

		ret->number[i] = 0;
		*bytes = (struct tracing_bytes){ 0 };
		if (!b->at[i])
			continue;
		if (b->field[i].is_bytes) {
			bytes->data = tracefmt_bytes(t, b->at[i], raw, size, &bytes->len);
			if (!bytes->data)
				return false;
		} else if (!tracefmt_value(t, b->at[i], raw, size, &ret->number[i])) {
			return false;
		}
		ret->present |= 1u << i;
	}
	return true;
}

u32 tracing_text_len(const struct tracing_bytes *text)
{
	return text->data ? strnlen(text->data, text->len) : 0;
}
