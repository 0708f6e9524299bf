/* Kmem view: entries to tables of cells, and the summary. */
#include "kmem.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "../fields/trace-keys.h"

#define NAME_WIDTH 34u

static double percent_lost(u64 bytes_req, u64 bytes_alloc)
{
	return bytes_alloc ? 100.0 - 100.0 * bytes_req / bytes_alloc : 0;
}

static double key_frag(const struct kmem_entry *e) { return percent_lost(e->bytes_req, e->bytes_alloc); }

/* a key is a number of an entry: at off, or computed */
static const struct kmem_key {
	const char *name;
	size_t off;
	double (*share)(const struct kmem_entry *e);
} keys[KMEM_MAX_KEYS] = {
	{ "frag", 0, key_frag },
	{ "hit", offsetof(struct kmem_entry, nr), NULL },
	{ "bytes", offsetof(struct kmem_entry, bytes_alloc), NULL },
	{ "ptr", offsetof(struct kmem_entry, ptr), NULL },
	{ "callsite", offsetof(struct kmem_entry, site), NULL },
	{ "pingpong", offsetof(struct kmem_entry, nr_pingpong), NULL },
};

int kmem_sort_parse(struct kmem_sort *sort, const char *words, struct err *err)
{
	sort->nr = 0;
	while (*words) {
		size_t len = strcspn(words, ","), i = 0;

		while (i < KMEM_MAX_KEYS && (strncmp(keys[i].name, words, len) || keys[i].name[len]))
			i++;
		if (i == KMEM_MAX_KEYS)
			return err_set(err, -EINVAL, "'%.*s' is not a sort key: they are " KMEM_KEYS, (int)len, words);
		for (u32 k = 0; k < sort->nr; k++)
			if (sort->key[k] == &keys[i])
				return err_set(err, -EINVAL, "the sort key '%s' is given twice", keys[i].name);
		sort->key[sort->nr++] = &keys[i];
		words += len + (words[len] == ',');
	}
	return 0;
}

static int cmp_entries(const void *pa, const void *pb, void *arg)
{
	const struct kmem_sort *sort = arg;
	const struct kmem_entry *a = pa, *b = pb;

	for (u32 i = 0; i < sort->nr; i++) {
		const struct kmem_key *k = sort->key[i];
		const u64 *na = (const void *)((const char *)a + k->off), *nb = (const void *)((const char *)b + k->off);
		int order = k->share ? (k->share(b) > k->share(a)) - (k->share(b) < k->share(a)) : (*nb > *na) - (*nb < *na);

		if (order)
			return order;
	}
	return (a->key > b->key) - (a->key < b->key);
}

struct kmem_columns {
	const struct kmem_entry *entry;
	const char **name;
	size_t nr;		/* a row after these says that there are more */
	bool values;
};

enum { COL_ALLOC, COL_ALLOC_PER, COL_REQ, COL_REQ_PER, COL_HIT, COL_PINGPONG, COL_FRAG };
static const struct { const char *name, *title; u32 width; bool values_only; } columns[] = {
	[COL_ALLOC] = { "total_alloc", "Total_alloc/Per", 16, false },
	[COL_ALLOC_PER] = { "alloc_per", "Alloc/Per", 0, true },
	[COL_REQ] = { "total_req", "Total_req/Per", 16, false },
	[COL_REQ_PER] = { "req_per", "Req/Per", 0, true },
	[COL_HIT] = { "hit", "Hit", 8, false },
	[COL_PINGPONG] = { "pingpong", "Ping-pong", 9, false },
	[COL_FRAG] = { "frag", "Frag", 8, false },
};

static void number_cell(const struct kmem_columns *c, const struct kmem_entry *e, u32 column, struct strbuf *out)
{
	const u64 total = column <= COL_ALLOC_PER ? e->bytes_alloc : e->bytes_req;

	switch (column) {
	case COL_ALLOC: case COL_REQ:
		strbuf_addf(out, c->values ? "%lu" : "%9lu/%-6lu", total, total / e->nr);
		break;
	case COL_ALLOC_PER: case COL_REQ_PER:
		strbuf_add_u64(out, total / e->nr, 0);
		break;
	case COL_HIT:
		strbuf_add_u64(out, e->nr, 0);
		break;
	case COL_PINGPONG:
		strbuf_add_u64(out, e->nr_pingpong, 0);
		break;
	case COL_FRAG:
		strbuf_addf(out, "%.3f%%", key_frag(e));
		break;
	}
}

