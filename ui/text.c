/* Text: the classic plain-text report. */
#include "text.h"

#include <errno.h>
#include "../util/base/strbuf.h"

struct printer {
	const struct text_opts *o;
	FILE *out;
	struct strbuf sb;
};

static void flush_text(struct printer *p, size_t keep)
{
	if (p->sb.len > keep) {
		fwrite(p->sb.buf, 1, p->sb.len, p->out);
		strbuf_reset(&p->sb);
	}
}

static u32 column_width(const struct printer *p, const struct view_table *t, u32 i)
{
	if (i < p->o->nr_widths && p->o->widths[i])
		return MAX(p->o->widths[i], t->column.v[i].right ? 8u : 1u);
	return t->column.v[i].width;
}

static void add_head_lines(struct printer *p, const char *const *line, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&p->sb, "%s%s\n", *line[i] ? "# " : "#", line[i]);
}

static void add_padded(struct strbuf *sb, const char *text, u32 width, bool right, bool pad)
{
	size_t len = strlen(text);

	if (right && len < width)
		strbuf_pad(sb, ' ', width - len);
	strbuf_add(sb, text, len);
	if (!right && pad && len < width)
		strbuf_pad(sb, ' ', width - len);
}

static void add_titles(struct printer *p, const struct view_table *t)
{
	strbuf_addstr(&p->sb, "# ");
	for (u32 i = 0; i < t->column.nr; i++) {
		const struct view_column *c = &t->column.v[i];

		if (i)
			strbuf_addstr(&p->sb, "  ");
		add_padded(&p->sb, c->title, column_width(p, t, i), c->right, true);
	}
	strbuf_addstr(&p->sb, "\n# ");
	for (u32 i = 0; i < t->column.nr; i++) {
		if (i)
			strbuf_addstr(&p->sb, "  ");
		strbuf_pad(&p->sb, '.', column_width(p, t, i));
	}
	strbuf_addstr(&p->sb, "\n#\n");
}

/* a separator inside a value would shift the columns: it becomes a dot, as scripts that parse this expect */
static void add_plain(struct strbuf *sb, const char *text, char separator)
{
	while (*text == ' ')
		text++;
	for (; *text; text++)
		strbuf_addch(sb, *text == separator ? '.' : *text);
}

static void add_separated_titles(struct printer *p, const struct view_table *t)
{
	strbuf_addstr(&p->sb, "# ");
	for (u32 i = 0; i < t->column.nr; i++) {
		if (i)
			strbuf_addch(&p->sb, p->o->separator);
		add_plain(&p->sb, t->column.v[i].title, p->o->separator);
	}
	strbuf_addch(&p->sb, '\n');
}

static void add_row(struct printer *p, const struct view_table *t, const struct view_row *row)
{
	for (u32 i = 0; i < t->column.nr; i++) {
		const struct view_column *c = &t->column.v[i];
		bool last = i + 1 == t->column.nr;

		if (p->o->separator) {
			if (i)
				strbuf_addch(&p->sb, p->o->separator);
			add_plain(&p->sb, row->cells[i].text, p->o->separator);
			continue;
		}
		strbuf_addstr(&p->sb, "  ");
		add_padded(&p->sb, row->cells[i].text, column_width(p, t, i), c->right, !last || !c->no_pad);
	}
	strbuf_addch(&p->sb, '\n');
}

static void add_table(struct printer *p, const struct view_table *t)
{
	if (!p->o->quiet) {
		add_head_lines(p, t->head.v, t->head.nr);
		strbuf_addstr(&p->sb, "#\n");
		if (p->o->separator)
			add_separated_titles(p, t);
		else
			add_titles(p, t);
	}
	vec_foreach(&t->row, row) {
		if (row->hidden)
			continue;
		add_row(p, t, row);
		if (row->tree)
			graph_text(row->tree, p->o, t->total_period, t->min_percent, &p->sb);
		flush_text(p, 1 << 16);
	}
	strbuf_addstr(&p->sb, "\n\n");
}

int text_show(const struct view *v, const struct text_opts *o, FILE *out)
{
	struct printer p = { .o = o, .out = out };

	if (!o->quiet)
		add_head_lines(&p, v->head.v, v->head.nr);
	vec_foreach(&v->table, t)
		add_table(&p, *t);
	if (!o->quiet)
		add_head_lines(&p, v->foot.v, v->foot.nr);
	flush_text(&p, 0);
	strbuf_release(&p.sb);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
