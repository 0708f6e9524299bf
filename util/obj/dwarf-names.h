/*
 * Dwarf-names: the names of all functions in .debug_info, without libdw: as fast as bytes can be skipped, so
 * that all units can be read to make an index. Names that are only in .debug_str_offsets (DW_FORM_strx) are
 * left out; names in another file (dwz -m) are not read. Owns nothing; every byte is regarded as hostile.
 */
#ifndef PERF_OBJ_DWARF_NAMES_H
#define PERF_OBJ_DWARF_NAMES_H

#include "../base/vec.h"

struct dwarf_bytes {
	const u8 *p;
	size_t len;
};

struct dwarf_name_sections {
	struct dwarf_bytes info, abbrev, str;
	bool swap;			/* the file is in the other byte order */
};

/* a unit that may have functions: no type unit, and no skeleton of a split one */
struct dwarf_name_unit {
	u64 start, die, end;		/* the header, the first entry, the end */
	u64 abbrev;
	u16 version;
	u8 size_addr, size_off;
};

struct dwarf_name_units {
	VEC(struct dwarf_name_unit);
};

/* the entry at offset die of .debug_info is a function that has this name, or this linkage name */
typedef void dwarf_name_fn(void *ctx, u64 die, const char *name);

/* false: something is damaged, or of a kind that is not known; then ret has the units before it */
bool dwarf_name_units(const struct dwarf_name_sections *s, struct dwarf_name_units *ret);
/* the same for the functions of a unit, in the order of the file */
bool dwarf_names_of_unit(const struct dwarf_name_sections *s, const struct dwarf_name_unit *u,
			 dwarf_name_fn *fn, void *ctx);

#endif
