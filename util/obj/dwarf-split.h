/*
 * Dwarf-split: units of split debug information (-gsplit-dwarf). The program's file has only a skeleton of
 * each unit. Functions, types and variables are in a .dwo file, which libdw finds, or in a package beside the
 * program (PROGRAM.dwp), which libdw cannot read before elfutils 0.191: libdw then gets a unit of a package
 * as a .dwo file in memory. One thread at a time.
 */
#ifndef PERF_OBJ_DWARF_SPLIT_H
#define PERF_OBJ_DWARF_SPLIT_H

#include <elfutils/libdw.h>
#include "../base/types.h"

struct dwarf_split;

/*
 * dw must outlive the object. path: of its file; program: path of the program that it describes, or NULL.
 * Packages are searched beside both
 */
struct dwarf_split *dwarf_split_new(Dwarf *dw, const char *path, const char *program);
void dwarf_split_free(struct dwarf_split *s);

/* true if the unit is a skeleton: its functions are elsewhere */
bool dwarf_is_skeleton(Dwarf_Die *unit);
/* the unit of a skeleton; false: it is not found */
bool dwarf_split_unit(struct dwarf_split *s, Dwarf_Die *skeleton, Dwarf_Die *ret);
/* the path of the first .dwo file that was asked for and is not there, nor a package of it; NULL: none */
const char *dwarf_split_missing(const struct dwarf_split *s, u32 *ret_nr);

#endif
