/* Call-regs: where system calls have their arguments on an architecture; for BPF programs. */
#ifndef PERF_TRACE_CALL_REGS_H
#define PERF_TRACE_CALL_REGS_H

#include "../bpf/call-regs-types.h"

/* NULL: another architecture */
const struct call_regs *call_regs_of(u16 e_machine);

#endif
