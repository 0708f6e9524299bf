/*
 * Sympack: the symbols, source lines and inlined functions of the addresses that a recording has, as bytes
 * that are stored in it (header feature PACKED_SYMBOLS): what is needed to report without any other file. All
 * numbers are little endian or LEB128, so any machine reads it:
 *
 *	u32 version (1), u32 size of the strings, the strings: each with a NUL; the first one is ""
 *	number of dsos; each:
 *	  kind (enum dso_kind), name, size of the build-id and its bytes, inode, generation, major, minor,
 *	  pid, letter of the symbols' source, flags, file, reason
 *	  number of segments; each: vaddr, offset, size in the file, size in memory, executable
 *	  number of symbols; each: start minus the one before, size, name, u8 binding, u8 type
 *	  number of lines; each: address minus the one before, file, line, number of inlined functions; each:
 *	    name, file, line
 *
 * Flags: 1 adjust, 2 debug_info, 4 spare. A string is given as its offset in the strings. Names are raw:
 * mangled as they were. All bytes are regarded as hostile.
 */
#ifndef PERF_OBJ_SYMPACK_H
#define PERF_OBJ_SYMPACK_H

#include "../base/err.h"
#include "../base/hash.h"
#include "../base/strbuf.h"
#include "dwarf-lines.h"
#include "elf-obj.h"

/* a letter: a profile of another program, whose addresses are made up: no file has code at them */
#define SYMPACK_IMPORTED 'I'

/* kinds of dsos in files, for those who know no enum dso_kind, of which they are a part */
enum sympack_kind { SYMPACK_USER = 0, SYMPACK_KERNEL = 3, SYMPACK_MODULE = 4 };

struct sympack_line {
	u64 addr;			/* in the dso, as loc.dso_addr */
	struct line_info info;		/* files are not NULL, but "" if unknown */
};

struct sympack_dso {
	/* whose it is: members of struct dso */
	u32 kind;
	const char *name;		/* its long name */
	u8 id[ELF_BUILDID_MAX], id_len;
	u64 ino, ino_gen;
	u32 maj, min;
	s32 pid;
	char letter;			/* see util/sym/sources.def; 0: no symbols were found */
	bool adjust, debug_info;	/* members of struct symtab */
	bool spare;		/* there are more in the file itself: this is used if that is gone */
	const char *file;		/* where the symbols were found */
	const char *reason;		/* what is missing, and what to do; "": nothing */
	u32 nr_segs, nr_syms, nr_lines;
	const struct elf_segment *seg;
	const struct symbol *sym;	/* sorted by start */
	const struct sympack_line *line;	/* sorted by addr */
};

struct sympack {
	u32 nr;
	struct sympack_dso *dso;
	struct hidx idx;		/* by hash_str(name) */
	struct arena arena;		/* all that is above */
};

void sympack_write(struct strbuf *out, const struct sympack_dso *dso, u32 nr);
/* copies what it needs of the bytes. NULL with err: they are damaged, or of a later version */
struct sympack *sympack_read(const void *p, u64 size, struct err *err);
void sympack_free(struct sympack *p);
/* perf pack made it: it has all that the recording needs, and maps of generated code are in the recording */
bool sympack_is_whole(const struct sympack *p);
/* NULL: unknown */
const struct sympack_line *sympack_line(const struct sympack_dso *d, u64 addr);

#endif
