/* Pages view: the columns of its tables, the legend of GFP flags, and the summary. */
#include "kmem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* the kernel's enum migratetype since Linux 4.4; without CMA, 4 is isolated */
static const char *const type_names[PAGES_NR_TYPES] = {
	"UNMOVABL", "MOVABLE", "RECLAIM", "HIGHATOM", "CMA/ISLT", "ISOLATED"
};

#define GET(type, name, value) \
	static type name(const void *row) { const struct page_entry *e = row; return value; }
GET(u64, row_pfn, e->pfn)
GET(u64, row_kb, e->bytes >> 10)
GET(u64, row_bytes, e->bytes)
GET(u64, row_hit, e->nr)
GET(u64, row_order, e->order)
GET(u64, row_type, e->type)
GET(const char *, row_type_name, type_names[e->type])
GET(u64, row_gfp, e->gfp)
GET(const char *, row_flags, e->flags)
GET(u64, row_site, e->site)
GET(const char *, row_name, e->name)

#define ALL (KMEM_TABLE_BOTH(KMEM_BY_SITE) | KMEM_TABLE_BOTH(KMEM_BY_ADDRESS))
#define PFN .tables = KMEM_TABLE_BOTH(KMEM_BY_ADDRESS)
#define LIKE .tables = ALL
#define STACK .tables = KMEM_TABLE_BOTH(KMEM_BY_STACK)
#define TOTALS (KMEM_TABLE(KMEM_BY_SITE, false) | KMEM_TABLE(KMEM_BY_ADDRESS, false) | \
		KMEM_TABLE(KMEM_BY_STACK, false))
#define LIVE (TOTALS << KMEM_NR_BY)
static const struct view_field columns[] = {
	{ VIEW_COUNT("page", "PFN", VIEW_NUMBER, 16), PFN, .number = row_pfn },
	{ VIEW_COUNT("bytes", "Total alloc (KB)", VIEW_NUMBER, 16), .forms = VIEW_FORM_TEXT,
	  .tables = TOTALS, .number = row_kb },
	{ VIEW_COUNT("bytes", "Live alloc (KB)", VIEW_NUMBER, 16), .forms = VIEW_FORM_TEXT,
	  .tables = LIVE, .number = row_kb },
	{ VIEW_HALF("bytes", "Total alloc", VIEW_NUMBER, "bytes"), .tables = TOTALS, .number = row_bytes },
	{ VIEW_HALF("bytes", "Live alloc", VIEW_NUMBER, "bytes"), .tables = LIVE, .number = row_bytes },
	{ VIEW_COUNT("hit", "Hits", VIEW_NUMBER, 9), .number = row_hit },
	{ VIEW_COUNT("order", "Order", VIEW_NUMBER, 5), LIKE, .number = row_order },
	{ VIEW_COUNT("migtype", "Mig.type", VIEW_TEXT, 8), LIKE, .number = row_type, .text = row_type_name },
	{ VIEW_NAME("gfp", "GFP flags", VIEW_TEXT, 9), LIKE, .number = row_gfp, .text = row_flags },
	{ VIEW_NAME("callsite", "Callsite", VIEW_TEXT, 34), LIKE, .number = row_site, .text = row_name },
	{ VIEW_NAME("stack", "Allocated in", VIEW_TEXT, 0), STACK, .column.no_pad = true, .text = row_name },
};

/* equal rows: by page, call site, order, migrate type, flags */
static u64 row_tie(const void *row)
{
	const struct page_entry *e = row;

	return e->pfn ? e->pfn << 24 ^ e->gfp :
	       e->stack ? e->stack : (u64)e->order << 40 | e->type << 24 | e->gfp;
}

int pages_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_tie;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

/* ---- flags ---- */

#undef GET
#define GET(type, name, value) \
	static type name(const void *row) { const struct kmem_gfp *g = row; return value; }
GET(u64, gfp_flags, g->flags)
GET(const char *, gfp_names, g->names)
GET(const char *, gfp_brief, g->brief)
static const struct view_field gfp_columns[] = {
	{ VIEW_COUNT("flags", "Flags", VIEW_ADDRESS, 0), .number = gfp_flags },
	{ VIEW_NAME("gfp", "GFP flags", VIEW_TEXT, 0), .text = gfp_brief },
	{ VIEW_NAME("names", "Names", VIEW_TEXT, 0), .text = gfp_names },
};

static int cmp_gfp(const void *a, const void *b)
{
	const struct kmem_gfp *x = a, *y = b;

	return (x->flags > y->flags) - (x->flags < y->flags);
}

