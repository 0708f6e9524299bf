/* perf top without the terminal interface: a table as text, or a JSON document, for each refresh. */
#include "builtin-top.h"
#include "ui/format.h"
#include "util/cli/terminal.h"

#include <errno.h>
#include <stdio.h>

void top_line(struct top *t, struct strbuf *out)
{
	if (t->wall.on)
		top_wall_line(t, out);
	else
		summary_line(&t->summary, &t->ob, out);
}

int top_text(struct top *t, struct view *v, u32 columns)
{
	struct strbuf sb = STRBUF_INIT;
	int ret = 0;

	top_line(t, &sb);
	strbuf_pad(&sb, '-', 79);
	strbuf_addstr(&sb, t->text.quiet ? "\n\n" : "\n");
	if (t->code.symbol)
		top_code_text(&t->code, &sb);
	else
		ret = text_add(v, &t->text, &sb);
	if (!ret)
		ret = terminal_show(&sb, columns);
	strbuf_release(&sb);
	return ret;
}

int top_json(struct top *t, struct view *v)
{
	int ret;

	v->name = "top";
	summary_facts(&t->summary, &t->ob, &v->fact);
	if (t->wall.on)
		top_wall_facts(&t->wall, &v->fact);
	ret = format_find("json")->show(v, &t->text, stdout);
	return !ret && fflush(stdout) ? -errno : ret;
}
