/*
 * Dwarf-lines: source lines and inlined functions of code addresses, from a file's DWARF through libdw. An
 * object belongs to one thread at a time; the strings that it returns live as long as it does. Compilation
 * units, also those of split debug information (dwarf-split.h), are read when an address first needs them.
 */
#ifndef PERF_OBJ_DWARF_LINES_H
#define PERF_OBJ_DWARF_LINES_H

#include <elfutils/libdw.h>
#include "../base/arena.h"
#include "../base/types.h"
#include "svma-range.h"

struct dwarf_lines;

/*
 * NULL if the file cannot be read or has no DWARF. If lines is false, the line table is not unpacked, and
 * must not be needed below. program: the file that it describes, or NULL; packages of split debug information
 * are searched beside both
 */
struct dwarf_lines *dwarf_lines_open(const char *path, const char *program, bool lines);
/*
 * the same without lines, and only for addresses in these ranges, which are sorted and do not overlap: other
 * units may stay packed
 */
struct dwarf_lines *dwarf_lines_open_for(const char *path, const char *program,
					 const struct svma_range *range, size_t nr);
void dwarf_lines_free(struct dwarf_lines *d);
/* about how many bytes of memory it takes, without mapped files */
u64 dwarf_lines_bytes(const struct dwarf_lines *d);
/* dwarf_split_missing() of the addresses that were looked up */
const char *dwarf_lines_missing(const struct dwarf_lines *d, u32 *ret_nr);
/* the same with all sections, for types and variables (dwarf-types.h) */
struct dwarf_lines *dwarf_lines_open_all(const char *path, const char *program);
/*
 * the function at an address (not an inlined copy), and its unit: number, and DIE with types and functions;
 * false: there is none
 */
bool dwarf_lines_function(struct dwarf_lines *d, u64 svma, u64 *ret_unit, Dwarf_Die *ret_info,
			  Dwarf_Die *ret_function);
/* the file; it belongs to d */
Elf *dwarf_lines_elf(struct dwarf_lines *d);
/* the DIE of a unit by its number; false: dwarf_lines_function() has not found a function of it */
bool dwarf_lines_unit(struct dwarf_lines *d, u64 unit, Dwarf_Die *ret);

struct line_call {
	/* inlined function: its linkage name if it has one, not demangled; "" unknown */
	const char *name;
	const char *file;	/* source file of its code at the address, NULL: unknown */
	u32 line;
};

struct line_info {
	/* of the function that contains the address when inlining is undone; NULL: unknown */
	const char *file;
	u32 line;
	u32 nr_inlined;
	const struct line_call *inlined;	/* innermost first, without the function itself */
};

/*
 * svma: address as linked. False if nothing is known; arrays are allocated in arena. Without lines, files are
 * NULL and lines 0: names of inlined functions need no line table, and reading it costs more than everything
 * else.
 */
bool dwarf_lines_find(struct dwarf_lines *d, u64 svma, bool lines, struct arena *arena,
		      struct line_info *ret);
/* the same without lines; same: the addresses around svma with the same answer, end is exclusive */
bool dwarf_lines_inlined(struct dwarf_lines *d, u64 svma, struct arena *arena, struct line_info *ret,
			 struct svma_range *same);

#endif
