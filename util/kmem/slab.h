/* Slab: allocations of the kernel's slab allocator by call site, by address and by call chain. */
#ifndef PERF_KMEM_SLAB_H
#define PERF_KMEM_SLAB_H

#include "../base/hash.h"
#include "../data/cpu-nodes.h"
#include "kmem-opts.h"

/* allocations of one call site, at one address, or with one call chain */
struct slab_entry {
	u64 key;		/* call site, address, or id of a stack */
	u64 site;		/* the last call site */
	u64 ptr;		/* by address: the address; else 0 */
	u64 bytes_req, bytes_alloc;
	u64 nr, nr_pingpong;
	u64 last_req, last_alloc;	/* of the last allocation */
	const char *name;	/* of the call site or the stack, of the rows that a view shows */
	u32 stack;		/* by address: of the last allocation; ID_NONE: none */
	u32 cpu;		/* of the last allocation; UINT32_MAX after it was freed */
	bool live;		/* by address: not freed yet */
};

#define SLAB_RECENT_BITS 12u
struct slab_table {
	VEC(struct slab_entry);
	struct hidx idx;
	u32 recent[1u << SLAB_RECENT_BITS];	/* entries that were found last, by key */
};

struct kmem_slab {
	struct slab_table table[KMEM_NR_BY];
	u64 bytes_req, bytes_alloc, bytes_freed;
	u64 nr_allocs, nr_cross;	/* cross: from another memory node than the CPU's */
	u64 nr_live, bytes_live;
	struct cpu_nodes nodes;
};

struct kmem;

#define KMEM_NR_SLAB_ROWS 6u
extern const struct tracing_row slab_rows[KMEM_NR_SLAB_ROWS];		/* ctx: struct kmem */

void slab_init(struct kmem_slab *slab, const struct session *s);
void slab_release(struct kmem_slab *slab);
/* "a,b": the keys of its columns; -EINVAL with err */
int slab_sort_parse(struct view_sort *sort, const char *keys, struct err *err);
/* adds its tables; and its summary, which ends a view */
void slab_add_tables(struct kmem *k, struct view *v, struct resolver *r, u32 form);
void slab_add_summary(const struct kmem *k, struct view *v, const struct session *s);

#endif
