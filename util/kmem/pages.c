/* Pages: the handlers of the page allocator's tracepoints. See pages.h. */
#include "kmem.h"

#include <string.h>

enum { ALLOC_PFN, ALLOC_ORDER, ALLOC_GFP, ALLOC_TYPE };
static const struct tracing_field alloc_fields[] = {
	{ .name = "pfn" }, { .name = "order" }, { .name = "gfp_flags" }, { .name = "migratetype" },
	{ .name = NULL }
};
enum { FREE_PFN, FREE_ORDER };
static const struct tracing_field free_fields[] = {
	{ .name = "pfn" }, { .name = "order" }, { .name = NULL }
};

void pages_describe(struct tracing_frame *f, const char *symbol)
{
	static const char *const allocator[] = {
		"alloc_pages", "alloc_page_vma", "alloc_page_interleave", "alloc_frozen_pages",
		"get_free_page", "get_zeroed_page", "folio_alloc", "vma_alloc_folio",
	};

	for (u32 i = 0; i < 2 && *symbol == '_'; i++)
		symbol++;
	for (u32 i = 0; i < ARRAY_SIZE(allocator); i++)
		f->skip |= !strncmp(symbol, allocator[i], strlen(allocator[i]));
}

/* ---- blocks ---- */

static struct page_block *find_block(struct kmem_pages *p, u64 pfn)
{
	u32 id;

	HIDX_FOREACH(&p->block.idx, hash_u64(pfn), id)
		if (p->block.v[id].of.pfn == pfn)
			return &p->block.v[id];
	return NULL;
}

static void put_block(struct kmem_pages *p, const struct page_block *b)
{
	*vec_find_or_add(&p->block, &p->block.idx, hash_u64(b->of.pfn), o, o->of.pfn == b->of.pfn, *b) = *b;
}

/* the live block that has all pages of another one of that order; NULL: there is none */
static struct page_block *find_containing(struct kmem_pages *p, u64 pfn, u32 order)
{
	for (u32 o = order; o <= PAGES_MAX_ORDER; o++) {
		struct page_block *b = find_block(p, pfn & ~(((u64)1 << o) - 1));

		if (b && b->live && b->of.order >= o)
			return b;
	}
	return NULL;
}

/* a part of a block is freed: its halves that do not contain the part stay */
static void free_part(struct kmem_pages *p, struct page_block block, u64 pfn, u32 order)
{
	block.partly = true;
	find_block(p, block.of.pfn)->live = false;
	while (block.of.order > order) {
		struct page_block rest = block;
		u64 half = (u64)1 << --block.of.order;

		rest.of.order = block.of.order;
		if (pfn & half)
			block.of.pfn += half;
		else
			rest.of.pfn += half;
		put_block(p, &rest);
	}
}

/* ---- tables ---- */

static bool is_same(const struct page_entry *a, const struct page_entry *b)
{
	return a->pfn == b->pfn && a->site == b->site && a->stack == b->stack && a->order == b->order &&
	       a->type == b->type && a->gfp == b->gfp;
}

static void add_to(struct page_table *t, const struct page_entry *key, u64 bytes)
{
	u64 hash = hash_mix(hash_mix(hash_u64(key->pfn), key->site),
			    (u64)key->order << 48 ^ (u64)key->type << 40 ^ (u64)key->gfp << 20 ^ key->stack);
	struct page_entry *e = vec_find_or_add(t, &t->idx, hash, o, is_same(o, key), *key);

	e->bytes += bytes;
	e->nr++;
}

static u64 bytes_of(const struct kmem_pages *p, u32 order)
{
	return p->page_size << order;
}

