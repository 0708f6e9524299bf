/*
 * Kernel names: the functions of kernel addresses that stand in tracepoints, for their texts and for the tables of commands that read
 * them. The session's symbol tables of kernel and modules are loaded once, before the first name is asked for.
 */
#ifndef PERF_RESOLVE_KERNEL_NAMES_H
#define PERF_RESOLVE_KERNEL_NAMES_H

#include "resolver.h"

struct kernel_name {
	const char *name;	/* the function's; good as long as the arena */
	const char *module;	/* its module, NULL: the kernel */
	u64 start;		/* its first address */
};

/* loads the tables of kernel and modules */
void kernel_names_load(const struct session *s);
/* the function at that address then; false where none is known */
bool kernel_name_find(struct resolver *r, const struct sample_ctx *ctx, u64 addr, struct arena *names, struct kernel_name *ret);

#endif
