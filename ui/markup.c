/* Markup: texts and numbers of SVG and HTML. */
#include "markup.h"

#include <errno.h>

#define DRAIN_AT 65536u

static void write_out(struct markup *m)
{
	if (m->text.len && !ferror(m->file))
		fwrite(m->text.buf, 1, m->text.len, m->file);
	strbuf_reset(&m->text);
}

void markup_drain(struct markup *m)
{
	if (m->text.len >= DRAIN_AT)
		write_out(m);
}

int markup_end(struct markup *m)
{
	write_out(m);
	strbuf_release(&m->text);
	if (fflush(m->file) || ferror(m->file))
		return errno ? -errno : -EIO;
	return 0;
}

static const char *entity(char c)
{
	switch (c) {
	case '&': return "&amp;";
	case '<': return "&lt;";
	case '>': return "&gt;";
	case '"': return "&quot;";
	case '\'': return "&#39;";
	default: return NULL;
	}
}

/* characters that XML does not have, and those that a terminal would obey */
static bool is_forbidden(const char *s, int len)
{
	const u8 *b = (const u8 *)s;

	if (len == 1)
		return b[0] < 0x20 ? b[0] != '\n' && b[0] != '\t' : b[0] == 0x7f;
	return (len == 2 && b[0] == 0xc2 && b[1] < 0xa0) ||
	       (len == 3 && b[0] == 0xef && b[1] == 0xbf && b[2] >= 0xbe);
}

void markup_add_text(struct strbuf *out, const char *bytes)
{
	for (const char *s = bytes; *s;) {
		int len = utf8_length(s);

		if (!len || is_forbidden(s, len))
			strbuf_addstr(out, "\xef\xbf\xbd");
		else if (entity(*s))
			strbuf_addstr(out, entity(*s));
		else
			strbuf_add(out, s, len);
		s += MAX(len, 1);
	}
}

void markup_add_hundredths(struct strbuf *out, u64 v)
{
	strbuf_add_u64(out, v / 100, 0);
	if (!(v % 100))
		return;
	strbuf_addch(out, '.');
	strbuf_addch(out, '0' + v / 10 % 10);
	if (v % 10)
		strbuf_addch(out, '0' + v % 10);
}
