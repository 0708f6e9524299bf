/* Debug-units: reads the headers of units, and looks them up by address and offset. */
#include "debug-units.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include "../obj/dwarf-split.h"
#include "debug-binary.h"
#include "debug-sections.h"
#include "point.h"
#include "../base/search.h"

#define STRINGS_KEPT (4u << 20)	/* bytes of units that are read until strings are dropped */

static void note_absent(struct debug_units *all, Dwarf_Die *skeleton)
{
	Dwarf_Attribute a;

	if (!all->nr_absent++ && (dwarf_attr(skeleton, DW_AT_dwo_name, &a) ||
				dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &a)))
		all->absent = dwarf_formstring(&a);
}

/* reads the attributes of the unit's entry; false: the unit has no code */
static bool read_unit(struct debug_units *all, struct debug_unit *u)
{
	int tag = dwarf_tag(&u->die);

	if (tag == DW_TAG_invalid || tag == DW_TAG_type_unit)
		return false;
	if (dwarf_is_skeleton(&u->die)) {
		u->is_split = true;
		if (!dwarf_split_unit(all->split, &u->die, &u->info)) {
			u->info = u->die;
			note_absent(all, &u->die);
		}
	}
	u->has_str_offsets = die_u64(&u->die, DW_AT_str_offsets_base, &u->str_offsets);
	return true;
}

/*
 * Reading the entry of a unit makes libdw read nearly all abbreviations, because compilers give it one of
 * the last. From DWARF 5 on the header tells the kind of unit, and attributes are only needed if the file
 * has offsets of strings. The first unit is always read, to detect a damaged file
 */
static void read_units(struct debug_units *all)
{
	GElf_Shdr sh;
	bool headers_suffice = !elf_obj_section(all->file->obj, ".debug_str_offsets", &sh);
	Dwarf_CU *cu = NULL;
	Dwarf_Half version;
	Dwarf_Die die;
	u8 type;

	while (!dwarf_get_units(all->file->dw, cu, &cu, &version, &type, &die, NULL)) {
		struct debug_unit u = { .die = die, .info = die, .start = dwarf_dieoffset(&die),
					.end = UINT64_MAX };
		bool is_known = headers_suffice && all->nr && version >= 5 &&
				(type == DW_UT_compile || type == DW_UT_partial);

		if (!is_known && !read_unit(all, &u))
			continue;
		if (all->nr)
			all->v[all->nr - 1].end = u.start;
		vec_push(all, u);
	}
}

u64 debug_unit_lines(struct debug_unit *unit)
{
	if (!unit->lines_read && !die_u64(&unit->die, DW_AT_stmt_list, &unit->lines))
		unit->lines = UINT64_MAX;
	unit->lines_read = true;
	return unit->lines;
}

int debug_units_read(struct debug_units *u, const struct debug_binary *file, struct err *err)
{
	u->file = file;
	u->split = dwarf_split_new(file->dw, file->path, file->t->path);
	read_units(u);
	return u->nr ? 0 : err_set(err, -ENODATA, "%s: no debug information can be read", file->path);
}

void debug_units_release(struct debug_units *u)
{
	dwarf_split_free(u->split);
	vec_foreach(u, unit)
		vec_release(&unit->function);
	vec_release(u);
	vec_release(&u->code);
}

struct debug_unit *debug_units_of_offset(struct debug_units *u, u64 off)
{
	size_t lo = LOWER_BOUND(u->nr, i, u->v[i].start <= off);

	return lo ? &u->v[lo - 1] : NULL;
}

static int by_start(const void *pa, const void *pb)
{
	const struct debug_code *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void read_code(struct debug_units *all)
{
	Dwarf_Addr base, start, end;

	vec_foreach(all, u) {
		ptrdiff_t pos = 0;

		if (dwarf_tag(&u->die) == DW_TAG_partial_unit)
			continue;
		while ((pos = dwarf_ranges(&u->die, pos, &base, &start, &end)) > 0)
			if (start < end)
				vec_push(&all->code, (struct debug_code){ start, end, u - all->v });
	}
	if (all->code.nr)
		qsort(all->code.v, all->code.nr, sizeof(*all->code.v), by_start);
}

struct debug_unit *debug_units_at(struct debug_units *all, u64 svma)
{
	size_t lo;

	if (!all->code.nr)
		read_code(all);
	lo = LOWER_BOUND(all->code.nr, i, all->code.v[i].start <= svma);
	/* ranges of units do not overlap in good data; one of length that lies is passed over */
	for (size_t back = 0; back < 8 && lo > back; back++)
		if (svma < all->code.v[lo - 1 - back].end)
			return &all->v[all->code.v[lo - 1 - back].unit];
	return NULL;
}

void debug_unit_drop(struct debug_units *u, const struct debug_unit *unit)
{
	struct debug_section s;

	if (unit->is_split || !debug_section_mapped(u->file, ".debug_info", &s) || unit->start > s.size)
		return;
	debug_pages_drop(s.data + unit->start, s.data + MIN(unit->end, s.size));
	u->nr_walked += MIN(unit->end, s.size) - unit->start;
	if (u->nr_walked < STRINGS_KEPT)
		return;
	u->nr_walked = 0;
	if (debug_section_mapped(u->file, ".debug_str", &s))
		debug_pages_drop(s.data, s.data + s.size);
}

void debug_unit_use(struct debug_units *u, const struct debug_unit *unit)
{
	if (u->used && u->used != unit)
		debug_unit_drop(u, u->used);
	u->used = unit;
}

bool debug_unit_is_c(struct debug_unit *unit)
{
	u64 language;

	if (!die_u64(&unit->info, DW_AT_language, &language))
		return false;
	return language == DW_LANG_C89 || language == DW_LANG_C || language == DW_LANG_C99 ||
	       language == DW_LANG_C11 || language == DW_LANG_Mips_Assembler;
}

static const char *file_of_unit(Dwarf_Die *unit, u64 i)
{
	Dwarf_Files *files;
	const char *path;
	size_t nr;

	if (dwarf_getsrcfiles(unit, &files, &nr) || i >= nr)
		return NULL;
	path = dwarf_filesrc(files, i, NULL, NULL);
	/* number 0 is a file since DWARF 5; before, libdw invents a name for it */
	return path && (i || path[0] != '?') ? path : NULL;
}

/*
 * not by dwarf_decl_file(), which ends the program if the table of a .dwo file's unit is damaged or missing
 */
bool debug_unit_decl(struct debug_unit *unit, Dwarf_Die *die, const char **ret_file, u32 *ret_line)
{
	Dwarf_Die d = *die, own;
	const char *path = NULL;
	Dwarf_Attribute a;
	Dwarf_Word file;
	u64 line;

	/* the number counts in the unit of the entry that has the attribute */
	for (int i = 0; i < DIE_DEPTH_MAX && !dwarf_attr(&d, DW_AT_decl_file, &a); i++) {
		if (!dwarf_attr(&d, DW_AT_abstract_origin, &a) && !dwarf_attr(&d, DW_AT_specification, &a))
			return false;
		if (!dwarf_formref_die(&a, &d))
			return false;
	}
	if (!dwarf_attr(&d, DW_AT_decl_file, &a) || dwarf_formudata(&a, &file))
		return false;
	if (dwarf_diecu(&d, &own, NULL, NULL))
		path = file_of_unit(&own, file);
	if (!path && unit && unit->is_split)
		path = file_of_unit(&unit->die, file);
	if (!path || !die_u64(die, DW_AT_decl_line, &line) || !line || line > INT32_MAX)
		return false;
	*ret_file = path;
	*ret_line = line;
	return true;
}
