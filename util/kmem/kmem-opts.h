/* What the tables of both allocators have in common: which are shown, and in which order. */
#ifndef PERF_KMEM_KMEM_OPTS_H
#define PERF_KMEM_KMEM_OPTS_H

#include "../tracing/stacks.h"
#include "../view/rows.h"

enum kmem_mode { KMEM_SLAB, KMEM_PAGE, KMEM_NR_MODES };
/* by address: of pages, by page frame number */
enum kmem_by { KMEM_BY_SITE, KMEM_BY_ADDRESS, KMEM_BY_STACK, KMEM_NR_BY };

struct kmem_table_opts {
	bool shown;
	const char *keys[KMEM_NR_MODES];	/* as typed; NULL: the usual ones */
	struct view_sort sort[KMEM_NR_MODES];	/* kmem_opts_parse_keys() */
	u64 lines;				/* maximum number of rows */
};

struct kmem_opts {
	bool mode[KMEM_NR_MODES];
	struct kmem_table_opts table[KMEM_NR_BY];
	bool live;		/* only allocations that are not freed at the end */
	bool raw_ip;
};

/* kinds of tables in view_field.tables: each kind has other columns for live memory */
#define KMEM_TABLE(by, live) (1u << ((by) + ((live) ? KMEM_NR_BY : 0)))
#define KMEM_TABLE_BOTH(by) (KMEM_TABLE(by, false) | KMEM_TABLE(by, true))

#endif
