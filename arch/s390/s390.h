/* Functions that arch/s390/arch.c puts into its row. */
#ifndef PERF_ARCH_S390_S390_H
#define PERF_ARCH_S390_S390_H

#include "../arch.h"

void s390_cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx);

#endif
