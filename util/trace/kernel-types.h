/*
 * Kernel-types: what the running kernel says of its system calls (util/syscall/prototypes.h), read from
 * tracefs and /sys/kernel/btf, as far as the calls that are wanted need it.
 */
#ifndef PERF_TRACE_KERNEL_TYPES_H
#define PERF_TRACE_KERNEL_TYPES_H

#include "../syscall/prototypes.h"
#include "trace.h"

struct kernel_types {
	struct btf *btf;
	struct syscall_prototypes *prototypes;
};

/*
 * all: structs are printed by BTF wherever the kernel has a type of them, and it is an error if its types
 * cannot be read; else only where no row knows them, and what cannot be read is not shown. 0, or a negative
 * errno with err
 */
int kernel_types_read(struct kernel_types *k, const struct trace_opts *o, bool all, struct err *err);
void kernel_types_release(struct kernel_types *k);

#endif
