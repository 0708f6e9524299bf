/* Kmem view: the columns of its tables, and the summary. */
#include "kmem.h"

#include "../fields/file-facts.h"
#include "../resolve/kernel-names.h"

static double percent_lost(u64 bytes_req, u64 bytes_alloc)
{
	return bytes_alloc ? 100.0 - 100.0 * bytes_req / bytes_alloc : 0;
}

#define GET(type, name, value) \
	static type name(const void *row) { const struct kmem_entry *e = row; return value; }
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

#define SITE .tables = 1u << KMEM_BY_SITE
#define PTR .tables = 1u << KMEM_BY_ADDRESS
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
};

int kmem_sort_parse(struct view_sort *sort, const char *keys, struct err *err)
{
	sort->tie = row_key;
	return view_sort_parse(sort, columns, ARRAY_SIZE(columns), keys, err);
}

static void add_table(struct view *v, struct resolver *r, struct kmem_table *kt,
		      const struct kmem_view_opts *o, enum kmem_by by, u32 form)
{
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form,
				  .table = 1u << by, .row = kt->v, .nr = kt->nr, .size = sizeof(*kt->v),
				  .limit = o->table[by].lines };
	bool names = by == KMEM_BY_SITE || form == VIEW_FORM_VALUES;
	struct view_sort sort = o->table[by].sort;
	struct strbuf name = STRBUF_INIT;

	if (!sort.nr)
		kmem_sort_parse(&sort, "frag,hit,bytes", &(struct err)ERR_INIT);
	view_sort_rows(&sort, kt->v, kt->nr, sizeof(*kt->v));
	for (size_t i = 0; names && i < MIN(rows.limit, (u64)kt->nr); i++) {
		strbuf_reset(&name);
		tracing_add_kernel_name(r, kt->v[i].site, o->raw_ip, &v->arena, &name);
		kt->v[i].name = arena_strdup(&v->arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	view_add_rows(v, &rows)->name = by == KMEM_BY_SITE ? "callsite" : "ptr";
}

static void add_summary(struct view *v, const struct kmem *k, const struct session *s)
{
	struct view_summary *b = view_add_summary(v, "summary", "SUMMARY (SLAB allocator)");
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
	if (!tracing_nr_lost(s))
		return;
	i = view_add_number(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s));
	i->after = " (the numbers above are too small)\n";
}

struct view *kmem_view(struct kmem *k, struct session *s, const struct kmem_view_opts *o, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));
	struct resolver r;

	resolver_init(&r, s, &v->arena);
	v->name = "kmem";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s);
	if (!o->raw_ip && (o->table[KMEM_BY_SITE].shown || form == VIEW_FORM_VALUES))
		kernel_names_load(s);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (o->table[by].shown)
			add_table(v, &r, &k->table[by], o, by, form);
	resolver_release(&r);
	add_summary(v, k, s);
	return v;
}
