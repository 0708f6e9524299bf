/*
 * GFP flags: how memory was asked for. The names of the bits differ from kernel to kernel, so they are taken
 * from the recorded format of the event; short forms of the names are in gfp-names.def.
 */
#ifndef PERF_KMEM_GFP_H
#define PERF_KMEM_GFP_H

#include "../base/arena.h"
#include "../base/hash.h"
#include "../tracing/tracing.h"

struct kmem_gfp {
	u64 flags;
	const char *names;	/* "GFP_KERNEL|__GFP_ZERO", printable */
	const char *brief;	/* "K|Z" */
};

struct kmem_gfps {
	VEC(struct kmem_gfp);
	struct hidx idx;
	struct arena arena;
};

/* the id of the flags of a sample, whose text ends with "gfp_flags=NAMES" */
u32 kmem_gfp_id(struct kmem_gfps *g, u64 flags, const struct tracing_sample *ts);
void kmem_gfps_release(struct kmem_gfps *g);

#endif
