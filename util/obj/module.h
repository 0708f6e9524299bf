/*
 * Module: kernel modules (*.ko, packed or not). They are relocatable files: a symbol's value counts from its
 * section, and the kernel lays out the executable sections one after another.
 */
#ifndef PERF_OBJ_MODULE_H
#define PERF_OBJ_MODULE_H

#include "elf-obj.h"

/* opens an ELF file that may be packed with gzip, xz or zstd */
struct elf_obj *module_open(const char *path, struct err *err);
/*
 * path of the module of that name by the text of modules.dep, which depmod(8) writes; dir: the directory of
 * that file, such as /lib/modules/6.1.0. The caller frees it; NULL: it is not listed
 */
char *module_path(const char *dep, const char *dir, const char *name);
/* the same; reads the file, and not below the fs root */
char *module_find(const char *dir, const char *name);
/* adds its symbols at run-time addresses, with its text at [start, end); returns their number */
size_t module_symbols(const struct elf_obj *o, u64 start, u64 end, struct symvec *v);

#endif
