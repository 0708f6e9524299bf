/* Columns that belong together: side by side, with one title above theirs. */
#include "text-private.h"

#include <string.h>

static bool continues_group(const struct view_table *t, u32 i)
{
	const struct view_column *c = &t->column.v[i];

	return i && c->group && c[-1].group && !strcmp(c->group, c[-1].group);
}

u32 text_gap(const struct view_table *t, u32 column)
{
	return continues_group(t, column) ? 0 : 2;
}

const char *text_title(const struct view_column *c)
{
	return c->group ? c->title_in_group : c->title;
}

/* "------- Cache -------" over several columns, "  Cache" over one */
static void add_group(const char *title, u32 width, bool lines, struct strbuf *sb)
{
	u32 len = strlen(title), rest = width > len ? width - len : 0, before = rest;

	if (lines && rest > 4) {
		before = (rest - 2) / 2;
		for (u32 i = 0; i < before; i++)
			strbuf_addch(sb, '-');
		strbuf_addf(sb, " %s ", title);
		for (u32 i = before; i < rest - 2; i++)
			strbuf_addch(sb, '-');
		return;
	}
	strbuf_pad(sb, ' ', before);
	strbuf_addstr(sb, title);
}

void text_group_titles(const struct layout *l, u32 indent, u32 nr, struct strbuf *sb)
{
	const struct view_table *t = l->t;
	bool any = false;

	for (u32 i = 0; i < nr; i++)
		any |= t->column.v[i].group != NULL;
	if (!any)
		return;
	strbuf_addstr(sb, "# ");
	strbuf_pad(sb, ' ', indent);
	for (u32 i = 0; i < nr;) {
		u32 first = i, width = 0;

		do
			width += l->width[i++];
		while (i < nr && continues_group(t, i));
		strbuf_pad(sb, ' ', first ? 2 : 0);
		if (t->column.v[first].group)
			add_group(t->column.v[first].group, width, i - first > 1, sb);
		else
			strbuf_pad(sb, ' ', width);
	}
	while (sb->buf[sb->len - 1] == ' ')
		strbuf_setlen(sb, sb->len - 1);
	strbuf_addch(sb, '\n');
}
