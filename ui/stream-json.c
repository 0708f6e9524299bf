/* JSON lines: an object per line. perf-script(1) describes them. */
#include "format.h"

#include "json-value.h"
#include "../util/base/json-out.h"

/* the first member follows its brace at once */
static void add_key(struct strbuf *out, const char *key)
{
	if (!out->len || out->buf[out->len - 1] != '{')
		strbuf_add(out, ", ", 2);
	json_add_string(out, key);
	strbuf_add(out, ": ", 2);
}

/* why a value is absent is a member, too */
static void add_reason(struct strbuf *out, const char *key, const char *why)
{
	strbuf_add(out, ", ", 2);
	json_add_string(out, key);
	strbuf_setlen(out, out->len - 1);
	strbuf_addstr(out, "-reason\": ");
	json_add_string(out, why);
}

static void stream_json_cell(struct strbuf *out, const char *key, const struct view_value *v)
{
	add_key(out, key);
	json_add_value(out, v);
	if (v->type == VIEW_ABSENT)
		add_reason(out, key, v->text);
}

static void stream_json_words(struct strbuf *out, const char *words, const struct view_value *value,
			      size_t nr)
{
	const char *form, *next;
	char key[STREAM_KEY_MAX];
	size_t before;

	for (; nr && (next = stream_next_value(words, &before, key, &form)); words = next, value++, nr--)
		if (*key)
			stream_json_cell(out, key, value);
}

static void stream_json_text(struct strbuf *out, const char *key, const char *text)
{
	stream_json_cell(out, key, &(struct view_value){ .type = VIEW_TEXT, .text = text });
}

static void stream_json_bytes(struct strbuf *out, const char *key, const u8 *p, size_t len)
{
	add_key(out, key);
	strbuf_addch(out, '"');
	for (size_t i = 0; i < len; i++)
		strbuf_add_hex(out, p[i], 2, '0');
	strbuf_addch(out, '"');
}

static void stream_json_begin_group(struct strbuf *out, const char *key)
{
	add_key(out, key);
	strbuf_addch(out, '{');
}

static void stream_json_begin_rows(struct strbuf *out, const char *key)
{
	add_key(out, key);
	strbuf_addch(out, '[');
}

static void stream_json_begin(struct strbuf *out)
{
	strbuf_addch(out, '{');
}

static void stream_json_next(struct strbuf *out)
{
	strbuf_add(out, ", ", 2);
}

static void stream_json_end_group(struct strbuf *out)
{
	strbuf_addch(out, '}');
}

static void stream_json_end_rows(struct strbuf *out)
{
	strbuf_addch(out, ']');
}

static void stream_json_end(struct strbuf *out)
{
	strbuf_add(out, "}\n", 2);
}

const struct stream_format json_stream = {
	.words = stream_json_words, .text = stream_json_text, .bytes = stream_json_bytes,
	.begin = stream_json_begin, .cell = stream_json_cell, .end = stream_json_end,
	.begin_group = stream_json_begin_group, .end_group = stream_json_end_group,
	.begin_rows = stream_json_begin_rows, .end_rows = stream_json_end_rows,
	.begin_row = stream_json_begin, .end_row = stream_json_end_group, .next_row = stream_json_next,
};
