/*
 * Lines-jit: the source lines that a JIT compiler wrote into its jitdump file, by the file offset of the
 * code. Const once made; its strings live as long as the table.
 */
#ifndef PERF_SYM_LINES_JIT_H
#define PERF_SYM_LINES_JIT_H

#include "sym.h"
#include "../obj/dwarf-lines.h"

struct jit_table;

/* NULL: the dso is not a jitdump file, or it has no lines */
struct jit_table *jit_table_open(const struct symbols *s, u32 dso);
void jit_table_free(struct jit_table *t);
/* false: the offset has no line */
bool jit_table_find(const struct jit_table *t, u64 off, struct line_info *ret);

#endif
