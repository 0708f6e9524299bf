/*
 * Streams as text: words with values, and bytes as a table of hexadecimal digits and characters. Cells
 * without words are for programs.
 */
#include "format.h"

#include <ctype.h>
#include <stdlib.h>

/* the parts of "#x", "016x", "-5d" */
struct form {
	bool prefix, zeros, left, hex;
	int width;
};

static struct form parse_form(const char *s, enum view_type type)
{
	struct form f = { .prefix = type == VIEW_ADDRESS, .hex = type == VIEW_ADDRESS };

	if (*s == '}')
		return f;
	f.hex = f.prefix = false;
	for (;; s++) {
		if (*s == '#')
			f.prefix = true;
		else if (*s == '-')
			f.left = true;
		else if (*s == '0')
			f.zeros = true;
		else
			break;
	}
	f.width = strtol(s, (char **)&s, 10);
	f.hex = *s == 'x';
	return f;
}

static void add_number(struct strbuf *out, const struct form *f, const struct view_value *v)
{
	size_t from = out->len, len;

	if (f->hex) {
		/* as printf has it: no prefix before 0 */
		strbuf_addstr(out, f->prefix && v->number ? "0x" : "");
		strbuf_add_hex(out, v->number, f->left ? 0 : f->width, f->zeros ? '0' : ' ');
	} else {
		bool negative = v->type == VIEW_SIGNED && (s64)v->number < 0;

		if (!negative && !f->zeros) {
			strbuf_add_u64(out, v->number, f->left ? 0 : f->width);
		} else if (negative) {
			strbuf_addf(out, "%*ld", f->left ? 0 : f->width, (s64)v->number);
		} else {
			strbuf_addf(out, "%0*lu", f->width, v->number);
		}
	}
	len = out->len - from;
	if (f->left && len < (size_t)f->width)
		strbuf_pad(out, ' ', f->width - len);
}

static void add_value(struct strbuf *out, const char *form, const struct view_value *v)
{
	struct form f;
	size_t from = out->len, len;

	if (*form == '?') {
		if (v->number)
			strbuf_add(out, form + 1, strcspn(form + 1, "}"));
		return;
	}
	f = parse_form(form, v->type);
	if (v->type == VIEW_REAL) {
		strbuf_addf(out, "%f", v->real);
	} else if (v->type != VIEW_TEXT) {
		add_number(out, &f, v);
	} else {
		strbuf_add_safe(out, v->text);
		len = out->len - from;
		if (len < (size_t)f.width)
			strbuf_pad(out, ' ', f.width - len);
	}
}

static void text_words(struct strbuf *out, const char *words, const struct view_value *value, size_t nr)
{
	const char *form, *next;
	char key[STREAM_KEY_MAX];
	size_t before;

	while ((next = stream_next_value(words, &before, key, &form)) && nr) {
		strbuf_add(out, words, before);
		add_value(out, form, value);
		words = next;
		value++;
		nr--;
	}
	strbuf_add(out, words, before);
}

static void text_text(struct strbuf *out, const char *key, const char *text)
{
	(void)key;
	strbuf_addstr(out, text);
}

/* ".  0010:  45 00 ...  E.P.": 16 bytes per line, the last line padded with blanks */
static void text_bytes(struct strbuf *out, const char *key, const u8 *p, size_t len)
{
	(void)key;
	for (size_t i = 0; i < len; i += 16) {
		strbuf_addstr(out, ".  ");
		strbuf_add_hex(out, i, 4, '0');
		strbuf_addstr(out, ": ");
		for (size_t k = i; k < i + 16; k++) {
			strbuf_addch(out, ' ');
			if (k < len)
				strbuf_add_hex(out, p[k], 2, '0');
			else
				strbuf_addstr(out, "  ");
		}
		strbuf_addstr(out, "  ");
		for (size_t k = i; k < i + 16; k++)
			strbuf_addch(out, k >= len ? ' ' : isprint(p[k]) && p[k] < 0x80 ? p[k] : '.');
		strbuf_addch(out, '\n');
	}
}

static void text_nothing(struct strbuf *out) { (void)out; }
static void text_no_key(struct strbuf *out, const char *key) { (void)out; (void)key; }

static void text_no_cell(struct strbuf *out, const char *key, const struct view_value *value)
{
	(void)out;
	(void)key;
	(void)value;
}

const struct stream_format text_stream = {
	.words = text_words, .text = text_text, .bytes = text_bytes,
	.begin = text_nothing, .cell = text_no_cell, .end = text_nothing,
	.begin_group = text_no_key, .end_group = text_nothing,
	.begin_rows = text_no_key, .end_rows = text_nothing,
	.begin_row = text_nothing, .end_row = text_nothing, .next_row = text_nothing,
};
