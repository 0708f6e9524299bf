/* Functions that arch/arm64/arch.c puts into its row. */
#ifndef PERF_ARCH_ARM64_ARM64_H
#define PERF_ARCH_ARM64_ARM64_H

#include "../arch.h"

/* see insn_flow in arch.h */
bool arm64_insn_flow(const u8 *p, size_t nr, bool is64, struct arch_flow *ret);
void arm64_plt(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
void arm64_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx);
bool arm64_cpu_id(const char *cpuinfo, char *buf, size_t size);

#endif
