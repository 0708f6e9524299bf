/*
 * Code-source: the bytes of a dso's code by their addresses, for decoders that walk through code: programs
 * and libraries, the kernel (the copy that record --kcore made, or the vmlinux that gave its symbols, whose
 * table must be loaded), jitdump files, and the vdso. Always of the recorded build, and never the memory of
 * the running kernel. Any worker may open one; it owns what it maps.
 */
#ifndef PERF_SYM_CODE_SOURCE_H
#define PERF_SYM_CODE_SOURCE_H

#include "sym.h"

/* addresses [lo, hi) of the dso are the bytes at address + shift */
struct code_extent {
	u64 lo, hi, shift;
};

struct code_source;

/* NULL: there is no such code */
struct code_source *code_source_open(const struct symbols *s, u32 dso);
void code_source_free(struct code_source *c);
/* the code's EM_* */
u32 code_source_machine(const struct code_source *c);
/* of a processor of 64 bits, as far as the file says so */
bool code_source_is64(const struct code_source *c);
/* the span with that address; NULL: there is none. All of its bytes are in the file */
const struct code_extent *code_source_extent(const struct code_source *c, u64 addr);
const u8 *code_source_bytes(const struct code_source *c, u64 *ret_size);

#endif
