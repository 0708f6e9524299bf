/*
 * Dwarf-split: units of split debug information (-gsplit-dwarf). The file of a program has only a skeleton of
 * them; functions, types and variables are in a .dwo file, which libdw finds, or in a package beside the
 * program (PROGRAM.dwp), of which libdw knows nothing before elfutils 0.191. A unit of a package is given to
 * libdw as the .dwo file that it was, in memory. One thread at a time.
 */
#ifndef PERF_OBJ_DWARF_SPLIT_H
#define PERF_OBJ_DWARF_SPLIT_H

#include <elfutils/libdw.h>
#include "../base/types.h"

struct dwarf_split;

/*
 * dw: of the file; it must outlive the object. path: of that file, and program: of the program that it
 * describes, or NULL: packages are searched beside both
 */
struct dwarf_split *dwarf_split_new(Dwarf *dw, const char *path, const char *program);
void dwarf_split_free(struct dwarf_split *s);

/* whether the unit is a skeleton: its functions are elsewhere */
bool dwarf_is_skeleton(Dwarf_Die *unit);
/* the unit that a skeleton stands for; false: it is not found */
bool dwarf_split_unit(struct dwarf_split *s, Dwarf_Die *skeleton, Dwarf_Die *ret);

/* the bytes of a section, unpacked; NULL: it has none */
Elf_Data *elf_section_data(Elf *elf, const char *name);

#endif
