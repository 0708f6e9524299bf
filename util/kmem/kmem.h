/*
 * Kmem: what the kernel's slab allocator hands out, by call site and by address, from the tracepoints of
 * kmem. Filled by tracing_run(), then turned into tables.
 */
#ifndef PERF_KMEM_KMEM_H
#define PERF_KMEM_KMEM_H

#include "../base/hash.h"
#include "../session/cpu-nodes.h"
#include "../tracing/tracing.h"
#include "../view/rows.h"

enum kmem_by { KMEM_BY_SITE, KMEM_BY_ADDRESS, KMEM_NR_BY };

/* allocations of one call site, or at one address */
struct kmem_entry {
	u64 key;		/* call site, or address */
	u64 site;		/* the last call site */
	u64 ptr;		/* by address: the address; by call site: 0 */
	u64 bytes_req, bytes_alloc, last_alloc;
	u64 nr, nr_pingpong;
	const char *name;	/* of the call site, of the rows that a view shows */
	u32 cpu;		/* of the last allocation; UINT32_MAX after it was freed */
};

struct kmem_table {
	VEC(struct kmem_entry);
	struct hidx idx;
};

struct kmem {
	struct kmem_table table[KMEM_NR_BY];
	u64 bytes_req, bytes_alloc, bytes_freed;
	u64 nr_allocs, nr_cross;	/* cross: from another memory node than the CPU's */
	struct cpu_nodes nodes;
};

#define KMEM_NR_ROWS 6u
extern const struct tracing_row kmem_rows[KMEM_NR_ROWS];

void kmem_init(struct kmem *k, const struct session *s);
void kmem_release(struct kmem *k);

/* "a,b": the keys of its columns; -EINVAL with err */
int kmem_sort_parse(struct view_sort *sort, const char *keys, struct err *err);

struct kmem_table_opts {
	bool shown;
	struct view_sort sort;
	u64 lines;		/* maximum number of rows */
};
struct kmem_view_opts {
	struct kmem_table_opts table[KMEM_NR_BY];
	bool raw_ip;
};
/* the tables that are shown, and a summary; form: one of VIEW_FORM_*. Sorts k; the view refers to it */
struct view *kmem_view(struct kmem *k, struct session *s, const struct kmem_view_opts *o, u32 form);

#endif