/* sorts the flags, and their ids in rows with them, so that rows can be sorted by them */
static void sort_gfps(struct kmem_pages *p)
{
	struct kmem_gfps *g = &p->gfps;
	u32 *place = xcalloc(g->nr + 1, sizeof(*place));
	struct kmem_gfp *old = xcalloc(g->nr + 1, sizeof(*old));

	if (g->nr) {
		memcpy(old, g->v, g->nr * sizeof(*old));
		qsort(g->v, g->nr, sizeof(*g->v), cmp_gfp);
	}
	for (u32 i = 0; i < g->nr; i++) {
		const struct kmem_gfp *at = bsearch(&old[i], g->v, g->nr, sizeof(*at), cmp_gfp);

		place[i] = at - g->v;
	}
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		vec_foreach(&p->table[by], e)
			if (g->nr) {
				e->gfp = by == KMEM_BY_STACK ? 0 : place[e->gfp];
				e->flags = g->v[e->gfp].brief;
			}
	free(place);
	free(old);
}

/* what the short names mean: lines above the first table, of values a table */
static void add_legend(struct view *v, const struct kmem_gfps *g, u32 form)
{
	struct view_rows rows = { .field = gfp_columns, .nr_fields = ARRAY_SIZE(gfp_columns), .form = form,
				  .row = g->v, .nr = g->nr, .size = sizeof(*g->v), .limit = UINT64_MAX };
	struct strbuf line = STRBUF_INIT;
	size_t width = 0;

	if (form == VIEW_FORM_VALUES) {
		view_add_rows(v, &rows)->name = "gfp-flags";
		return;
	}
	vec_push(&v->head, "");
	vec_push(&v->head, "GFP flags");
	vec_push(&v->head, "---------");
	vec_foreach(g, i)
		width = MAX(width, strlen(i->brief));
	vec_foreach(g, i) {
		strbuf_reset(&line);
		strbuf_addf(&line, "%08lx: %*s: %s", i->flags, (int)width, i->brief, i->names);
		vec_push(&v->head, arena_strdup(&v->arena, strbuf_str(&line)));
	}
	strbuf_release(&line);
}

/* ---- tables ---- */

