/* Kmem: the handlers of its tracepoints. */
#include "kmem.h"

enum { ALLOC_SITE, ALLOC_PTR, ALLOC_REQ, ALLOC_BYTES, ALLOC_NODE };
static const struct tracing_field alloc_fields[] = {
	{ .name = "call_site" }, { .name = "ptr" }, { .name = "bytes_req" }, { .name = "bytes_alloc" },
	{ .name = "node", .optional = true }, { .name = NULL }
};
enum { FREE_PTR };
static const struct tracing_field free_fields[] = { { .name = "ptr" }, { .name = NULL } };

static struct kmem_entry *find(struct kmem_table *t, u64 key)
{
	u32 id;

	HIDX_FOREACH(&t->idx, hash_u64(key), id)
		if (t->v[id].key == key)
			return &t->v[id];
	return NULL;
}

static struct kmem_entry *find_or_add(struct kmem_table *t, u64 key)
{
	struct kmem_entry *e = find(t, key);

	if (e)
		return e;
	hidx_insert(&t->idx, hash_u64(key), t->nr);
	vec_push(t, (struct kmem_entry){ .key = key, .cpu = UINT32_MAX });
	return &t->v[t->nr - 1];
}

/*
 * whether the CPU belongs to another node; false where the node does not matter or the file does
 * not say the CPU's
 */
static bool is_cross_node(const struct kmem *k, const struct tracing_sample *ts)
{
	u32 node;

	return ts->present & 1u << ALLOC_NODE && (s64)ts->value[ALLOC_NODE] >= 0 &&
	       cpu_node(&k->nodes, ts->sample->cpu, &node) && node != ts->value[ALLOC_NODE];
}

static void handle_alloc(void *ctx, const struct tracing_sample *ts)
{
	const u64 key[KMEM_NR_BY] = { ts->value[ALLOC_SITE], ts->value[ALLOC_PTR] };
	struct kmem *k = ctx;

	for (u32 by = 0; by < KMEM_NR_BY; by++) {
		struct kmem_entry *e = find_or_add(&k->table[by], key[by]);

		e->site = ts->value[ALLOC_SITE];
		e->ptr = by == KMEM_BY_ADDRESS ? e->key : 0;
		e->bytes_req += ts->value[ALLOC_REQ];
		e->bytes_alloc += ts->value[ALLOC_BYTES];
		e->last_alloc = ts->value[ALLOC_BYTES];
		e->cpu = ts->sample->cpu;
		e->nr++;
	}
	k->bytes_req += ts->value[ALLOC_REQ];
	k->bytes_alloc += ts->value[ALLOC_BYTES];
	k->nr_allocs++;
	k->nr_cross += is_cross_node(k, ts);
}

/*
 * What is freed twice was allocated in between without an event: that counts as another CPU's, as
 * upstream has it.
 */
static void handle_free(void *ctx, const struct tracing_sample *ts)
{
	struct kmem *k = ctx;
	struct kmem_entry *e = find(&k->table[KMEM_BY_ADDRESS], ts->value[FREE_PTR]);

	if (!e)
		return;		/* allocated before the recording */
	k->bytes_freed += e->last_alloc;
	if (e->cpu != ts->sample->cpu) {
		e->nr_pingpong++;
		find(&k->table[KMEM_BY_SITE], e->site)->nr_pingpong++;
	}
	e->cpu = UINT32_MAX;
}

const struct tracing_row kmem_rows[KMEM_NR_ROWS] = {
	{ "kmem:kmalloc", alloc_fields, handle_alloc, false },
	{ "kmem:kmem_cache_alloc", alloc_fields, handle_alloc, false },
	{ "kmem:kfree", free_fields, handle_free, false },
	{ "kmem:kmem_cache_free", free_fields, handle_free, false },
	{ "kmem:kmalloc_node", alloc_fields, handle_alloc, true },
	{ "kmem:kmem_cache_alloc_node", alloc_fields, handle_alloc, true },
};

void kmem_init(struct kmem *k, const struct session *s)
{
	*k = (struct kmem){ 0 };
	cpu_nodes_init(&k->nodes, s);
}

void kmem_release(struct kmem *k)
{
	cpu_nodes_release(&k->nodes);
	for (u32 by = 0; by < KMEM_NR_BY; by++) {
		vec_release(&k->table[by]);
		hidx_release(&k->table[by].idx);
	}
}
