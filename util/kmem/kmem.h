/*
 * Kmem: what the kernel's allocators hand out, from the tracepoints of kmem: the slab allocator (slab.h) by
 * call site and by address, the page allocator (pages.h) by call site and by page, both by call chain, and
 * what of it is not freed at the end. Filled by tracing_run(), then turned into tables. It never prints.
 */
#ifndef PERF_KMEM_KMEM_H
#define PERF_KMEM_KMEM_H

#include "pages.h"
#include "slab.h"

struct kmem {
	const struct kmem_opts *o;
	struct tracing_stacks stacks;
	struct kmem_slab slab;
	struct kmem_pages pages;
};

#define KMEM_NR_ROWS (KMEM_NR_SLAB_ROWS + KMEM_NR_PAGE_ROWS)
/* the events of the allocators that o names, slab first: *ret_nr rows of ret */
void kmem_rows_of(const bool *mode, struct tracing_row *ret, u32 *ret_nr);

/* ctx of the rows; o must live as long */
void kmem_init(struct kmem *k, const struct session *s, const struct kmem_opts *o);
void kmem_release(struct kmem *k);

/* parses the sort keys of the chosen allocators' tables: 0, or -EINVAL with err */
int kmem_opts_parse_keys(struct kmem_opts *o, struct err *err);
/* the tables that are shown, and summaries; form: one of VIEW_FORM_*. Sorts k; the view refers to it */
struct view *kmem_view(struct kmem *k, struct session *s, u32 form);

#endif
