/* perf top without the terminal interface: a table as text, or a JSON document, for each refresh. */
#include "builtin-top.h"
#include "ui/format.h"
#include "util/cli/terminal.h"

#include <errno.h>
#include <stdio.h>

int top_text(struct view *v, struct summary *s, const struct observer *ob, const struct text_opts *o,
	     struct top_code *code, u32 columns)
{
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	summary_line(s, ob, &sb);
	strbuf_pad(&sb, '-', 79);
	strbuf_addstr(&sb, o->quiet ? "\n\n" : "\n");
	if (code->symbol)
		top_code_text(code, &sb);
	else
		ret = text_add(v, o, &sb);
	if (!ret)
		ret = terminal_show(&sb, columns);
	strbuf_release(&sb);
	return ret;
}

int top_json(struct view *v, struct summary *s, const struct observer *ob, const struct text_opts *o)
{
	int ret;

	v->name = "top";
	summary_facts(s, ob, &v->fact);
	ret = format_find("json")->show(v, o, stdout);
	return !ret && fflush(stdout) ? -errno : ret;
}