static void kmem_cell(const struct view_table *t, size_t row, u32 column, struct strbuf *out)
{
	const struct kmem_columns *c = t->ctx;

	if (row == c->nr) {
		strbuf_addstr(out, "...");
		return;
	}
	if (!column) {
		strbuf_addstr(out, c->name[row]);
		return;
	}
	for (u32 i = 0; i < ARRAY_SIZE(columns); i++)
		if ((c->values || !columns[i].values_only) && !--column)
			number_cell(c, &c->entry[row], i, out);
}

static void add_table(struct view *v, const struct session *s, const struct kmem_table *kt, enum kmem_by by, u64 lines,
		      bool raw_ip, bool values)
{
	struct view_table *t = arena_zalloc(&v->arena, sizeof(*t));
	struct kmem_columns *c = arena_zalloc(&v->arena, sizeof(*c));
	struct strbuf sb = STRBUF_INIT;
	u32 width = NAME_WIDTH;

	c->nr = MIN(lines, (u64)kt->nr);
	c->values = values;
	c->entry = kt->v;
	c->name = arena_zalloc(&v->arena, (c->nr + 1) * sizeof(*c->name));
	for (size_t i = 0; i < c->nr; i++) {
		strbuf_reset(&sb);
		tracing_add_kernel_name(s, kt->v[i].key, raw_ip || by == KMEM_BY_ADDRESS, &v->arena, &sb);
		c->name[i] = arena_strdup(&v->arena, strbuf_str(&sb));
		width = MAX(width, (u32)sb.len);
	}
	strbuf_release(&sb);
	vec_push(&t->column, (struct view_column){ .name = by == KMEM_BY_SITE ? "callsite" : "ptr", .width = width,
						   .title = by == KMEM_BY_SITE ? "Callsite" : "Alloc Ptr" });
	for (u32 i = 0; i < ARRAY_SIZE(columns); i++)
		if (values || !columns[i].values_only)
			vec_push(&t->column, (struct view_column){ .name = columns[i].name, .title = columns[i].title,
								   .width = columns[i].width, .right = true });
	if (values)
		t->column.v[1 + COL_ALLOC].title = "Total_alloc", t->column.v[1 + COL_REQ].title = "Total_req";
	t->nr_rows = c->nr + (!values && c->nr < kt->nr);
	t->cell = kmem_cell;
	t->ctx = c;
	vec_push(&v->table, t);
}

struct view *kmem_view(struct kmem *k, struct session *s, const struct kmem_table_opts *o, bool raw_ip, bool values)
{
	struct view *v = xcalloc(1, sizeof(*v));

	if (o[KMEM_BY_SITE].shown && !raw_ip)
		trace_keys_load_kernel(s);
	for (u32 by = 0; by < KMEM_NR_BY; by++) {
		struct kmem_sort sort = o[by].sort;

		if (!o[by].shown)
			continue;
		if (!sort.nr)
			sort = (struct kmem_sort){ .key = { &keys[0], &keys[1], &keys[2] }, .nr = 3 };
		if (k->table[by].nr)
			qsort_r(k->table[by].v, k->table[by].nr, sizeof(*k->table[by].v), cmp_entries, &sort);
		add_table(v, s, &k->table[by], by, o[by].lines, raw_ip, values);
	}
	return v;
}

void kmem_summary(const struct kmem *k, const struct session *s, const char *p, struct strbuf *out)
{
	strbuf_addf(out, "%s\n%sSUMMARY (SLAB allocator)\n%s========================\n", *p ? "#" : "", p, p);
	strbuf_addf(out, "%sTotal bytes requested: %lu\n", p, k->bytes_req);
	strbuf_addf(out, "%sTotal bytes allocated: %lu\n", p, k->bytes_alloc);
	strbuf_addf(out, "%sTotal bytes freed:     %lu\n", p, k->bytes_freed);
	if (k->bytes_alloc > k->bytes_freed)
		strbuf_addf(out, "%sNet total bytes allocated: %lu\n", p, k->bytes_alloc - k->bytes_freed);
	strbuf_addf(out, "%sTotal bytes wasted on internal fragmentation: %ld\n", p, (s64)(k->bytes_alloc - k->bytes_req));
	strbuf_addf(out, "%sInternal fragmentation: %f%%\n", p, percent_lost(k->bytes_req, k->bytes_alloc));
	strbuf_addf(out, "%sCross CPU allocations: %lu/%lu\n", p, k->nr_cross, k->nr_allocs);
	if (tracing_nr_lost(s))
		strbuf_addf(out, "%sEvents lost while recording: %lu (the numbers above are too small)\n", p, tracing_nr_lost(s));
}
