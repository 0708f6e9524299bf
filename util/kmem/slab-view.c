/* Slab view: the columns of its tables, and the summary. */
#include "kmem.h"

#include "../resolve/kernel-names.h"

static double percent_lost(u64 bytes_req, u64 bytes_alloc)
{
	return bytes_alloc ? 100.0 - 100.0 * bytes_req / bytes_alloc : 0;
}

#define GET(type, name, value) \
	static type name(const void *row) { const struct slab_entry *e = row; return value; }
GET(const char *, row_name, e->name)
GET(u64, row_key, e->key)
GET(u64, row_site, e->site)
GET(u64, row_ptr, e->ptr)
GET(u64, row_bytes, e->bytes_alloc)
GET(u64, row_bytes_per, e->bytes_alloc / e->nr)
GET(u64, row_req, e->bytes_req)
GET(u64, row_req_per, e->bytes_req / e->nr)
GET(u64, row_hit, e->nr)
GET(u64, row_pingpong, e->nr_pingpong)
GET(double, row_frag, percent_lost(e->bytes_req, e->bytes_alloc))

#define SITE .tables = KMEM_TABLE_BOTH(KMEM_BY_SITE)
#define PTR .tables = KMEM_TABLE_BOTH(KMEM_BY_ADDRESS)
#define STACK .tables = KMEM_TABLE_BOTH(KMEM_BY_STACK)
static const struct view_field columns[] = {
	{ VIEW_NAME("callsite", "Callsite", VIEW_TEXT, 34), SITE, .number = row_site, .text = row_name },
	{ VIEW_NAME("ptr", "Alloc Ptr", VIEW_ADDRESS, 34), PTR, .number = row_ptr },
	{ VIEW_NAME("callsite", "Last site", VIEW_TEXT, 0), PTR, .forms = VIEW_FORM_VALUES,
	  .text = row_name },
	{ VIEW_PAIR("bytes", "Total_alloc/Per", 16), .first = row_bytes, .second = row_bytes_per },
	{ VIEW_HALF("bytes", "Total_alloc", VIEW_NUMBER, "bytes"), .number = row_bytes },
	{ VIEW_HALF("bytes_per", "Alloc/Per", VIEW_NUMBER, "bytes"), .number = row_bytes_per },
	{ VIEW_PAIR("requested", "Total_req/Per", 16), .first = row_req, .second = row_req_per },
	{ VIEW_HALF("requested", "Total_req", VIEW_NUMBER, "bytes"), .number = row_req },
	{ VIEW_HALF("requested_per", "Req/Per", VIEW_NUMBER, "bytes"), .number = row_req_per },
	{ VIEW_COUNT("hit", "Hit", VIEW_NUMBER, 8), .number = row_hit },
	{ VIEW_COUNT("pingpong", "Ping-pong", VIEW_NUMBER, 9), .number = row_pingpong },
	{ VIEW_COUNT("frag", "Frag", VIEW_SHARE, 8), .decimals = 3, .real = row_frag },
	{ VIEW_NAME("stack", "Allocated in", VIEW_TEXT, 0), STACK, .column.no_pad = true, .text = row_name },
};

int slab_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_key;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

static const char *const table_names[KMEM_NR_BY] = { "callsite", "ptr", "callchain" };

/* moves rows without live allocations to the end; the number of those that stay */
static size_t drop_empty(struct slab_table *t)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++) {
		struct slab_entry e = t->v[i];

		if (!e.nr)
			continue;
		t->v[i] = t->v[nr];
		t->v[nr++] = e;
	}
	return nr;
}

static void add_table(struct kmem *k, struct view *v, struct resolver *r, enum kmem_by by, u32 form)
{
	struct slab_table *st = &k->slab.table[by];
	size_t nr = drop_empty(st);
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .table = KMEM_TABLE(by, k->o->live), .row = st->v, .nr = nr,
				  .size = sizeof(*st->v), .limit = k->o->table[by].lines };
	bool names = by != KMEM_BY_ADDRESS || form == VIEW_FORM_VALUES;
	struct view_sort sort = k->o->table[by].sort[KMEM_SLAB];
	struct strbuf name = STRBUF_INIT;
	struct view_table *table;

	if (!sort.nr)
		slab_sort_parse(&sort, by == KMEM_BY_STACK ? "bytes,hit" : "frag,hit,bytes",
				&(struct err)ERR_INIT);
	view_sort_rows(&sort, st->v, nr, sizeof(*st->v));
	for (size_t i = 0; names && i < MIN(rows.limit, (u64)nr); i++) {
		strbuf_reset(&name);
		if (by == KMEM_BY_STACK)
			tracing_stack_text(&k->stacks, st->v[i].key, &name);
		else
			tracing_add_kernel_name(r, st->v[i].site, k->o->raw_ip, &v->arena, &name);
		st->v[i].name = arena_strdup(&v->arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	table = view_add_rows(v, &rows);
	table->name = table_names[by];
	if (k->o->live)
		vec_push(&table->head, "not freed at the end");
}

void slab_add_tables(struct kmem *k, struct view *v, struct resolver *r, u32 form)
{
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (k->o->table[by].shown)
			add_table(k, v, r, by, form);
}

void slab_add_summary(const struct kmem *kmem, struct view *v, const struct session *s)
{
	struct view_summary *b = view_add_summary(v, "summary", "SUMMARY (SLAB allocator)");
	const struct kmem_slab *k = &kmem->slab;
	struct view_words *i;

	view_add_number(b, "bytes-requested", "Total bytes requested: ", k->bytes_req);
	view_add_number(b, "bytes-allocated", "Total bytes allocated: ", k->bytes_alloc);
	view_add_number(b, "bytes-freed", "Total bytes freed:     ", k->bytes_freed);
	if (k->bytes_alloc > k->bytes_freed)
		view_add_number(b, "bytes-net", "Net total bytes allocated: ",
				k->bytes_alloc - k->bytes_freed);
	i = view_add_number(b, "bytes-wasted", "Total bytes wasted on internal fragmentation: ", 0);
	i->value = (struct view_value){ .type = VIEW_SIGNED, .number = k->bytes_alloc - k->bytes_req };
	i = view_add_number(b, "fragmentation", "Internal fragmentation: ", 0);
	i->value.type = VIEW_SHARE;
	i->value.real = percent_lost(k->bytes_req, k->bytes_alloc);
	i->decimals = 6;
	view_add_number(b, "cross-cpu", "Cross CPU allocations: ", k->nr_cross)->after = "/";
	view_add_number(b, "allocations", "", k->nr_allocs);
	if (kmem->o->live) {
		view_add_number(b, "live-bytes", "Bytes not freed at the end: ", k->bytes_live);
		view_add_number(b, "live-allocations", "Allocations not freed at the end: ", k->nr_live);
	}
	if (!tracing_nr_lost(s))
		return;
	i = view_add_number(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s));
	i->after = " (the numbers above are too small)\n";
}
