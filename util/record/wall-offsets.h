/*
 * Wall-offsets: where the running kernel keeps what BPF programs of --wall read of its structures, by its own
 * types (BTF).
 */
#ifndef PERF_RECORD_WALL_OFFSETS_H
#define PERF_RECORD_WALL_OFFSETS_H

#include "../base/err.h"
#include "../base/types.h"

struct wall_switches_settings;

/*
 * Fills the offsets. Those that only some kernels or machines have stay 0 where they are missing; an error if
 * the others are. ret_cast: the number of bpf_rdonly_cast() among the kernel's types, or 0
 */
int wall_offsets_find(struct wall_switches_settings *c, u32 *ret_cast, struct err *err);

#endif
