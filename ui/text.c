/* Text: the classic plain-text report. */
#include "text-private.h"

#include <errno.h>
#include <stdlib.h>
#include "../util/base/pool.h"
#include "../util/base/strbuf.h"
#include "../util/cli/color.h"

struct text_printer {
	const struct text_opts *o;
	FILE *out;
	struct strbuf sb;
};

static void flush_text(struct text_printer *p, size_t keep)
{
	if (p->sb.len > keep) {
		fwrite(p->sb.buf, 1, p->sb.len, p->out);
		strbuf_reset(&p->sb);
	}
}

static bool width_asked(const struct text_opts *o, u32 i)
{
	return i < o->nr_widths && o->widths[i];
}

static u32 column_width(const struct text_printer *p, const struct view_table *t, u32 i)
{
	if (width_asked(p->o, i))
		return MAX(p->o->widths[i], t->column.v[i].right ? 8u : 1u);
	return t->column.v[i].width;
}

static void add_head_lines(struct text_printer *p, const char *const *line, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&p->sb, "%s%s\n", *line[i] ? "# " : "#", line[i]);
}

/* text to the left is cut where a width was asked for that is too small (not inside a UTF-8 character) */
static size_t fitting(const char *text, size_t len, u32 width, bool right)
{
	if (right || len <= width)
		return len;
	for (len = width; len && ((unsigned char)text[len] & 0xc0) == 0x80;)
		len--;
	return len;
}

void text_padded(struct strbuf *sb, const char *text, u32 width, bool right, bool pad)
{
	size_t len = fitting(text, strlen(text), width, right);

	if (right && len < width)
		strbuf_pad(sb, ' ', width - len);
	strbuf_add(sb, text, len);
	if (!right && pad && len < width)
		strbuf_pad(sb, ' ', width - len);
}

