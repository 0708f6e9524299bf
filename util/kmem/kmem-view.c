/* Kmem view: the columns of its tables, and the summary. */
#include "kmem.h"

#include "../fields/file-facts.h"
#include "../fields/trace-keys.h"

static double percent_lost(u64 bytes_req, u64 bytes_alloc)
{
	return bytes_alloc ? 100.0 - 100.0 * bytes_req / bytes_alloc : 0;
}

static const struct kmem_entry *entry(const void *row) { return row; }
static const char *row_name(const void *row) { return entry(row)->name; }
static u64 row_key(const void *row) { return entry(row)->key; }
static u64 row_site(const void *row) { return entry(row)->site; }
static u64 row_ptr(const void *row) { return entry(row)->ptr; }
static u64 row_bytes(const void *row) { return entry(row)->bytes_alloc; }
static u64 row_bytes_per(const void *row) { return entry(row)->bytes_alloc / entry(row)->nr; }
static u64 row_req(const void *row) { return entry(row)->bytes_req; }
static u64 row_req_per(const void *row) { return entry(row)->bytes_req / entry(row)->nr; }
static u64 row_hit(const void *row) { return entry(row)->nr; }
static u64 row_pingpong(const void *row) { return entry(row)->nr_pingpong; }
static double row_frag(const void *row) { return percent_lost(entry(row)->bytes_req, entry(row)->bytes_alloc); }
static void add_bytes(const void *row, struct strbuf *out) { strbuf_addf(out, "%9lu/%-6lu", row_bytes(row), row_bytes_per(row)); }
static void add_req(const void *row, struct strbuf *out) { strbuf_addf(out, "%9lu/%-6lu", row_req(row), row_req_per(row)); }

/* as padded text, two numbers share a column */
static const struct view_field columns[] = {
	{ VIEW_NAME("callsite", "Callsite", VIEW_TEXT, 34), .tables = 1u << KMEM_BY_SITE, .number = row_site, .text = row_name },
	{ VIEW_NAME("ptr", "Alloc Ptr", VIEW_ADDRESS, 34), .tables = 1u << KMEM_BY_ADDRESS, .number = row_ptr },
	{ VIEW_NAME("callsite", "Last Callsite", VIEW_TEXT, 0), .tables = 1u << KMEM_BY_ADDRESS, .forms = VIEW_FORM_VALUES, .text = row_name },
	{ VIEW_PAIR("bytes", "Total_alloc/Per", 16), .add_text = add_bytes },
	{ VIEW_HALF("bytes", "Total_alloc", VIEW_NUMBER, "bytes"), .number = row_bytes },
	{ VIEW_HALF("bytes_per", "Alloc/Per", VIEW_NUMBER, "bytes"), .number = row_bytes_per },
	{ VIEW_PAIR("requested", "Total_req/Per", 16), .add_text = add_req },
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

static void add_table(struct view *v, const struct session *s, struct kmem_table *kt, const struct kmem_view_opts *o, enum kmem_by by,
		      u32 form)
{
	struct view_rows rows = { .field = columns, .nr_fields = ARRAY_SIZE(columns), .form = form, .table = 1u << by, .row = kt->v,
				  .nr = kt->nr, .size = sizeof(*kt->v), .limit = o->table[by].lines };
	struct view_sort sort = o->table[by].sort;
	struct strbuf name = STRBUF_INIT;
	struct err never = ERR_INIT;

	if (!sort.nr)
		kmem_sort_parse(&sort, "frag,hit,bytes", &never);
	view_sort_rows(&sort, kt->v, kt->nr, sizeof(*kt->v));
	for (size_t i = 0; i < MIN(rows.limit, (u64)kt->nr) && (by == KMEM_BY_SITE || form == VIEW_FORM_VALUES); i++) {
		strbuf_reset(&name);
		tracing_add_kernel_name(s, kt->v[i].site, o->raw_ip, &v->arena, &name);
		kt->v[i].name = arena_strdup(&v->arena, strbuf_str(&name));
	}
	strbuf_release(&name);
	view_add_rows(v, &rows)->name = by == KMEM_BY_SITE ? "callsite" : "ptr";
}

static void add_summary(struct view *v, const struct kmem *k, const struct session *s)
{
	struct view_block *b = view_add_block(v, "summary", "SUMMARY (SLAB allocator)");

	view_add_number(b, "bytes-requested", "Total bytes requested: ", k->bytes_req, "\n");
	view_add_number(b, "bytes-allocated", "Total bytes allocated: ", k->bytes_alloc, "\n");
	view_add_number(b, "bytes-freed", "Total bytes freed:     ", k->bytes_freed, "\n");
	if (k->bytes_alloc > k->bytes_freed)
		view_add_number(b, "bytes-net", "Net total bytes allocated: ", k->bytes_alloc - k->bytes_freed, "\n");
	vec_push(&b->item, (struct view_item){ "bytes-wasted", { .type = VIEW_SIGNED, .number = k->bytes_alloc - k->bytes_req }, 0,
					       "Total bytes wasted on internal fragmentation: ", "\n" });
	vec_push(&b->item, (struct view_item){ "fragmentation", { .type = VIEW_SHARE, .real = percent_lost(k->bytes_req, k->bytes_alloc) },
					       6, "Internal fragmentation: ", "\n" });
	view_add_number(b, "cross-cpu", "Cross CPU allocations: ", k->nr_cross, "/");
	view_add_number(b, "allocations", "", k->nr_allocs, "\n");
	if (tracing_nr_lost(s))
		view_add_number(b, "lost-events", "Events lost while recording: ", tracing_nr_lost(s),
				" (the numbers above are too small)\n");
}

struct view *kmem_view(struct kmem *k, struct session *s, const struct kmem_view_opts *o, u32 form)
{
	struct view *v = xcalloc(1, sizeof(*v));

	v->name = "kmem";
	v->tables = "tables";
	file_facts(&v->fact, &v->arena, s);
	if (!o->raw_ip && (o->table[KMEM_BY_SITE].shown || form == VIEW_FORM_VALUES))
		trace_keys_load_kernel(s);
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (o->table[by].shown)
			add_table(v, s, &k->table[by], o, by, form);
	add_summary(v, k, s);
	return v;
}
