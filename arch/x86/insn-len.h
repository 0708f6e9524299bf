/* Length of x86 instructions. */
#ifndef PERF_ARCH_X86_INSN_LEN_H
#define PERF_ARCH_X86_INSN_LEN_H

#include <stddef.h>
#include "../../util/base/types.h"

/* length of the instruction at p, of which nr bytes may be read; 0 if it is invalid or cut */
int x86_insn_len(const u8 *p, size_t nr, bool is64);

#endif
