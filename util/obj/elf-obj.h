/*
 * Elf-obj: an ELF file opened for reading: its kind, build-id, loaded segments, debug link and symbols. Uses
 * libelf and maps the file; debug sections are not read. Any class and byte order. Every field of the file is
 * regarded as hostile.
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
	struct mapping map;	/* of the file, private; safe if the file is truncated */
	void *image;		/* owned bytes of an object in memory (unpacked files), or NULL */
	GElf_Ehdr ehdr;
	size_t shstrndx;
	struct { VEC(struct elf_segment); } seg;	/* PT_LOAD rows in file order */
};

/* NULL with err if the file cannot be opened or is not an ELF file */
struct elf_obj *elf_obj_open(const char *path, struct err *err);
/* always takes ownership of image (malloc'ed); name is only for messages */
struct elf_obj *elf_obj_from_image(void *image, size_t size, const char *name, struct err *err);
void elf_obj_free(struct elf_obj *o);
/* long tables of a file are read in pieces of this number of rows, with elf_obj_rest() between them */
#define ELF_ROWS_AT_ONCE 32768u
/*
 * Pages of the file that were read need not stay in memory: whoever reads them again waits a little. Some
 * files have tables of 30 MB that are read once
 */
void elf_obj_rest(const struct elf_obj *o);

/* writes at most ELF_BUILDID_MAX bytes to id and returns their number; 0: it has none */
int elf_obj_buildid(const struct elf_obj *o, u8 *id);
/* finds the id in raw note bytes (as of /sys/kernel/notes); align is 4 or 8 */
int elf_note_buildid(const void *notes, size_t size, u64 align, bool swap, u8 *id);

/* converts between svma and file offset by the PT_LOAD segments; false if no segment covers it */
bool elf_obj_svma_to_off(const struct elf_obj *o, u64 svma, u64 *off);
bool elf_obj_off_to_svma(const struct elf_obj *o, u64 off, u64 *svma);
bool elf_segments_off_to_svma(const struct elf_segment *seg, size_t nr, u64 off, u64 *svma);

/* finds a section by name, NULL: none; its header is copied to shdr */
Elf_Scn *elf_obj_section(const struct elf_obj *o, const char *name, GElf_Shdr *shdr);
bool elf_obj_has_symtab(const struct elf_obj *o);
/* file name and CRC of .gnu_debuglink; NULL: none. The string is inside the file's bytes */
const char *elf_obj_debuglink(const struct elf_obj *o, u32 *crc);

/* how symbol values become addresses of the dso */
struct elf_addr_map {
	const struct elf_obj *runtime;	/* its segments convert svmas to file offsets; NULL: bias is used */
	u64 bias;			/* added if runtime is NULL */
	/* ET_REL: run-time address of each section (0: not loaded); used instead of the two above */
	const u64 *section_base;
	size_t nr_sections;
};

enum elf_symbols { ELF_SYMBOLS_SYMTAB, ELF_SYMBOLS_DYNSYM };
/* adds the symbols of a table that name code or data; returns their number */
size_t elf_obj_symbols(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
		       struct symvec *v);
/* calls fn for each of these symbols, in the order of the table; their names live as long as o */
typedef void (*elf_symbol_fn)(void *ctx, const struct symbol *s);
void elf_obj_each_symbol(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
			 elf_symbol_fn fn, void *ctx);
/*
 * adds only those that decide which symbol symvec_find() finds at an address of the dso: the ones that
 * contain it, the nearest ones before and after it, and all between these. Returns their number
 */
size_t elf_obj_symbols_at(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
			  u64 at, struct symvec *v);
/* value of the first symbol of .symtab with that name; false: there is none */
bool elf_obj_symbol_value(const struct elf_obj *o, const char *name, u64 *value);
/*
 * adds "name@plt" for each entry of the procedure linkage tables; returns their number. All other symbols
 * must be in v, which is settled
 */
size_t elf_obj_plt_symbols(const struct elf_obj *o, const struct elf_addr_map *map, struct symvec *v);
/*
 * adds "[FILE+0xOFFSET]" for each range of code with unwind information that begins in none of the symbols of
 * v, which is settled; their addresses are offsets in the file, their binding is SYMBOL_GUESSED. Returns
 * their number
 */
size_t elf_obj_frame_symbols(const struct elf_obj *o, const char *file, struct symvec *v);

#endif
