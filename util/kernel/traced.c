/* Traced: an index of the names in available_filter_functions, whose lines are "NAME" or "NAME [MODULE]". */
#include "traced.h"

#include <stdlib.h>
#include <string.h>
#include "../base/alloc.h"
#include "../base/hash.h"
#include "trace-files.h"

struct traced {
	struct strbuf text;
	struct hidx by_name;	/* offsets of lines in text */
};

struct traced *traced_load(void)
{
	struct traced *t = xcalloc(1, sizeof(*t));
	const char *line;

	if (trace_file_read("available_filter_functions", &t->text, NULL) || !t->text.len) {
		traced_free(t);
		return NULL;
	}
	for (line = t->text.buf; *line; line += strcspn(line, "\n"), line += *line == '\n')
		hidx_insert(&t->by_name, hash_bytes(line, strcspn(line, " \n")), line - t->text.buf);
	return t;
}

void traced_free(struct traced *t)
{
	if (!t)
		return;
	strbuf_release(&t->text);
	hidx_release(&t->by_name);
	free(t);
}

static bool has(const struct traced *t, const char *name, size_t len)
{
	u32 off;

	HIDX_FOREACH(&t->by_name, hash_bytes(name, len), off) {
		const char *line = t->text.buf + off;

		if (strcspn(line, " \n") == len && !memcmp(line, name, len))
			return true;
	}
	return false;
}

bool traced_has(const struct traced *t, const char *name, size_t len)
{
	const char *dot = memchr(name, '.', len);

	return has(t, name, len) || (dot && has(t, name, dot - name));
}
