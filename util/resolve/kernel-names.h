/*
 * Kernel names: the functions of kernel addresses in payloads of tracepoints, for their texts and for the
 * tables of commands that read them. Call kernel_names_load() once, before the first look-up.
 */
#ifndef PERF_RESOLVE_KERNEL_NAMES_H
#define PERF_RESOLVE_KERNEL_NAMES_H

#include "resolver.h"

struct kernel_name {
	const char *name;	/* the function's; valid as long as the arena */
	const char *module;	/* its module, NULL: the kernel */
	u64 start;		/* its first address */
};

/* loads the tables of kernel and modules */
void kernel_names_load(const struct session *s);
/* the function at that address at that time; false if it is unknown */
bool kernel_name_find(struct resolver *r, const struct sample_ctx *ctx, u64 addr, struct arena *names,
		      struct kernel_name *ret);

#endif
