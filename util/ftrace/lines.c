/* Trace lines: cutting text into lines, and lines for terminals. */
#include "lines.h"

void trace_lines_feed(struct trace_lines *l, const char *text, size_t len, trace_line_fn fn, void *ctx)
{
	while (len) {
		const char *end = memchr(text, '\n', len);
		size_t n = end ? (size_t)(end - text) : len;

		if (end && !l->rest.len) {
			fn(ctx, text, n);
		} else {
			n = MIN(n, (size_t)TRACE_LINE_MAX - l->rest.len);
			strbuf_add(&l->rest, text, n);
			end = n < len && text[n] == '\n' ? text + n : NULL;
			if (end || l->rest.len == TRACE_LINE_MAX)
				trace_lines_end(l, fn, ctx);
		}
		n += end != NULL;
		text += n;
		len -= n;
	}
}

void trace_lines_end(struct trace_lines *l, trace_line_fn fn, void *ctx)
{
	if (l->rest.len)
		fn(ctx, l->rest.buf, l->rest.len);
	strbuf_reset(&l->rest);
}

void trace_lines_release(struct trace_lines *l)
{
	strbuf_release(&l->rest);
}

static bool is_plain(const char *line, size_t len)
{
	u8 odd = 0;

	for (size_t i = 0; i < len; i++)
		odd |= (u8)line[i] < 0x20 || (u8)line[i] >= 0x7f;
	return !odd;
}

void trace_line_add_safe(struct strbuf *out, const char *line, size_t len)
{
	char part[512];

	if (is_plain(line, len)) {
		strbuf_add(out, line, len);
		strbuf_addch(out, '\n');
		return;
	}
	while (len) {
		size_t n = 0;

		while (n < len && line[n] && line[n] != '\t' && n < sizeof(part) - 1)
			n++;
		/* the first byte of a C1 control character stays with its second one */
		n -= n == sizeof(part) - 1 && (u8)line[n - 1] == 0xc2;
		memcpy(part, line, n);
		part[n] = '\0';
		strbuf_add_safe(out, part);
		if (!n && *line)
			strbuf_addch(out, '\t');
		else if (!n)
			strbuf_addstr(out, "\\x00");
		n += !n;
		line += n;
		len -= n;
	}
	strbuf_addch(out, '\n');
}
