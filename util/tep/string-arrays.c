/* String-arrays: "__data_loc char[][3] x" becomes three fields, and "__get_str(x[1])" names one of them. */
#include "string-arrays.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include "../base/strbuf.h"

#define STRINGS_MAX 64	/* of one array, as the kernel allows */

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((u8)s[n]) || s[n] == '_')
		n++;
	return n;
}

/* a line of the fields: false if it is not such an array */
static bool expand_field(const char *line, struct strbuf *out)
{
	static const char begin[] = "\tfield:__data_loc char[][";
	unsigned int nr, off, size, is_signed;
	const char *name = strstr(line, "] ");
	int len;

	if (!name || strncmp(line, begin, strlen(begin)) ||
	    sscanf(line + strlen(begin), "%u]", &nr) != 1)
		return false;
	name += strlen("] ");
	len = name_length(name);
	if (sscanf(name + len, ";\toffset:%u;\tsize:%u;\tsigned:%u;", &off, &size, &is_signed) != 3 ||
	    !len || !nr || nr > STRINGS_MAX || size != nr * 4)
		return false;
	for (unsigned int i = 0; i < nr; i++)
		strbuf_addf(out, "\tfield:__data_loc char[] %.*s__%u;\toffset:%u;\tsize:4;\tsigned:%u;\n",
			    len, name, i, off + 4 * i, is_signed);
	return true;
}

/* the print format: __get_str(x[1]) */
static void expand_print(const char *line, struct strbuf *out)
{
	static const char call[] = "__get_str(";
	const char *from = line, *at;

	while ((at = strstr(from, call))) {
		size_t len = name_length(at += strlen(call)), digits;

		strbuf_add(out, from, at + len - from);
		from = at + len;
		digits = *from == '[' ? strspn(from + 1, "0123456789") : 0;
		if (!digits || strncmp(from + 1 + digits, "])", 2))
			continue;
		strbuf_addf(out, "__%.*s", (int)digits, from + 1);
		from += digits + 2;
	}
	strbuf_addstr(out, from);
	strbuf_addch(out, '\n');
}

char *string_arrays_expand(const char *text, u32 len, u32 *ret_len)
{
	struct strbuf in = STRBUF_INIT, out = STRBUF_INIT;
	bool any = false;
	char *next;

	strbuf_add(&in, text, len);
	*ret_len = len;
	if (!strstr(strbuf_str(&in), "__data_loc char[]["))
		return strbuf_detach(&in);
	for (char *line = in.buf; *line; line = next) {
		char *eol = strchr(line, '\n');

		next = eol ? eol + 1 : line + strlen(line);
		if (eol)
			*eol = '\0';
		if (expand_field(line, &out))
			any = true;
		else if (any && !strncmp(line, "print fmt:", strlen("print fmt:")))
			expand_print(line, &out);
		else
			strbuf_addf(&out, "%s\n", line);
	}
	strbuf_release(&in);
	*ret_len = out.len;
	return strbuf_detach(&out);
}
