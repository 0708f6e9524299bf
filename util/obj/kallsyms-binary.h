/*
 * Kallsyms-binary: a list of the kernel's symbols as bytes that are used where they are mapped, without being
 * parsed, by the same kind of machine: a header, lines (struct kallsyms_line), blocks, names with a NUL each.
 * All bytes are regarded as hostile.
 */
#ifndef PERF_OBJ_KALLSYMS_BINARY_H
#define PERF_OBJ_KALLSYMS_BINARY_H

#include "kallsyms.h"

/* appends the list without the blocks that leave() tells. out->len has to be a multiple of 8 */
void kallsyms_write_binary(const struct kallsyms *k, bool (*leave)(const struct kallsyms_block *b),
			   struct strbuf *out);
/* the list in bytes that live longer, aligned to 8; NULL: damaged */
struct kallsyms *kallsyms_read_binary(const u8 *p, size_t len);

#endif