static void add_titles(struct text_printer *p, const struct view_table *t)
{
	strbuf_addstr(&p->sb, "# ");
	for (u32 i = 0; i < t->column.nr; i++) {
		const struct view_column *c = &t->column.v[i];

		if (i)
			strbuf_addstr(&p->sb, "  ");
		text_padded(&p->sb, c->title, column_width(p, t, i), c->right, true);
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
void text_plain(struct strbuf *sb, const char *text, char separator)
{
	while (*text == ' ')
		text++;
	for (; *text; text++)
		strbuf_addch(sb, *text == separator ? '.' : *text);
}

static void add_separated_titles(struct text_printer *p, const struct view_table *t)
{
	strbuf_addstr(&p->sb, "# ");
	for (u32 i = 0; i < t->column.nr; i++) {
		if (i)
			strbuf_addch(&p->sb, p->o->separator);
		text_plain(&p->sb, t->column.v[i].title, p->o->separator);
	}
	strbuf_addch(&p->sb, '\n');
}

void text_plain_cell(const struct layout *l, size_t row, u32 i, struct strbuf *sb, struct strbuf *cell)
{
	strbuf_reset(cell);
	l->t->cell(l->t, row, i, cell);
	if (i)
		strbuf_addch(sb, l->o->separator);
	text_plain(sb, strbuf_str(cell), l->o->separator);
}

/* the text from start on, a share, in its colour */
static void color_cell(struct strbuf *sb, size_t start)
{
	size_t len = sb->len - start;
	const char *color = share_color(strtod(strbuf_str(sb) + start, NULL));
	char text[32];

	if (!*color || len >= sizeof(text) || sb->buf[sb->len - 1] != '%')
		return;
	memcpy(text, sb->buf + start, len);
	strbuf_setlen(sb, start);
	strbuf_addstr(sb, color);
	strbuf_add(sb, text, len);
	strbuf_addstr(sb, COLOR_RESET);
}

void text_cell(const struct layout *l, size_t row, u32 i, bool last, struct strbuf *sb)
{
	const struct view_column *c = &l->t->column.v[i];
	u32 width = l->width[i];
	size_t start, len;

	strbuf_add(sb, "  ", 2);
	start = sb->len;
	l->t->cell(l->t, row, i, sb);
	len = sb->len - start;
	if (len > width && width_asked(l->o, i)) {
		strbuf_setlen(sb, start + fitting(sb->buf + start, len, width, c->right));
	} else if (len < width && c->right) {
		strbuf_pad(sb, ' ', width - len);
		memmove(sb->buf + start + width - len, sb->buf + start, len);
		memset(sb->buf + start, ' ', width - len);
	} else if (len < width && (!last || !c->no_pad)) {
		strbuf_pad(sb, ' ', width - len);
	}
	if (l->o->color && c->fixed)
		color_cell(sb, start);
}

static void add_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	if (l->t->nr_levels)
		text_level_row(l, row, sb, cell);
	for (u32 i = 0; !l->t->nr_levels && i < l->t->column.nr; i++) {
		if (l->o->separator)
			text_plain_cell(l, row, i, sb, cell);
		else
			text_cell(l, row, i, i + 1 == l->t->column.nr, sb);
	}
	strbuf_addch(sb, '\n');
	if (l->t->tree && l->t->tree[row])
		graph_text(l->t->tree[row], l->o, l->t->total_period, l->t->min_percent, sb);
}

/* rows are made in batches, a few at once, and written in order */
#define ROW_BATCH 1024
#define NR_BATCHES 16

struct row_batches {
	const struct layout *l;
	size_t first;
	struct row_batch {
		struct strbuf text, cell;
	} CACHE_ALIGNED batch[NR_BATCHES];
};

static void make_batch(void *arg, unsigned int worker, size_t i)
{
	struct row_batches *b = arg;
	size_t start = b->first + i * ROW_BATCH;

	for (size_t r = start; r < MIN(start + ROW_BATCH, b->l->t->nr_rows); r++) {
		if (b->l->t->prefetch)
			b->l->t->prefetch(b->l->t, r);
		add_row(b->l, r, &b->batch[i].text, &b->batch[i].cell);
	}
}

static void print_rows(struct text_printer *p, const struct layout *l)
{
	struct row_batches b = { .l = l };

	flush_text(p, 0);
	for (; b.first < l->t->nr_rows && !ferror(p->out); b.first += ROW_BATCH * NR_BATCHES) {
		size_t left = (l->t->nr_rows - b.first + ROW_BATCH - 1) / ROW_BATCH;

		pool_run(p->o->pool, MIN(left, (size_t)NR_BATCHES), make_batch, &b);
		for (size_t i = 0; i < NR_BATCHES; i++) {
			struct strbuf *text = &b.batch[i].text;

			if (text->len)
				fwrite(text->buf, 1, text->len, p->out);
			strbuf_reset(text);
		}
	}
	for (size_t i = 0; i < NR_BATCHES; i++) {
		strbuf_release(&b.batch[i].text);
		strbuf_release(&b.batch[i].cell);
	}
}

static void print_table(struct text_printer *p, const struct view_table *t)
{
	struct layout l = { .o = p->o, .t = t, .width = xcalloc(t->column.nr + 1, sizeof(*l.width)) };

	for (u32 i = 0; i < t->column.nr; i++)
		l.width[i] = column_width(p, t, i);
	if (!p->o->quiet) {
		add_head_lines(p, t->head.v, t->head.nr);
		strbuf_addstr(&p->sb, "#\n");
		if (t->nr_levels)
			text_level_titles(&l, &p->sb);
		else if (p->o->separator)
			add_separated_titles(p, t);
		else
			add_titles(p, t);
	}
	print_rows(p, &l);
	strbuf_addstr(&p->sb, "\n\n");
	free(l.width);
}

int text_show(const struct view *v, const struct text_opts *o, FILE *out)
{
	struct text_printer p = { .o = o, .out = out };

	if (!o->quiet)
		add_head_lines(&p, v->head.v, v->head.nr);
	vec_foreach(&v->table, t)
		print_table(&p, *t);
	if (!o->quiet)
		add_head_lines(&p, v->foot.v, v->foot.nr);
	flush_text(&p, 0);
	strbuf_release(&p.sb);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
