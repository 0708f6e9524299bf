/*
 * Kmem: what the kernel's slab allocator hands out, by call site and by address, from the tracepoints of kmem. Filled by
 * tracing_run(), then turned into tables.
 */
#ifndef PERF_KMEM_KMEM_H
#define PERF_KMEM_KMEM_H

#include "../base/hash.h"
#include "../tracing/tracing.h"
#include "../view/view.h"

enum kmem_by { KMEM_BY_SITE, KMEM_BY_ADDRESS, KMEM_NR_BY };

/* allocations of one call site, or at one address */
struct kmem_entry {
	u64 key;		/* call site, or address */
	u64 site;		/* the last call site */
	u64 ptr;		/* by address: the address; by call site: 0 */
	u64 bytes_req, bytes_alloc, last_alloc;
	u64 nr, nr_pingpong;
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
	struct { VEC(struct id_filter); } node_cpus;	/* as recorded, in the order of feat.nodes */
};

/* the events; from KMEM_FIRST_OLD on those that newer kernels do not have */
#define KMEM_NR_ROWS 6u
#define KMEM_FIRST_OLD 4u
extern const struct tracing_row kmem_rows[KMEM_NR_ROWS];

void kmem_init(struct kmem *k, const struct session *s);
void kmem_release(struct kmem *k);

#define KMEM_MAX_KEYS 6u
#define KMEM_KEYS "frag, hit, bytes, ptr, callsite, pingpong"
/* what --sort takes: rows are in the order of these keys, largest first */
struct kmem_sort {
	const struct kmem_key *key[KMEM_MAX_KEYS];
	u32 nr;
};
int kmem_sort_parse(struct kmem_sort *sort, const char *keys, struct err *err);

struct kmem_table_opts {
	bool shown;
	struct kmem_sort sort;
	u64 lines;		/* maximum number of rows */
};
/* tables by call site and by address, as asked for; values: columns hold one number each. Sorts k; the view refers to it */
struct view *kmem_view(struct kmem *k, struct session *s, const struct kmem_table_opts *o, bool raw_ip, bool values);
/* the block of totals, each line after prefix */
void kmem_summary(const struct kmem *k, const struct session *s, const char *prefix, struct strbuf *out);

#endif
