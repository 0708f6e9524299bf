/*
 * Jit-elf: a function of a jitdump file as an ELF file of its own, for tools that do not read jitdump files:
 * the code, one symbol, its source lines (DWARF 4), its unwind information and a build-id. Addresses in it
 * are file offsets, so readers need no conversion.
 */
#ifndef PERF_OBJ_JIT_ELF_H
#define PERF_OBJ_JIT_ELF_H

#include "../base/strbuf.h"
#include "jitdump.h"

#define JIT_ELF_TEXT 0x100u	/* file offset and address of the code */
#define JIT_ELF_ID_LEN 20u

/* whether there is such a file for a machine (EM_*): the 32-bit ones are left out */
bool jit_elf_supports(u32 e_machine);
/*
 * Appends the file of an entry of kind JIT_LOAD, in the byte order of this machine, and writes its build-id.
 * The same entry gives the same bytes.
 */
void jit_elf_build(struct strbuf *out, const struct jitdump *d, const struct jit_entry *e,
		   u8 ret_id[JIT_ELF_ID_LEN]);
/*
 * bytes of the file that are in memory at e->addr: the code, and unwind information if the program mapped it
 */
u64 jit_elf_mapped(const struct jit_entry *e);

#endif
