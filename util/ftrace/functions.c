/* Functions: listing, and nearest names. */
#include "functions.h"

#include <errno.h>
#include <stdlib.h>
#include "../base/alloc.h"
#include "../base/nearest.h"
#include "../base/units.h"
#include "../kernel/trace-files.h"

#define LIST "available_filter_functions"

/* the next line of text, and the length of the name in it; NULL: there is none */
static const char *next_function(const char **text, size_t *ret_line, size_t *ret_name)
{
	const char *line = *text;

	if (!*line)
		return NULL;
	*ret_line = strcspn(line, "\n");
	*ret_name = strcspn(line, " \n");
	*text = line + *ret_line + (line[*ret_line] == '\n');
	return line;
}

int ftrace_functions_list(const char *const *glob, size_t nr, struct strbuf *out, struct err *err)
{
	struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;
	bool *hit = xcalloc(nr + 1, sizeof(*hit));
	int ret = trace_file_read(LIST, &text, err);
	const char *rest = strbuf_str(&text), *line;
	size_t line_len, name_len;

	while (!ret && (line = next_function(&rest, &line_len, &name_len))) {
		bool wanted = !nr;

		strbuf_reset(&name);
		strbuf_add(&name, line, name_len);
		for (size_t i = 0; i < nr; i++)
			if (glob_match(glob[i], strbuf_str(&name)))
				wanted = hit[i] = true;
		if (wanted) {
			strbuf_add(out, line, line_len);
			strbuf_addch(out, '\n');
		}
	}
	for (size_t i = 0; !ret && i < nr; i++)
		if (!hit[i])
			ret = ftrace_functions_explain(glob[i], strlen(glob[i]), err);
	strbuf_release(&text);
	strbuf_release(&name);
	free(hit);
	return ret;
}

int ftrace_functions_explain(const char *name, size_t len, struct err *err)
{
	struct strbuf text = STRBUF_INIT, near = STRBUF_INIT, one = STRBUF_INIT;
	const char *rest, *line;
	size_t line_len, name_len;
	struct nearest n;

	trace_file_read(LIST, &text, NULL);
	nearest_init(&n, name, len);
	for (rest = strbuf_str(&text); (line = next_function(&rest, &line_len, &name_len));) {
		strbuf_reset(&one);
		strbuf_add(&one, line, name_len);
		nearest_offer(&n, strbuf_str(&one));
	}
	nearest_describe(&n, &near);
	err_set(err, -EINVAL, "no function that can be traced is named '%.*s'%s", (int)len, name,
		strbuf_str(&near));
	err_hint(err, "'perf ftrace -F' lists them; others are inlined, or the kernel excludes them");
	strbuf_release(&text);
	strbuf_release(&near);
	strbuf_release(&one);
	return -EINVAL;
}