static void add_table(struct kmem *k, struct view *v, struct resolver *r, enum kmem_by by, u32 form)
{
	static const char *const names[KMEM_NR_BY] = { "page-callsite", "page", "page-callchain" };
	struct page_table *t = &k->pages.table[by];
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .table = KMEM_TABLE(by, k->o->live), .row = t->v, .nr = t->nr,
				  .size = sizeof(*t->v), .limit = k->o->table[by].lines };
	struct view_sort sort = k->o->table[by].sort[KMEM_PAGE];
	struct strbuf name = STRBUF_INIT;

	if (!sort.nr)
		pages_sort_parse(&sort, "bytes,hit", &(struct err)ERR_INIT);
	view_sort_rows(&sort, t->v, t->nr, sizeof(*t->v));
	for (size_t i = 0; i < MIN(rows.limit, (u64)t->nr); i++) {
		strbuf_reset(&name);
		if (by == KMEM_BY_STACK)
			tracing_stack_text(&k->stacks, t->v[i].stack, &name);
		else if (t->v[i].site)
			tracing_add_kernel_name(r, t->v[i].site, k->o->raw_ip, &v->arena, &name);
		else
			strbuf_addstr(&name, "[unknown]");	/* there was no call chain */
		t->v[i].name = arena_strdup(&v->arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	view_add_rows(v, &rows)->name = names[by];
}

/* a row of the table by order and migrate type */
struct order_row {
	u32 order;
	const u64 *nr;		/* by type */
};

static u64 order_order(const void *row)
{
	return ((const struct order_row *)row)->order;
}
#define TYPE(i) \
	static u64 order_type##i(const void *row) { return ((const struct order_row *)row)->nr[i]; }
TYPE(0)
TYPE(1)
TYPE(2)
TYPE(3)
static u64 order_others(const void *row)
{
	const struct order_row *o = row;

	return o->nr[4] + o->nr[5];
}

static void format_dot(u64 nr, struct strbuf *out)
{
	if (nr)
		strbuf_addf(out, "%lu", nr);
	else
		strbuf_addch(out, '.');
}

static void add_orders(struct kmem_pages *p, struct view *v, u32 form)
{
#define BY_TYPE(key, title, fn) \
	{ VIEW_COUNT(key, title, VIEW_NUMBER, 12), .number = fn, .format = format_dot }
	static const struct view_field fields[] = {
		{ VIEW_COUNT("order", "Order", VIEW_NUMBER, 5), .number = order_order },
		BY_TYPE("unmovable", "Unmovable", order_type0), BY_TYPE("movable", "Movable", order_type1),
		BY_TYPE("reclaimable", "Reclaimable", order_type2),
		BY_TYPE("highatomic", "HighAtomic", order_type3),
		BY_TYPE("isolated", "CMA/Isolated", order_others),
	};
	struct order_row *row = arena_zalloc(&v->arena, (PAGES_MAX_ORDER + 1) * sizeof(*row));
	struct view_rows rows = { .field = fields, .nr_fields = ARRAY_SIZE(fields), .form = form, .row = row,
				  .size = sizeof(*row), .nr = 11, .limit = UINT64_MAX };

	for (u32 i = 0; i <= PAGES_MAX_ORDER; i++) {
		row[i] = (struct order_row){ .order = i, .nr = p->orders[i] };
		for (u32 t = 0; t < PAGES_NR_TYPES; t++)
			if (row[i].nr[t])
				rows.nr = MAX(rows.nr, (size_t)i + 1);
	}
	view_add_rows(v, &rows)->name = "orders";
}

void pages_add_tables(struct kmem *k, struct view *v, struct resolver *r, u32 form)
{
	bool any = false;

	if (k->o->live)
		pages_take_live(&k->pages, k->o);
	sort_gfps(&k->pages);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		any |= by != KMEM_BY_STACK && k->o->table[by].shown;
	if (any)
		add_legend(v, &k->pages.gfps, form);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (k->o->table[by].shown)
			add_table(k, v, r, by, form);
	add_orders(&k->pages, v, form);
}

/* ---- summary ---- */

/* a number that text shows right-aligned after these words */
static void add_padded(struct view *v, struct view_summary *b, const char *key, const char *words, u64 number,
		       const char *after)
{
	struct strbuf before = STRBUF_INIT;
	char digits[24];

	strbuf_addstr(&before, words);
	strbuf_pad(&before, ' ', 16 - MIN(16, snprintf(digits, sizeof(digits), "%lu", number)));
	view_add_number(b, key, arena_strdup(&v->arena, strbuf_str(&before)), number)->after = after;
	strbuf_release(&before);
}

/* "Total free requests   :    12   [    48 KB ]" */
static void add_sum(struct view *v, struct view_summary *b, const char *const keys[2], const char *words,
		    const struct pages_sum *sum, u32 form)
{
	add_padded(v, b, keys[0], words, sum->nr, "   [ ");
	add_padded(v, b, keys[1], "", form == VIEW_FORM_VALUES ? sum->bytes : sum->bytes >> 10, " KB ]\n");
}

void pages_add_summary(const struct kmem *k, struct view *v, const struct session *s, u32 form)
{
	struct view_summary *b = view_add_summary(v, "page-summary", "SUMMARY (page allocator)");
	const struct kmem_pages *p = &k->pages;
	struct view_words *i;
	struct pages_sum alloc_only = { .nr = p->allocs.nr - p->failed.nr - p->freed.nr,
					.bytes = p->allocs.bytes - p->failed.bytes - p->freed.bytes };

	const struct {
		const char *keys[2], *words;
		const struct pages_sum *sum;
	} sums[] = {
		{ { "allocations", "allocated-bytes" }, "Total allocation requests     : ", &p->allocs },
		{ { "frees", "freed-bytes" },		"Total free requests           : ", &p->frees },
		{ { "freed-allocations", "freed-allocations-bytes" },
							"Total alloc+freed requests    : ", &p->freed },
		{ { "alloc-only", "alloc-only-bytes" },	"Total alloc-only requests     : ", &alloc_only },
		{ { "free-only", "free-only-bytes" },	"Total free-only requests      : ", &p->free_only },
		{ { "failures", "failed-bytes" },	"Total allocation failures     : ", &p->failed },
	};

	for (u32 n = 0; n < ARRAY_SIZE(sums); n++)
		add_sum(v, b, sums[n].keys, sums[n].words, sums[n].sum, form);
	if (p->nr_replaced)
		view_add_number(b, "replaced", "Allocated again without being freed: ", p->nr_replaced);
	if (p->nr_damaged)
		view_add_number(b, "damaged", "Events with an impossible order: ", p->nr_damaged);
	if (tracing_nr_lost(s) && !k->o->mode[KMEM_SLAB]) {
		i = view_add_number(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s));
		i->after = " (the numbers above are too small)\n";
	}
}
