/*
 * Elf-obj: an ELF file opened for reading: what it is, its build-id, its loaded segments, its debug link, its symbols. Through
 * libelf, mapped; debug sections are not touched. Any class and byte order. Every field of the file is taken as hostile.
 */
#ifndef PERF_OBJ_ELF_OBJ_H
#define PERF_OBJ_ELF_OBJ_H

#include <gelf.h>
#include "../base/err.h"
#include "../base/mapping.h"
#include "../base/vec.h"
#include "symvec.h"

#define ELF_BUILDID_MAX 20

struct elf_segment {
	u64 vaddr, off, filesz, memsz;
	bool exec;
};

struct elf_obj {
	Elf *elf;
	struct mapping map;	/* of the file; safe against truncation meanwhile */
	void *image;		/* owned bytes of an object in memory (unpacked files), or NULL */
	GElf_Ehdr ehdr;
	size_t shstrndx;
	struct { VEC(struct elf_segment); } seg;	/* PT_LOAD rows in file order */
};

/* NULL with err set where the file cannot be opened or is no ELF file */
struct elf_obj *elf_obj_open(const char *path, struct err *err);
/* takes over image (malloc'ed) in any case; name only for messages */
struct elf_obj *elf_obj_from_image(void *image, size_t size, const char *name, struct err *err);
void elf_obj_free(struct elf_obj *o);

/* bytes written to id (at most ELF_BUILDID_MAX), 0: it has none */
int elf_obj_buildid(const struct elf_obj *o, u8 *id);
/* finds the id in raw note bytes (as of /sys/kernel/notes); align is 4 or 8 */
int elf_note_buildid(const void *notes, size_t size, u64 align, bool swap, u8 *id);

/* svma <-> file offset by the PT_LOAD segments; false where no segment covers it */
bool elf_obj_svma_to_off(const struct elf_obj *o, u64 svma, u64 *off);
bool elf_obj_off_to_svma(const struct elf_obj *o, u64 off, u64 *svma);
bool elf_segments_off_to_svma(const struct elf_segment *seg, size_t nr, u64 off, u64 *svma);

/* section by name, NULL: none; its header into shdr */
Elf_Scn *elf_obj_section(const struct elf_obj *o, const char *name, GElf_Shdr *shdr);
bool elf_obj_has_symtab(const struct elf_obj *o);
/* file name and CRC of .gnu_debuglink; NULL: none. The string is inside the file's bytes */
const char *elf_obj_debuglink(const struct elf_obj *o, u32 *crc);

/* how symbol values become addresses of the dso */
struct elf_addr_map {
	const struct elf_obj *runtime;	/* its segments turn svmas to file offsets; NULL: by bias */
	u64 bias;			/* added where runtime is NULL */
	const u64 *section_base;	/* ET_REL: run-time address of each section (0: not loaded); overrides the above */
	size_t nr_sections;
};

enum elf_symbols { ELF_SYMBOLS_SYMTAB, ELF_SYMBOLS_DYNSYM };
/* adds the symbols of a table that name code or data; returns how many */
size_t elf_obj_symbols(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map, struct symvec *v);
/* value of the first symbol of .symtab that is called name; false: not there */
bool elf_obj_symbol_value(const struct elf_obj *o, const char *name, u64 *value);
/* adds "name@plt" for each entry of the procedure linkage tables; returns how many. v is settled with all other symbols in it */
size_t elf_obj_plt_symbols(const struct elf_obj *o, const struct elf_addr_map *map, struct symvec *v);

#endif
