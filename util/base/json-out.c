/* The JSON writer, its strings and numbers. */
#include "json-out.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* bytes that stand for themselves */
static size_t plain_length(const char *s)
{
	size_t len = 0;

	while ((u8)(s[len] - 0x20) < 0x5f && s[len] != '"' && s[len] != '\\')
		len++;
	return len;
}

static void add_plain(struct strbuf *out, const char *s, size_t len)
{
	char *p = strbuf_room(out, len + 2);

	p[0] = '"';
	memcpy(p + 1, s, len);
	memcpy(p + 1 + len, "\"", 2);
	out->len += len + 2;
}

void json_add_string(struct strbuf *out, const char *s)
{
	size_t plain;

	if (!s) {
		strbuf_addstr(out, "null");
		return;
	}
	plain = plain_length(s);
	if (likely(!s[plain])) {
		add_plain(out, s, plain);
		return;
	}
	strbuf_addch(out, '"');
	for (; *s; plain = plain_length(s)) {
		int len;

		strbuf_add(out, s, plain);
		s += plain;
		if (!*s)
			break;
		len = utf8_length(s);
		if (!len) {
			strbuf_addstr(out, "\xef\xbf\xbd");
			len = 1;
		} else if (*s == '"' || *s == '\\') {
			strbuf_addch(out, '\\');
			strbuf_addch(out, *s);
		} else if (len == 1 && ((u8)*s < 0x20 || *s == 0x7f)) {
			strbuf_addf(out, "\\u%04x", (u8)*s);
		} else if (len == 2 && (u8)s[0] == 0xc2 && (u8)s[1] < 0xa0) {
			strbuf_addf(out, "\\u%04x", (u8)s[1]);	/* a C1 character: a terminal would obey it */
		} else {
			strbuf_add(out, s, len);
		}
		s += len;
	}
	strbuf_addch(out, '"');
}

void json_add_double(struct strbuf *out, double v)
{
	char text[40];

	if (!isfinite(v)) {
		strbuf_addstr(out, "null");
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, v);
		if (strtod(text, NULL) == v)
			break;
	}
	/* a whole number is written as an integer */
	if (fabs(v) < 0x1p53 && v == trunc(v))
		snprintf(text, sizeof(text), "%.0f", v);
	for (char *p = text; *p; p++)
		if (*p == ',')
			*p = '.';
	strbuf_addstr(out, text);
}

/* ---- the writer ---- */

/* two bytes per open level: its layout, and the character that closes it */
#define LEVEL_BYTES 2

static size_t nr_levels(const struct json *w)
{
	return w->level.len / LEVEL_BYTES;
}

static enum json_layout innermost_layout(const struct json *w)
{
	return nr_levels(w) ? (enum json_layout)w->level.buf[w->level.len - LEVEL_BYTES] : JSON_COMPACT;
}

static void begin_line(struct json *w)
{
	strbuf_addch(w->out, '\n');
	for (size_t i = w->flat_levels; i < nr_levels(w); i++)
		strbuf_addstr(w->out, w->indent ? w->indent : "  ");
}

/* writes what separates the member before from the next one */
static void begin_member(struct json *w)
{
	enum json_layout layout = innermost_layout(w);

	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (!nr_levels(w))
		return;
	if (w->has_member)
		strbuf_addch(w->out, ',');
	if (w->line_break || layout == JSON_LINES || layout == JSON_HANGING)
		begin_line(w);
	else if (w->has_member || layout == JSON_SPACED)
		strbuf_addch(w->out, ' ');
	w->line_break = false;
	w->has_member = true;
}

static void begin_level(struct json *w, enum json_layout layout, char opener, char closer)
{
	begin_member(w);
	strbuf_addch(w->out, opener);
	strbuf_addch(&w->level, layout);
	strbuf_addch(&w->level, closer);
	w->has_member = false;
}

void json_begin_object(struct json *w, enum json_layout layout)
{
	begin_level(w, layout, '{', '}');
}

void json_begin_array(struct json *w, enum json_layout layout)
{
	begin_level(w, layout, '[', ']');
}

void json_end(struct json *w)
{
	enum json_layout layout = innermost_layout(w);
	char closer = w->level.buf[w->level.len - 1];

	strbuf_setlen(&w->level, w->level.len - LEVEL_BYTES);
	if (layout == JSON_LINES)
		begin_line(w);
	else if (layout == JSON_SPACED)
		strbuf_addch(w->out, ' ');
	strbuf_addch(w->out, closer);
	w->has_member = true;
	w->line_break = false;
	if (!nr_levels(w))
		json_release(w);
}

void json_release(struct json *w)
{
	strbuf_release(&w->level);
	w->has_member = w->keyed = w->line_break = false;
}

void json_key(struct json *w, const char *key)
{
	begin_member(w);
	json_add_string(w->out, key);
	strbuf_addstr(w->out, w->colon ? w->colon : ": ");
	w->keyed = true;
}

void json_break(struct json *w)
{
	w->line_break = true;
}

struct strbuf *json_value(struct json *w)
{
	begin_member(w);
	return w->out;
}

void json_string(struct json *w, const char *s)
{
	json_add_string(json_value(w), s);
}

void json_u64(struct json *w, u64 v)
{
	strbuf_add_u64(json_value(w), v, 0);
}

void json_s64(struct json *w, s64 v)
{
	struct strbuf *out = json_value(w);

	if (v < 0)
		strbuf_addch(out, '-');
	strbuf_add_u64(out, v < 0 ? -(u64)v : (u64)v, 0);
}

void json_double(struct json *w, double v)
{
	json_add_double(json_value(w), v);
}

void json_bool(struct json *w, bool v)
{
	strbuf_addstr(json_value(w), v ? "true" : "false");
}

void json_null(struct json *w)
{
	strbuf_addstr(json_value(w), "null");
}

void json_key_string(struct json *w, const char *key, const char *s)
{
	json_key(w, key);
	json_string(w, s);
}

void json_key_u64(struct json *w, const char *key, u64 v)
{
	json_key(w, key);
	json_u64(w, v);
}

void json_key_double(struct json *w, const char *key, double v)
{
	json_key(w, key);
	json_double(w, v);
}

void json_key_bool(struct json *w, const char *key, bool v)
{
	json_key(w, key);
	json_bool(w, v);
}
