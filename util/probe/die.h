/*
 * Die: attributes of debug information entries as the modules of this directory need them, on libdw. Values
 * are hostile: each walk has a limit. Strings live as long as the debug information.
 */
#ifndef PERF_PROBE_DIE_H
#define PERF_PROBE_DIE_H

#include <dwarf.h>
#include <elfutils/libdw.h>
#include "../base/types.h"

#define DIE_DEPTH_MAX 64	/* of nested blocks, inlining, typedefs: deeper nesting is damage */

/* an attribute of die or of the declaration or the abstract function that it completes; false: none */
bool die_u64(Dwarf_Die *die, unsigned int attr, u64 *ret);
bool die_s64(Dwarf_Die *die, unsigned int attr, s64 *ret);
bool die_flag(Dwarf_Die *die, unsigned int attr);
bool die_ref(Dwarf_Die *die, unsigned int attr, Dwarf_Die *ret);
bool die_has(Dwarf_Die *die, unsigned int attr);
const char *die_name(Dwarf_Die *die);		/* NULL: none */
const char *die_linkage_name(Dwarf_Die *die);	/* NULL: none */

/* the type of a variable, member or type; false: void */
bool die_type(Dwarf_Die *die, Dwarf_Die *ret);
/* the same without typedefs, const, volatile and the like */
bool die_real_type(Dwarf_Die *die, Dwarf_Die *ret);
/* follows typedefs and qualifiers of a type that may be one itself; false: it ends in void, or in a loop */
bool die_peel(Dwarf_Die *type, Dwarf_Die *ret);

/* bytes of a type; false: unknown */
bool die_size(Dwarf_Die *type, u64 *ret);

/* the address where a function or an inlined copy begins to run; false: it has no code */
bool die_entry(Dwarf_Die *die, u64 *ret);
/* whether the code of a function, copy or block contains the address */
bool die_contains(Dwarf_Die *die, u64 addr);
/* the abstract function or the declaration that die refers to in the end; die itself if there is none */
void die_origin(Dwarf_Die *die, Dwarf_Die *ret);
bool die_same(Dwarf_Die *a, Dwarf_Die *b);

/*
 * calls fn for each child of parent until it returns false; fn may descend. The number of children of a file
 * is bounded by its size.
 */
void die_children(Dwarf_Die *parent, bool (*fn)(void *ctx, Dwarf_Die *child), void *ctx);

#endif
