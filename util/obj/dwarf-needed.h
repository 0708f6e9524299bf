/*
 * Dwarf-needed: compressed debug information, unpacked for some addresses only: the units of .debug_info that
 * contain one of them, and their abbreviations. libdw unpacks both sections whole, which are 7 MB in a C
 * library. Every byte is regarded as hostile.
 */
#ifndef PERF_OBJ_DWARF_NEEDED_H
#define PERF_OBJ_DWARF_NEEDED_H

#include <libelf.h>
#include "svma-range.h"

struct dwarf_needed;

/*
 * Replaces the contents of both sections of elf, a file that is open as fd, before libdw opens it. The object
 * must live until elf_end(). Units get other offsets. range: sorted, they do not overlap. NULL: the file
 * stays as it is, because its sections are not compressed by zlib, it has no addresses of units
 * (.debug_aranges), or units refer to each other
 */
struct dwarf_needed *dwarf_needed_units(Elf *elf, int fd, const struct svma_range *range, size_t nr);
void dwarf_needed_free(struct dwarf_needed *n);

#endif
