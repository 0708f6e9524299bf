/* Module-lines: see module-lines.h. */
#include "module-lines.h"

#include <stdlib.h>
#include <string.h>
#include "fs.h"
#include "units.h"

#define WORDS 6

static bool parse_line(char *line, struct loaded_module *m)
{
	char *word[WORDS], *save = NULL, *end;
	u32 nr = 0;

	for (char *w = strtok_r(line, " ", &save); w && nr < WORDS; w = strtok_r(NULL, " ", &save))
		word[nr++] = w;
	if (nr < WORDS || parse_u64(word[1], &m->size))
		return false;
	m->name = word[0];
	m->addr = strtoull(word[5], &end, 16);
	return !*end;
}

void module_lines_in(char *text, loaded_module_fn *fn, void *ctx)
{
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		struct loaded_module m;

		if (parse_line(line, &m))
			fn(ctx, &m);
	}
}

int module_lines_each(loaded_module_fn *fn, void *ctx)
{
	struct strbuf text = STRBUF_INIT;
	int ret = fs_read("/proc/modules", &text);

	if (!ret && text.len)
		module_lines_in(text.buf, fn, ctx);
	strbuf_release(&text);
	return ret;
}
