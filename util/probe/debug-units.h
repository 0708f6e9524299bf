/*
 * Debug-units: the units of a file's debug information, with the parts that are split from it (.dwo, .dwp).
 * Entries are read when a place needs them, and their memory is given back. One thread at a time.
 */
#ifndef PERF_PROBE_DEBUG_UNITS_H
#define PERF_PROBE_DEBUG_UNITS_H

#include "../base/vec.h"
#include "die.h"

struct debug_binary;
struct err;

/* code of a function that is a child of its unit */
struct debug_function {
	u64 start, end;
	Dwarf_Die die;
};

struct debug_unit {
	Dwarf_Die die;		/* of the file; a split unit: its skeleton, which has the line table */
	Dwarf_Die info;		/* with the functions: of a .dwo file or a package, or equal to die */
	u64 start, end;		/* in .debug_info */
	u64 str_offsets;	/* its base in .debug_str_offsets */
	u64 lines;		/* debug_unit_lines() */
	bool is_split, has_str_offsets, lines_read;
	/* functions sorted by start; read when many addresses of the unit are looked up (scopes.c) */
	struct { VEC(struct debug_function); } function;
	u32 nr_lookups;
};

struct debug_code {
	u64 start, end;
	u32 unit;
};

struct debug_units {
	VEC(struct debug_unit);	/* compile units, in file order */
	const struct debug_binary *file;
	struct dwarf_split *split;
	const char *absent;	/* a .dwo file that is in no package either; NULL: all are found */
	u32 nr_absent;		/* units that have only their lines because of that */
	struct { VEC(struct debug_code); } code;	/* sorted by start; filled when needed */
	const struct debug_unit *used;	/* of the last address that was looked up; or NULL */
	u64 nr_walked;		/* bytes of units dropped since strings were: debug_unit_drop() */
};

/* file must outlive u. 0, or -ENODATA if there are no units */
int debug_units_read(struct debug_units *u, const struct debug_binary *file, struct err *err);
void debug_units_release(struct debug_units *u);

/* the unit that contains code at svma; NULL: none */
struct debug_unit *debug_units_at(struct debug_units *u, u64 svma);
/* the last unit that begins at or before an offset of .debug_info; NULL: none */
struct debug_unit *debug_units_of_offset(struct debug_units *u, u64 off);
/* the unit was read as a whole: its bytes, and now and then all strings, leave memory until needed again */
void debug_unit_drop(struct debug_units *u, const struct debug_unit *unit);
/* addresses of the unit are looked up next: drops the one before it */
void debug_unit_use(struct debug_units *u, const struct debug_unit *unit);

/* offset of its line program in .debug_line; UINT64_MAX: none */
u64 debug_unit_lines(struct debug_unit *unit);
/* true if the unit was written in C or assembler, whose functions have only the names of their symbols */
bool debug_unit_is_c(struct debug_unit *unit);
/* where the source declares die, an entry of this unit or of one it refers to; false: unknown */
bool debug_unit_decl(struct debug_unit *unit, Dwarf_Die *die, const char **ret_file, u32 *ret_line);

#endif
