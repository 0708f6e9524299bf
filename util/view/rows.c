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

/* larger numbers for larger keys, of both kinds */
static u64 rank_of(const struct view_field *k, const void *row)
{
	double real;
	u64 bits;

	if (!k->real)
		return k->number(row);
	real = k->real(row) + 0.0;	/* no -0.0 */
	memcpy(&bits, &real, sizeof(bits));
	return bits >> 63 ? ~bits : bits | 1ull << 63;
}

/* a row in a smaller form: its ranks are computed once, not at each comparison */
struct ranked {
	u64 first;
	size_t row;
};

struct ranks {
	u32 nr;			/* of a row: those of all keys but the first one, and of the tie */
	u64 *v;
};

static int cmp_ranked(const void *a, const void *b, void *arg)
{
	const struct ranked *x = a, *y = b;
	const struct ranks *ranks = arg;
	const u64 *p = ranks->v + x->row * ranks->nr, *q = ranks->v + y->row * ranks->nr;

	if (x->first != y->first)
		return x->first < y->first ? -1 : 1;
	for (u32 i = 0; i < ranks->nr; i++)
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

/* puts each row to its place, along the cycles of the permutation */
static void permute(char *v, struct ranked *order, size_t nr, size_t size)
{
	char *tmp = xmalloc(size);

	for (size_t i = 0; i < nr; i++) {
		size_t to = i, from = order[i].row;

		if (from == i)
			continue;
		memcpy(tmp, v + i * size, size);
		while (from != i) {
			memcpy(v + to * size, v + from * size, size);
			order[to].row = to;
			to = from;
			from = order[to].row;
		}
		memcpy(v + to * size, tmp, size);
		order[to].row = to;
	}
	free(tmp);
}

void view_sort_rows(const struct view_sort *sort, void *row, size_t nr, size_t size)
{
	struct ranks ranks = { .nr = (sort->nr ? sort->nr - 1 : 0) + !!sort->tie };
	struct ranked *order = xcalloc(MAX(nr, (size_t)1), sizeof(*order));

	ranks.v = xcalloc(MAX(nr * ranks.nr, (size_t)1), sizeof(*ranks.v));
	for (size_t i = 0; i < nr; i++) {
		const void *r = (const char *)row + i * size;
		u64 *rank = ranks.v + i * ranks.nr;

		order[i] = (struct ranked){ sort->nr ? ~rank_of(sort->key[0], r) : 0, i };
		for (u32 k = 1; k < sort->nr; k++)
			*rank++ = ~rank_of(sort->key[k], r);
		if (sort->tie)
			*rank = sort->tie(r);
	}
	qsort_r(order, nr, sizeof(*order), cmp_ranked, &ranks);
	permute(row, order, nr, size);
	free(ranks.v);
	free(order);
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

/* the second number is followed by blanks to 6 characters */
static void add_pair(struct strbuf *out, u64 first, u64 second)
{
	size_t start;

	strbuf_add_u64(out, first, 9);
	strbuf_addch(out, '/');
	start = out->len;
	strbuf_add_u64(out, second, 0);
	if (out->len - start < 6)
		strbuf_pad(out, ' ', 6 - (out->len - start));
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
		add_pair(out, f->first(p), f->second(p));
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
