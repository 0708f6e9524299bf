/*
 * Dwarf-package: packages of split debug information (PROGRAM.dwp, made by dwp or llvm-dwp), and the parts of
 * their sections that belong to a unit. Reads the index of DWARF 5 and the older one of GNU tools. All of a
 * file is hostile: parts are inside their sections, and a damaged index has no units.
 */
#ifndef PERF_OBJ_DWARF_PACKAGE_H
#define PERF_OBJ_DWARF_PACKAGE_H

#include "../base/types.h"

enum package_section {
	PACKAGE_INFO,
	PACKAGE_TYPES,		/* type units before DWARF 5 */
	PACKAGE_ABBREV,
	PACKAGE_LINE,
	PACKAGE_LOC,		/* .debug_loc.dwo, since DWARF 5 .debug_loclists.dwo */
	PACKAGE_STR_OFFSETS,
	PACKAGE_RNGLISTS,
	NR_PACKAGE_SECTIONS,
};

/* a unit's part of a section; size 0: it has none */
struct package_part {
	u64 off, size;
};

struct package_index {
	const u8 *ids, *rows, *offsets, *sizes;	/* into the section */
	u32 nr_columns, nr_units, nr_slots;
	bool swap, v5;
	s8 column[NR_PACKAGE_SECTIONS];		/* -1: none */
};

/* reads .debug_cu_index or .debug_tu_index; false if it is damaged. p must outlive the index */
bool package_index_read(struct package_index *ret, const void *p, size_t size, bool swap);
/* the parts of the unit with that id, not checked against the sizes of sections; false: no such unit */
bool package_index_find(const struct package_index *x, u64 id, struct package_part ret[NR_PACKAGE_SECTIONS]);
/* the same by row number from 0; false: there are fewer rows */
bool package_index_row(const struct package_index *x, u32 row, struct package_part ret[NR_PACKAGE_SECTIONS]);

/* bytes of a section; they belong to the package */
struct package_bytes {
	const u8 *p;
	size_t size;
};

struct dwarf_package;

/* NULL if it cannot be read or has no index */
struct dwarf_package *dwarf_package_open(const char *path);
void dwarf_package_free(struct dwarf_package *p);
/* the parts of the compile unit; false: it is not in the package, or damaged */
bool dwarf_package_unit(struct dwarf_package *p, u64 id, struct package_bytes ret[NR_PACKAGE_SECTIONS]);
/*
 * The next type unit from row *i on that was packed from the same object file as a compile unit: it uses the
 * same abbreviations and strings as unit, the parts of that one. *i becomes the row after it. False: there
 * are no more
 */
bool dwarf_package_type_unit(struct dwarf_package *p, const struct package_bytes unit[NR_PACKAGE_SECTIONS],
			     u32 *i, struct package_bytes ret[NR_PACKAGE_SECTIONS]);
/* all strings of the package */
struct package_bytes dwarf_package_strings(struct dwarf_package *p);
/* bytes of the file */
u64 dwarf_package_size(const struct dwarf_package *p);

#endif
