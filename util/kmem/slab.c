/* Slab: the handlers of its tracepoints. */
#include "kmem.h"

enum { ALLOC_SITE, ALLOC_PTR, ALLOC_REQ, ALLOC_BYTES, ALLOC_NODE };
static const struct tracing_field alloc_fields[] = {
	{ .name = "call_site" }, { .name = "ptr" }, { .name = "bytes_req" }, { .name = "bytes_alloc" },
	{ .name = "node", .optional = true }, { .name = NULL }
};
enum { FREE_PTR };
static const struct tracing_field free_fields[] = { { .name = "ptr" }, { .name = NULL } };

static struct slab_entry *look_up(struct slab_table *t, u64 key, u32 *recent)
{
	u32 id;

	HIDX_FOREACH(&t->idx, hash_u64(key), id)
		if (t->v[id].key == key) {
			*recent = id;
			return &t->v[id];
		}
	return NULL;
}

/* what was freed last is allocated next, so most keys were met a moment ago */
static inline struct slab_entry *find(struct slab_table *t, u64 key)
{
	u32 *recent = &t->recent[(key * 0x9e3779b97f4a7c15ull) >> (64 - SLAB_RECENT_BITS)];

	if (likely(*recent < t->nr && t->v[*recent].key == key))
		return &t->v[*recent];
	return look_up(t, key, recent);
}

static struct slab_entry *find_or_add(struct slab_table *t, u64 key)
{
	return vec_find_or_add(t, &t->idx, hash_u64(key), e, e->key == key,
			       (struct slab_entry){ .key = key, .cpu = UINT32_MAX });
}

/* whether the CPU belongs to another node; false if nodes do not matter or the CPU's node is unknown */
static bool is_cross_node(const struct kmem_slab *slab, const struct tracing_sample *ts)
{
	u32 node = cpu_node(&slab->nodes, ts->sample->cpu);

	return ts->present & 1u << ALLOC_NODE && (s64)ts->value[ALLOC_NODE] >= 0 && node != NODE_UNKNOWN &&
	       node != ts->value[ALLOC_NODE];
}

/* an allocation is not live any more: takes it from the sums of a row, with --live */
static void take_out(struct slab_table *t, u64 key, const struct slab_entry *at)
{
	struct slab_entry *e = find(t, key);

	e->bytes_req -= at->last_req;
	e->bytes_alloc -= at->last_alloc;
	e->nr--;
}

/* the last allocation at an address was freed, or an event of that was lost */
static void end_live(struct kmem *k, struct slab_entry *at)
{
	struct kmem_slab *slab = &k->slab;
	struct slab_entry was;

	if (!at->live)
		return;
	at->live = false;
	slab->nr_live--;
	slab->bytes_live -= at->last_alloc;
	if (!k->o->live)
		return;
	was = *at;
	take_out(&slab->table[KMEM_BY_SITE], was.site, &was);
	take_out(&slab->table[KMEM_BY_ADDRESS], was.ptr, &was);
	if (was.stack != ID_NONE)
		take_out(&slab->table[KMEM_BY_STACK], was.stack, &was);
}

static void add_to(struct slab_entry *e, const struct slab_entry *new)
{
	e->site = new->site;
	e->ptr = new->ptr;
	e->stack = new->stack;
	e->bytes_req += new->last_req;
	e->bytes_alloc += new->last_alloc;
	e->last_req = new->last_req;
	e->last_alloc = new->last_alloc;
	e->cpu = new->cpu;
	e->live = true;
	e->nr++;
}

static void handle_alloc(void *ctx, const struct tracing_sample *ts)
{
	struct kmem *k = ctx;
	struct kmem_slab *slab = &k->slab;
	struct slab_entry new = {
		.site = ts->value[ALLOC_SITE], .last_req = ts->value[ALLOC_REQ],
		.last_alloc = ts->value[ALLOC_BYTES], .cpu = ts->sample->cpu, .stack = ID_NONE,
	};
	u64 ptr = ts->value[ALLOC_PTR];
	struct slab_entry *at = find(&slab->table[KMEM_BY_ADDRESS], ptr);

	if (at)
		end_live(k, at);
	else
		at = find_or_add(&slab->table[KMEM_BY_ADDRESS], ptr);
	if (k->o->table[KMEM_BY_STACK].shown)
		new.stack = tracing_stack_of(&k->stacks, ts);
	add_to(find_or_add(&slab->table[KMEM_BY_SITE], new.site), &new);
	if (new.stack != ID_NONE)
		add_to(find_or_add(&slab->table[KMEM_BY_STACK], new.stack), &new);
	new.ptr = ptr;
	add_to(at, &new);
	slab->nr_live++;
	slab->bytes_live += new.last_alloc;
	slab->bytes_req += new.last_req;
	slab->bytes_alloc += new.last_alloc;
	slab->nr_allocs++;
	slab->nr_cross += is_cross_node(slab, ts);
}

/*
 * A second free means an allocation in between without an event: it counts as another CPU's, as in upstream.
 */
static void handle_free(void *ctx, const struct tracing_sample *ts)
{
	struct kmem *k = ctx;
	struct kmem_slab *slab = &k->slab;
	struct slab_entry *e = find(&slab->table[KMEM_BY_ADDRESS], ts->value[FREE_PTR]);

	if (!e)
		return;		/* allocated before the recording */
	slab->bytes_freed += e->last_alloc;
	if (e->cpu != ts->sample->cpu) {
		e->nr_pingpong++;
		find(&slab->table[KMEM_BY_SITE], e->site)->nr_pingpong++;
		if (e->stack != ID_NONE)
			find(&slab->table[KMEM_BY_STACK], e->stack)->nr_pingpong++;
	}
	e->cpu = UINT32_MAX;
	end_live(k, e);
}

const struct tracing_row slab_rows[KMEM_NR_SLAB_ROWS] = {
	{ "kmem:kmalloc", alloc_fields, handle_alloc, false },
	{ "kmem:kmem_cache_alloc", alloc_fields, handle_alloc, false },
	{ "kmem:kfree", free_fields, handle_free, false },
	{ "kmem:kmem_cache_free", free_fields, handle_free, false },
	{ "kmem:kmalloc_node", alloc_fields, handle_alloc, true },
	{ "kmem:kmem_cache_alloc_node", alloc_fields, handle_alloc, true },
};

void slab_init(struct kmem_slab *slab, const struct session *s)
{
	*slab = (struct kmem_slab){ 0 };
	cpu_nodes_init(&slab->nodes, &s->data->feat);
}

void slab_release(struct kmem_slab *slab)
{
	cpu_nodes_release(&slab->nodes);
	for (u32 by = 0; by < KMEM_NR_BY; by++) {
		vec_release(&slab->table[by]);
		hidx_release(&slab->table[by].idx);
	}
}
