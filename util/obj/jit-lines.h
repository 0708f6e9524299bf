/*
 * Jit-lines: the source lines of an entry of a jitdump file as DWARF 4 sections: one compile unit and its
 * line program. Sections for little endian and big endian machines alike, in the order of this machine.
 */
#ifndef PERF_OBJ_JIT_LINES_H
#define PERF_OBJ_JIT_LINES_H

#include "../base/strbuf.h"
#include "jitdump.h"

struct jit_dwarf {
	struct strbuf abbrev, info, line;
};

/*
 * the code is at address text in the file. False: the entry has no lines inside its code; nothing is written
 */
bool jit_dwarf_build(struct jit_dwarf *out, const struct jitdump *d, const struct jit_entry *e, u64 text);
void jit_dwarf_release(struct jit_dwarf *w);

#endif
