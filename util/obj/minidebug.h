/* Minidebug: the xz-packed .symtab that some distributions put into .gnu_debugdata of stripped files. */
#ifndef PERF_OBJ_MINIDEBUG_H
#define PERF_OBJ_MINIDEBUG_H

#include "elf-obj.h"

/* adds its symbols; 0 if there are none or the section is damaged */
size_t minidebug_symbols(const struct elf_obj *o, const struct elf_addr_map *map, struct symvec *v);

#endif
