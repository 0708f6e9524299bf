/* The document that text formats have in common: head, tables with their rows and call graphs, foot. */
#include "text-private.h"

#include <errno.h>
#include <stdlib.h>
#include "../util/base/pool.h"

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
	l->style->row(l, row, sb, cell);
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
	struct layout l = { .o = p->o, .style = p->style, .t = t };

	l.width = xcalloc(t->column.nr + 1, sizeof(*l.width));
	l.cut = xcalloc(t->column.nr + 1, sizeof(*l.cut));
	text_choose_widths(&l);
	if (!p->o->quiet) {
		add_head_lines(p, t->head.v, t->head.nr);
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
	struct strbuf text = STRBUF_INIT;

	if (b->title) {
		strbuf_addf(&text, "%s\n", b->title);
		strbuf_pad(&text, '=', strlen(b->title));
		strbuf_addch(&text, '\n');
	}
	vec_foreach(&b->words, i) {
		strbuf_addstr(&text, i->before);
		view_value_text(&i->value, i->decimals, &text);
		strbuf_addstr(&text, i->after);
	}
	strbuf_addstr(&p->sb, *p->style->block ? "#\n" : "\n");
	add_block_lines(p, strbuf_str(&text));
	strbuf_release(&text);
}

int text_document(const struct view *v, const struct text_opts *o, const struct text_style *style, FILE *out)
{
	struct text_printer p = { .o = o, .style = style, .out = out };

	if (!o->quiet)
		add_head_lines(&p, v->head.v, v->head.nr);
	vec_foreach(&v->table, t) {
		if (t != v->table.v && (*t)->look)
			strbuf_addch(&p.sb, '\n');
		print_table(&p, *t);
	}
	if (!o->quiet)
		add_head_lines(&p, v->foot.v, v->foot.nr);
	vec_foreach(&v->summary, b)
		add_summary(&p, *b);
	flush_text(&p, 0);
	strbuf_release(&p.sb);
	if (fflush(out) || ferror(out))
		return errno ? -errno : -EIO;
	return 0;
}
