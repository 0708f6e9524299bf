/*
 * Pages: allocations of the kernel's page allocator by call site, by page and by call chain. A block has
 * 2^order pages and a page frame number (PFN) that is a multiple of that. It can be freed in parts.
 *
 * The call site is the first caller in the recorded call chain that is not itself a function of the page
 * allocator.
 */
#ifndef PERF_KMEM_PAGES_H
#define PERF_KMEM_PAGES_H

#include "../base/hash.h"
#include "gfp.h"
#include "kmem-opts.h"

#define PAGES_MAX_ORDER 30u	/* the kernel's largest is 10 or 13; more is damage */
#define PAGES_NR_TYPES 6u	/* migrate types with a name, and others */

/* what is allocated alike; members that a table does not tell apart are 0 */
struct page_entry {
	u64 pfn, site;
	u32 stack, order, type, gfp;	/* gfp: id of a struct kmem_gfp */
	u64 bytes, nr;
	/* for the view */
	const char *name, *flags;
};

struct page_table {
	VEC(struct page_entry);
	struct hidx idx;
};

/* a block that was handed out, or the rest of one; by pfn */
struct page_block {
	struct page_entry of;	/* its site, stack, order, ...; not its sums */
	bool live;
	bool partly;		/* a part of the allocation was freed */
};

struct pages_sum {
	u64 nr, bytes;
};

struct kmem_pages {
	struct page_table table[KMEM_NR_BY];
	struct { VEC(struct page_block); struct hidx idx; } block;
	struct kmem_gfps gfps;
	u64 page_size;		/* in bytes; 0: no event yet */
	struct pages_sum allocs, frees, failed;
	struct pages_sum freed;		/* allocations of the recording that were freed, at least in part */
	struct pages_sum free_only;	/* of memory that was allocated before */
	u64 orders[PAGES_MAX_ORDER + 1][PAGES_NR_TYPES];
	u64 nr_replaced;	/* allocated again without being freed: an event was lost */
	u64 nr_damaged;
};

struct kmem;

#define KMEM_NR_PAGE_ROWS 2u
extern const struct tracing_row page_rows[KMEM_NR_PAGE_ROWS];		/* ctx: struct kmem */

void pages_release(struct kmem_pages *p);
/* marks functions of the page allocator: a tracing_describe */
void pages_describe(struct tracing_frame *f, const char *symbol);
/* makes the tables of pages that are not freed; after tracing_run(), once */
void pages_take_live(struct kmem_pages *p, const struct kmem_opts *o);
/* "a,b": the keys of its columns; -EINVAL with err */
int pages_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
void pages_add_tables(struct kmem *k, struct view *v, struct resolver *r, u32 form);
void pages_add_summary(const struct kmem *k, struct view *v, const struct session *s, u32 form);

#endif
