/* Parts of the powerpc row. */
#ifndef PERF_ARCH_POWERPC_H
#define PERF_ARCH_POWERPC_H

#include "../arch.h"

/* stubs that call functions of other files */
void powerpc_stubs_32(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
void powerpc_stubs_64(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);

#endif
