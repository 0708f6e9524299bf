/* Parts of the mips row. */
#ifndef PERF_ARCH_MIPS_H
#define PERF_ARCH_MIPS_H

#include "../arch.h"

/* section .MIPS.stubs: an entry names a dynamic symbol by its index */
void mips_stubs(const struct arch_plt_code *code, arch_plt_entry *emit, void *ctx);
/* relocations of 64-bit files: a symbol and three types */
void mips64_reloc_info(u64 info, bool big_endian, u32 *ret_symbol, u32 *ret_type);

#endif
