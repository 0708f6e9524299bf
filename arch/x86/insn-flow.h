/* Where an x86 instruction continues. */
#ifndef PERF_ARCH_X86_INSN_FLOW_H
#define PERF_ARCH_X86_INSN_FLOW_H

#include "../arch.h"

/* see insn_flow in arch.h */
bool x86_insn_flow(const u8 *p, size_t nr, bool is64, struct arch_flow *ret);

#endif
