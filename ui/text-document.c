/* The document that text formats have in common: head, tables with their rows and call graphs, foot. */
#include "text-private.h"

#include <errno.h>
#include <stdlib.h>
#include "../util/base/pool.h"

#define FRAME_WIDTH 49u		/* of titles between two lines */

struct text_printer {
	const struct text_opts *o;
	const struct text_style *style;
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

static void add_head_lines(struct text_printer *p, const char *const *line, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		strbuf_addf(&p->sb, "%s%s\n", *line[i] ? "# " : "#", line[i]);
}

static void add_row(const struct layout *l, size_t row, struct strbuf *sb, struct strbuf *cell)
{
	const struct view_table *t = l->t;

	if (t->before_row && t->before_row[row] && !*l->style->block)
		strbuf_addstr(sb, t->before_row[row]);
	l->style->row(l, row, sb, cell);
	strbuf_addch(sb, '\n');
	if (t->tree && t->tree[row])
		graph_text(t->tree[row], l->o, t->row_total ? t->row_total[row] : t->total_period,
			   t->min_percent, sb);
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

/* a title in the middle between two long lines */
static void add_framed(const char *title, struct strbuf *sb)
{
	size_t len = strlen(title), room = len < FRAME_WIDTH ? FRAME_WIDTH - len : 0;

	strbuf_pad(sb, '=', FRAME_WIDTH);
	strbuf_addch(sb, '\n');
	strbuf_pad(sb, ' ', room / 2);
	strbuf_addf(sb, "%s\n", title);
	strbuf_pad(sb, '=', FRAME_WIDTH);
	strbuf_addch(sb, '\n');
}

static void print_table(struct text_printer *p, const struct view_table *t)
{
	struct layout l = { .o = p->o, .style = p->style, .t = t };

	l.width = xcalloc(t->column.nr + 1, sizeof(*l.width));
	l.cut = xcalloc(t->column.nr + 1, sizeof(*l.cut));
	text_choose_widths(&l);
	if (!p->o->quiet) {
		add_head_lines(p, t->head.v, t->head.nr);
		if (t->title && !*p->style->block && !(t->look && t->look->kind == VIEW_LOOK_DASHED))
			add_framed(t->title, &p->sb);
		if (!t->look)
			strbuf_addstr(&p->sb, "#\n");
		l.style->titles(&l, &p->sb);
	}
	print_rows(p, &l);
	if (!t->look)
		strbuf_addstr(&p->sb, "\n\n");
	else if (p->style->end)
		p->style->end(&l, &p->sb);
	free(l.width);
	free(l.cut);
}

/* text of several lines, each after what lines of blocks begin with */
static void add_block_lines(struct text_printer *p, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, "\n");

		strbuf_addstr(&p->sb, p->style->block);
		strbuf_add(&p->sb, text, len);
		strbuf_addch(&p->sb, '\n');
		text += len + (text[len] == '\n');
	}
}

static void add_summary(struct text_printer *p, const struct view_summary *b)
{
	struct strbuf text = STRBUF_INIT, value = STRBUF_INIT;

	if (b->title && b->framed) {
		add_framed(b->title, &text);
	} else if (b->title) {
		strbuf_addf(&text, "%s\n", b->title);
		strbuf_pad(&text, '=', strlen(b->title));
		strbuf_addch(&text, '\n');
	}
	vec_foreach(&b->words, i) {
		strbuf_addstr(&text, i->before);
		strbuf_reset(&value);
		view_value_text(&i->value, i->decimals, &value);
		strbuf_pad(&text, ' ', i->width > value.len ? i->width - value.len : 0);
		strbuf_addstr(&text, strbuf_str(&value));
		strbuf_addstr(&text, i->after);
	}
	if (!b->framed)
		strbuf_addstr(&p->sb, *p->style->block ? "#\n" : "\n");
	add_block_lines(p, strbuf_str(&text));
	if (b->framed)
		strbuf_addstr(&p->sb, *p->style->block ? "#\n" : "\n");
	strbuf_release(&text);
	strbuf_release(&value);
}

static void add_summaries(struct text_printer *p, const struct view *v)
{
	vec_foreach(&v->summary, b)
		add_summary(p, *b);
}

static bool any_rows(const struct view *v)
{
	vec_foreach(&v->table, t)
		if ((*t)->nr_rows)
			return true;
	return false;
}

int text_document(const struct view *v, const struct text_opts *o, const struct text_style *style, FILE *out)
{
	struct text_printer p = { .o = o, .style = style, .out = out };
	bool skip = o->skip_empty && any_rows(v);

	if (!o->quiet)
		add_head_lines(&p, v->head.v, v->head.nr);
	if (v->summaries_first)
		add_summaries(&p, v);
	vec_foreach(&v->table, t) {
		if (skip && !(*t)->nr_rows)
			continue;
		if (t != v->table.v && (*t)->look)
			strbuf_addch(&p.sb, '\n');
		print_table(&p, *t);
	}
	if (!o->quiet)
		add_head_lines(&p, v->foot.v, v->foot.nr);
	if (!v->summaries_first)
		add_summaries(&p, v);
	flush_text(&p, 0);
	strbuf_release(&p.sb);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
