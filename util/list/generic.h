/* Generic: the generic events of the kernel, as perf list describes them (collect-kernel.c). */
#ifndef PERF_LIST_GENERIC_H
#define PERF_LIST_GENERIC_H

#include "../base/types.h"

/* what a generic event of the kernel counts; "" if that is not known */
const char *list_describe_generic(u32 type, u64 config);
/*
 * whether the kernel can count it here. No answer (no permission, the limit of open files) counts as yes,
 * since nothing is known against it
 */
bool list_is_supported(u32 type, u64 config);

#endif
