/* Rows: keys, sorting, cells. */
#include "rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- sort keys ---- */

static bool is_key(const struct view_field *f)
{
	return f->number || f->real;
}

static int no_key(const struct view_field *field, u32 nr_fields, const char *word, size_t len,
		  struct err *err)
{
	struct strbuf names = STRBUF_INIT;

	for (u32 i = 0; i < nr_fields; i++) {
		u32 k = 0;

		/* a key can have a column for each form of the table */
		while (k < i && (!is_key(&field[k]) || strcmp(field[k].column.name, field[i].column.name)))
			k++;
		if (k == i && is_key(&field[i]))
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", field[i].column.name);
	}
	err_set(err, -EINVAL, "'%.*s' is not a sort key: they are %s", (int)len, word, strbuf_str(&names));
	strbuf_release(&names);
	return -EINVAL;
}

int view_sort_parse(struct view_sort *sort, const struct view_field *field, u32 nr_fields, const char *words,
		    struct err *err)
{
	sort->nr = 0;
	while (*words) {
		size_t len = strcspn(words, ",");
		u32 i = 0;

		while (i < nr_fields && (!is_key(&field[i]) || strncmp(field[i].column.name, words, len) ||
					 field[i].column.name[len]))
			i++;
		if (i == nr_fields)
			return no_key(field, nr_fields, words, len, err);
		for (u32 k = 0; k < sort->nr; k++)
			if (sort->key[k] == &field[i])
				return err_set(err, -EINVAL, "the sort key '%s' is given twice",
					       field[i].column.name);
		if (sort->nr == VIEW_MAX_KEYS)
			return err_set(err, -EINVAL, "more than %u sort keys", VIEW_MAX_KEYS);
		sort->key[sort->nr++] = &field[i];
		words += len + (words[len] == ',');
	}
	return 0;
}

static int cmp_rows(const void *a, const void *b, void *arg)
{
	const struct view_sort *sort = arg;
	int order = 0;

	for (u32 i = 0; i < sort->nr && !order; i++) {
		const struct view_field *k = sort->key[i];

		order = k->real ? (k->real(b) > k->real(a)) - (k->real(b) < k->real(a)) :
				  (k->number(b) > k->number(a)) - (k->number(b) < k->number(a));
	}
	return order || !sort->tie ? order : (sort->tie(a) > sort->tie(b)) - (sort->tie(a) < sort->tie(b));
}

void view_sort_rows(const struct view_sort *sort, void *row, size_t nr, size_t size)
{
	if (nr)
		qsort_r(row, nr, size, cmp_rows, (void *)sort);
}

/* ---- tables ---- */

struct rows_ctx {
	const struct view_field **field;	/* by column */
	const char *row;
	bool padded;		/* text for people */
	size_t nr, size; /* as padded text a row after these says that there are more */
};

static void rows_value(const struct view_table *t, size_t row, u32 column, u32 member UNUSED,
		       struct strbuf *scratch UNUSED, struct view_value *ret)
{
	const struct rows_ctx *r = t->ctx;
	const struct view_field *f = r->field[column];
	const void *p = r->row + row * r->size;

	ret->type = f->column.type;
	ret->text = f->absent ? f->absent(p) : NULL;
	if (ret->text)
		ret->type = VIEW_ABSENT;
	else if (f->column.type == VIEW_TEXT)
		ret->text = f->text(p);
	else if (f->real)
		ret->real = f->real(p);
	else
		ret->number = f->number(p);
}

static void rows_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct rows_ctx *r = t->ctx;
	const struct view_field *f = r->field[column];
	const void *p = r->row + row * r->size;
	struct view_value value;

	if (row == r->nr) {
		strbuf_addstr(out, "...");
	} else if (f->absent && f->absent(p)) {
		return;
	} else if (f->first) {
		strbuf_addf(out, "%9lu/%-6lu", f->first(p), f->second(p));
	} else if (f->format && r->padded) {
		f->format(f->number(p), out);
	} else {
		rows_value(t, row, column, 0, NULL, &value);
		view_value_text(&value, f->decimals, out);
	}
}

static bool is_shown(const struct view_field *f, const struct view_rows *rows)
{
	return (!f->forms || f->forms & rows->form) && (!f->tables || f->tables & rows->table);
}

struct view_table *view_add_rows(struct view *v, const struct view_rows *rows)
{
	struct view_table *t = arena_zalloc(&v->arena, sizeof(*t));
	struct rows_ctx *r = arena_zalloc(&v->arena, sizeof(*r));

	*r = (struct rows_ctx){ .row = rows->row, .nr = MIN(rows->limit, (u64)rows->nr), .size = rows->size,
				.padded = rows->form == VIEW_FORM_TEXT,
				.field = arena_zalloc(&v->arena, (rows->nr_fields + 1) * sizeof(*r->field)) };
	for (u32 i = 0; i < rows->nr_fields; i++) {
		const struct view_field *f = &rows->field[i];
		struct view_column c = f->column;

		if (!is_shown(f, rows))
			continue;
		if (!c.width)
			c.width = strlen(c.title);
		for (size_t k = 0; f->text && k < r->nr; k++)
			c.width = MAX(c.width, (u32)strlen(f->text(r->row + k * r->size)));
		r->field[t->column.nr] = f;
		vec_push(&t->column, c);
	}
	t->nr_rows = r->nr + (rows->form == VIEW_FORM_TEXT && !rows->look && r->nr < rows->nr);
	t->cell = rows_cell;
	t->value = rows_value;
	t->ctx = r;
	t->look = rows->look;
	view_fact_number(&t->fact, "entries", rows->nr);
	vec_push(&v->table, t);
	return t;
}
