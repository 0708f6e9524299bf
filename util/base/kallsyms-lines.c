/* Kallsyms-lines: a hand-written line scanner, because a kernel has some 200,000 lines. */
#include "kallsyms-lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "alloc.h"
#include "digits.h"
#include "fs.h"

#define READ_SIZE (64u << 10)

/* one line [p, end) without its newline: the byte at end is replaced, too */
static bool parse_line(char *p, char *end, struct kallsyms_entry *e)
{
	char *name_end;
	int digits = 0, d;

	e->addr = 0;
	for (; p < end && (d = hex_digit(*p)) >= 0; p++, digits++)
		e->addr = e->addr << 4 | d;
	if (!digits || digits > 16 || end - p < 4 || p[0] != ' ' || p[2] != ' ')
		return false;
	e->type = p[1];
	e->name = p + 3;
	for (name_end = p + 3; name_end < end && *name_end != '\t' && *name_end != ' '; name_end++)
		;
	e->name_len = name_end - e->name;
	e->module = "";
	e->module_len = 0;
	if (end - name_end > 3 && name_end[1] == '[' && end[-1] == ']') {
		e->module = name_end + 2;
		e->module_len = end - 1 - e->module;
	}
	*name_end = '\0';
	return e->name_len;
}

bool kallsyms_lines_in(char *text, size_t len, kallsyms_entry_fn *fn, void *ctx)
{
	char *end = text + len;

	for (char *p = text; p < end;) {
		char *nl = memchr(p, '\n', end - p), *stop = nl ? nl : end;
		struct kallsyms_entry e;

		if (parse_line(p, stop, &e) && !fn(ctx, &e))
			return false;
		p = stop + 1;
	}
	return true;
}

bool kallsyms_comes_and_goes(const char *module, u32 len)
{
	static const char builtin[] = "__builtin__";

	return (len == 3 && !memcmp(module, "bpf", 3)) ||
	       (len >= strlen(builtin) && !memcmp(module, builtin, strlen(builtin)));
}

/* calls fn for the whole lines of the buffer, of which the incomplete one is kept; false: fn stopped */
static bool take_lines(char *buf, size_t *len, bool at_end, kallsyms_entry_fn *fn, void *ctx)
{
	char *nl = at_end ? NULL : memrchr(buf, '\n', *len);
	size_t whole = at_end ? *len : nl ? (size_t)(nl - buf) : 0;

	if (!at_end && !nl)
		return true;
	if (!kallsyms_lines_in(buf, whole, fn, ctx))
		return false;
	*len -= at_end ? whole : whole + 1;
	memmove(buf, buf + whole + 1, *len);
	return true;
}

int kallsyms_lines_each(kallsyms_entry_fn *fn, void *ctx)
{
	int fd = fs_open("/proc/kallsyms", O_RDONLY);
	char *buf;
	size_t len = 0;
	ssize_t n = 1;

	if (fd < 0)
		return fd;
	buf = xmalloc(READ_SIZE + 1);
	while (n) {
		n = read(fd, buf + len, READ_SIZE - len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		len += n;
		if (!take_lines(buf, &len, !n, fn, ctx))
			break;
		if (len == READ_SIZE)	/* no line of kallsyms */
			len = 0;
	}
	n = n < 0 ? -errno : 0;
	free(buf);
	close(fd);
	return n;
}