static void add_to_tables(struct kmem_pages *p, const struct kmem_opts *o, const struct page_entry *e)
{
	struct page_entry key[KMEM_NR_BY] = { [KMEM_BY_SITE] = *e, [KMEM_BY_ADDRESS] = *e };

	key[KMEM_BY_SITE].pfn = 0;
	key[KMEM_BY_SITE].stack = key[KMEM_BY_ADDRESS].stack = 0;
	key[KMEM_BY_STACK].stack = e->stack;
	for (u32 by = 0; by < KMEM_NR_BY; by++)
		if (o->table[by].shown && (by != KMEM_BY_STACK || e->stack != ID_NONE))
			add_to(&p->table[by], &key[by], bytes_of(p, e->order));
	p->orders[e->order][e->type]++;
}

void pages_take_live(struct kmem_pages *p, const struct kmem_opts *o)
{
	vec_foreach(&p->block, b)
		if (b->live)
			add_to_tables(p, o, &b->of);
}

/* ---- events ---- */

static bool is_damaged(struct kmem_pages *p, const struct tracing_sample *ts, u64 order)
{
	if (!p->page_size)
		p->page_size = tracefmt_page_size(ts->formats);
	p->nr_damaged += order > PAGES_MAX_ORDER;
	return order > PAGES_MAX_ORDER;
}

static void add_sum(struct pages_sum *sum, u64 bytes)
{
	sum->nr++;
	sum->bytes += bytes;
}

static void handle_alloc(void *ctx, const struct tracing_sample *ts)
{
	struct kmem *k = ctx;
	struct kmem_pages *p = &k->pages;
	struct page_block b = { .of.pfn = ts->value[ALLOC_PFN], .live = true, .of.stack = ID_NONE };
	const struct tracing_frame *caller;
	struct page_block *before;

	if (is_damaged(p, ts, ts->value[ALLOC_ORDER]))
		return;
	b.of.order = ts->value[ALLOC_ORDER];
	add_sum(&p->allocs, bytes_of(p, b.of.order));
	if (b.of.pfn == UINT64_MAX || (b.of.pfn == UINT32_MAX)) {	/* the kernel has no such page */
		add_sum(&p->failed, bytes_of(p, b.of.order));
		return;
	}
	b.of.type = MIN(ts->value[ALLOC_TYPE], (u64)PAGES_NR_TYPES - 1);
	b.of.gfp = kmem_gfp_id(&p->gfps, ts->value[ALLOC_GFP], ts);
	b.of.stack = tracing_stack_of(&k->stacks, ts);
	caller = tracing_stack_frame(&k->stacks, b.of.stack, 0);
	b.of.site = caller ? caller->ip : 0;
	before = find_block(p, b.of.pfn);
	p->nr_replaced += before && before->live;
	put_block(p, &b);
	if (!k->o->live)
		add_to_tables(p, k->o, &b.of);
}

static void handle_free(void *ctx, const struct tracing_sample *ts)
{
	struct kmem *k = ctx;
	struct kmem_pages *p = &k->pages;
	u64 pfn = ts->value[FREE_PFN], order = ts->value[FREE_ORDER], bytes;
	struct page_block *b;

	if (is_damaged(p, ts, order))
		return;
	bytes = bytes_of(p, order);
	add_sum(&p->frees, bytes);
	b = find_containing(p, pfn, order);
	if (!b) {
		add_sum(&p->free_only, bytes);
		return;
	}
	p->freed.nr += !b->partly;
	p->freed.bytes += bytes;
	free_part(p, *b, pfn, order);
}

const struct tracing_row page_rows[KMEM_NR_PAGE_ROWS] = {
	{ "kmem:mm_page_alloc", alloc_fields, handle_alloc, false },
	{ "kmem:mm_page_free", free_fields, handle_free, false },
};

void pages_release(struct kmem_pages *p)
{
	for (u32 by = 0; by < KMEM_NR_BY; by++) {
		vec_release(&p->table[by]);
		hidx_release(&p->table[by].idx);
	}
	vec_release(&p->block);
	hidx_release(&p->block.idx);
	kmem_gfps_release(&p->gfps);
}
