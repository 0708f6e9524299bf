/* Rows: keys, sorting, cells. */
#include "rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../base/list-word.h"
#include "../base/sort.h"

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
		size_t len = list_word_len(words);
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

/* puts each row to its place, along the cycles of the permutation; val: the row that comes there */
static void permute(char *v, struct sort_pair *order, size_t nr, size_t size)
{
	char *tmp = xmalloc(size);

	for (size_t i = 0; i < nr; i++) {
		size_t to = i, from = order[i].val;

		if (from == i)
			continue;
		memcpy(tmp, v + i * size, size);
		while (from != i) {
			memcpy(v + to * size, v + from * size, size);
			order[to].val = to;
			to = from;
			from = order[to].val;
		}
		memcpy(v + to * size, tmp, size);
		order[to].val = to;
	}
	free(tmp);
}

/* rows of equal rank keep their order */
static void sort_by(struct sort_pair *order, struct sort_pair *tmp, const u64 *rank, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		order[i].key = rank[order[i].val];
	sort_pairs(order, tmp, nr);
}

void view_sort_rows(const struct view_sort *sort, void *row, size_t nr, size_t size)
{
	struct sort_pair *order = xreallocarray(NULL, 2 * nr + 1, sizeof(*order));
	u64 *rank = xreallocarray(NULL, nr + 1, sizeof(*rank));
	const char *v = row;

	for (size_t i = 0; i < nr; i++)
		order[i] = (struct sort_pair){ .val = i };
	for (size_t i = 0; i < nr && sort->tie; i++)
		rank[i] = sort->tie(v + i * size);
	if (sort->tie)
		sort_by(order, order + nr, rank, nr);
	for (u32 k = sort->nr; k-- > 0;) {
		for (size_t i = 0; i < nr; i++)
			rank[i] = ~rank_of(sort->key[k], v + i * size);
		sort_by(order, order + nr, rank, nr);
	}
	permute(row, order, nr, size);
	free(order);
	free(rank);
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
