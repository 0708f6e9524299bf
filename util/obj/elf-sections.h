/*
 * Elf-sections: other contents for sections of an ELF file that is open, in this program's copy of it, before
 * libdw reads them: sections that are not needed are hidden, and those that libelf may not know how to unpack
 * (zstd: only since elfutils 0.189, and not in all builds) are unpacked here. The file must be mapped
 * privately (ELF_C_READ_MMAP_PRIVATE, or elf_obj_open()).
 */
#ifndef PERF_OBJ_ELF_SECTIONS_H
#define PERF_OBJ_ELF_SECTIONS_H

#include <libelf.h>
#include "../base/types.h"
#include "../base/vec.h"

/* libdw takes sections whose names keep() does not want as empty */
void elf_sections_keep(Elf *elf, bool (*keep)(const char *name, const void *ctx), const void *ctx);

/* the section is not compressed and contains these bytes, which must live until elf_end() */
void elf_section_replace(Elf_Scn *scn, void *bytes, size_t len);

/* bytes of unpacked sections; zeroed: there are none. Released after elf_end() */
struct elf_unpacked {
	VEC(u8 *);
};
/* unpacks the section if it is compressed with zstd; damaged ones stay as they are */
void elf_section_unpack(struct elf_unpacked *u, Elf *elf, Elf_Scn *scn);
/* all sections that are not hidden */
void elf_sections_unpack(struct elf_unpacked *u, Elf *elf);
/* the bytes of a section, unpacked; NULL: it has none. u: NULL if elf_sections_unpack() was called */
Elf_Data *elf_section_data(Elf *elf, const char *name, struct elf_unpacked *u);
void elf_unpacked_release(struct elf_unpacked *u);

#endif
