/*
 * Elf-image: the bytes of an ELF file at addresses as linked, as a loader that moves the file by nothing
 * would leave them: pointers that relocations fill in are filled in. Only little-endian files of 64 bits are
 * read. An object belongs to one thread at a time.
 */
#ifndef PERF_OBJ_ELF_IMAGE_H
#define PERF_OBJ_ELF_IMAGE_H

#include "elf-obj.h"

struct elf_image;

/* takes ownership of o; NULL if o is NULL. relative: type of relocations that add the base; 0: unknown */
struct elf_image *elf_image_new(struct elf_obj *o, u16 relative);
void elf_image_free(struct elf_image *im);

const struct elf_obj *elf_image_file(const struct elf_image *im);
/* len bytes of the file; NULL: not all of them are in it */
const u8 *elf_image_at(const struct elf_image *im, u64 svma, u64 len);
/* the number of 4 or 8 bytes there; false: it is not in the file */
bool elf_image_number(struct elf_image *im, u64 svma, u32 size, u64 *ret);

/* a pointer that is filled in */
struct elf_pointer {
	u64 at, to;
};
/* all of them, by address */
const struct elf_pointer *elf_image_pointers(struct elf_image *im, size_t *ret_nr);

#endif
