/*
 * Dwarf-needed: compressed debug information, unpacked for some addresses only: of .debug_info the units that
 * contain one of them, of .debug_abbrev the abbreviations of these units. libdw unpacks all of both, and a C
 * library has 7 MB of them. Every byte is regarded as hostile.
 */
#ifndef PERF_OBJ_DWARF_NEEDED_H
#define PERF_OBJ_DWARF_NEEDED_H

#include <libelf.h>
#include "../base/types.h"

struct dwarf_needed;

/*
 * Gives both sections of elf, a file that is open as fd, other contents, before libdw opens it: the object
 * must live until elf_end(). The units have other offsets then. addr: sorted. NULL: the file stays as it is,
 * because its sections are not compressed by zlib, it does not tell which addresses units have
 * (.debug_aranges), or units refer to each other
 */
struct dwarf_needed *dwarf_needed_units(Elf *elf, int fd, const u64 *addr, size_t nr);
void dwarf_needed_free(struct dwarf_needed *n);

#endif
