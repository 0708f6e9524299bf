/* Functions that arch/x86/arch.c puts into its row. */
#ifndef PERF_ARCH_X86_X86_H
#define PERF_ARCH_X86_X86_H

#include "../arch.h"
#include "insn-flow.h"
#include "insn-len.h"

void x86_plt_32(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
void x86_plt_64(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
void x86_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx);
bool x86_cpu_id(const char *cpuinfo, char *buf, size_t size);
u32 x86_nr_counters(void);

#endif
