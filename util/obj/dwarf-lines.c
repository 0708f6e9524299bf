/* Source lines and inlined functions through libdw. */
#include "dwarf-lines.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../base/hash.h"
#include "../base/vec.h"
#include "../lib/lib.h"
#include "dwarf-needed.h"
#include "dwarf-scopes.h"
#include "dwarf-split.h"
#include "elf-sections.h"
#include "../base/search.h"

#define LOOK_BACK 8	/* ranges that a later one may be nested in */
#define DEPTH_MAX 64	/* of nested blocks, namespaces, inlining: deeper nesting is damage */

struct code_range {
	u64 start, end;
	Dwarf_Off die;
	u32 unit;		/* of a unit: its index */
};

struct ranges {
	VEC(struct code_range);
};

struct unit {
	Dwarf_Off die;		/* has the line table */
	Dwarf_Die info;		/* has the functions: the same, or what a skeleton stands for */
	/*
	 * functions that were read: those in namespaces and classes; then also those inside other functions
	 */
	bool read, inner;
	bool old;		/* of DWARF 2: tells only the range of its section .text */
	struct ranges functions;
};

/* a relative name of a source file, as libdw returned it, below the directory of its unit */
struct full_path {
	const char *name, *full;
};

struct dwarf_lines {
	int fd;
	Elf *elf;
	struct dwarf_needed *needed;	/* or NULL */
	struct elf_unpacked unpacked;
	u64 nr_unpacked;	/* bytes of sections that were compressed */
	Dwarf *dw;
	struct dwarf_split *split;
	struct ranges units;	/* sorted by start; unit is the index below */
	bool old_units;		/* some are old, and their functions are not in units yet */
	struct { VEC(struct unit); } unit;
	struct { VEC(struct full_path); } path;
	struct hidx by_name;
	struct arena paths;
	struct dwarf_scopes scopes;	/* of the function that was asked for last */
};

static int by_start(const void *pa, const void *pb)
{
	const struct code_range *a = pa, *b = pb;

	return a->start < b->start ? -1 : a->start > b->start;
}

static void add_ranges(struct ranges *r, Dwarf_Die *die, u32 unit)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t pos = 0;

	while ((pos = dwarf_ranges(die, pos, &base, &start, &end)) > 0)
		if (start < end)
			vec_push(r, (struct code_range){ start, end, dwarf_dieoffset(die), unit });
}

static const struct code_range *find_range(const struct ranges *r, u64 addr)
{
	size_t lo = LOWER_BOUND(r->nr, i, r->v[i].start <= addr);

	/*
	 * ranges of one level are not nested in good data; looks a little back for the range that contains
	 * the address
	 */
	for (size_t k = 0; k < LOOK_BACK && lo > k; k++)
		if (addr < r->v[lo - 1 - k].end)
			return &r->v[lo - 1 - k];
	return NULL;
}

/* narrows same to addresses around addr for which find_range() returns the same */
static void narrow(const struct ranges *r, u64 addr, struct svma_range *same)
{
	size_t lo = LOWER_BOUND(r->nr, i, r->v[i].start <= addr);

	if (lo < r->nr)
		svma_range_narrow(same, addr, r->v[lo].start);
	if (lo)
		svma_range_narrow(same, addr, r->v[lo - 1].start);
	for (size_t k = 0; k < LOOK_BACK && lo > k; k++)
		svma_range_narrow(same, addr, r->v[lo - 1 - k].end);
}

/*
 * the other sections do not contain where functions and their inlined callees are; line numbers do not either
 */
static bool is_needed(const char *section, const void *ctx)
{
	static const char *const unused[] = { ".debug_loc", ".debug_loclists", ".debug_aranges",
		".debug_frame", ".debug_macro", ".debug_macinfo", ".debug_pubnames", ".debug_pubtypes",
		".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_names" };
	const bool *lines = ctx;

	for (size_t i = 0; i < ARRAY_SIZE(unused); i++)
		if (!strcmp(section, unused[i]))
			return false;
	/* names of directories and files */
	return *lines || (strcmp(section, ".debug_line") && strcmp(section, ".debug_line_str"));
}

/* libelf reads what it cannot map; only anonymous memory, which it uses then, can be wiped by a fork */
static bool is_mapped_file(char *p, size_t page)
{
	if (madvise(p, page, MADV_WIPEONFORK))
		return errno == EINVAL;
	madvise(p, page, MADV_KEEPONFORK);
	return false;
}

/*
 * unpacked sections are not read from the file again. The table of sections stays: this program's copy may
 * have been changed
 */
static void rest_file(Elf *elf)
{
	size_t page = sysconf(_SC_PAGESIZE), size, len;
	char *p = elf_rawfile(elf, &size);
	GElf_Ehdr eh;

	if (!p || !gelf_getehdr(elf, &eh) || (uintptr_t)p % page)
		return;
	len = MIN(size, eh.e_shoff) & ~(page - 1);
	if (len && is_mapped_file(p, page))
		madvise(p, len, MADV_DONTNEED);
}

/* a page is mapped with its neighbours: headers of some hundred units would keep megabytes of the file */
#define UNITS_AT_ONCE 32

/* what libdw shall read: all sections; those that inlined functions need; and lines */
enum extent { EXTENT_INLINES, EXTENT_LINES, EXTENT_ALL };

/* of what libdw will unpack */
static u64 packed_size(Elf *elf)
{
	Elf_Scn *scn = NULL;
	u64 ret = 0;
	size_t names;
	GElf_Shdr sh;
	GElf_Chdr ch;

	if (elf_getshdrstrndx(elf, &names))
		return 0;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (name && sh.sh_type != SHT_NOBITS && (sh.sh_flags & SHF_COMPRESSED) &&
		    gelf_getchdr(scn, &ch))
			ret += ch.ch_size;
	}
	return ret;
}

u64 dwarf_lines_bytes(const struct dwarf_lines *d)
{
	u64 ret = sizeof(*d) + d->nr_unpacked + d->units.alloc * sizeof(*d->units.v) +
		  d->unit.alloc * sizeof(*d->unit.v) + d->path.alloc * sizeof(*d->path.v) + d->paths.total;

	vec_foreach(&d->unit, u)
		ret += u->functions.alloc * sizeof(*u->functions.v);
	return ret;
}

/* only for addresses in these ranges; NULL: for any */
static struct dwarf_lines *open_file(const char *path, const char *program, enum extent extent,
				     const struct svma_range *range, size_t nr)
{
	const bool lines = extent == EXTENT_LINES;
	struct dwarf_lines *d;
	Dwarf_Off off = 0, next;
	Dwarf_Half version;
	size_t size;

	if (!lib_usable(LIB_libdw) || !lib_usable(LIB_libelf))
		return NULL;
	elf_version(EV_CURRENT);
	d = xcalloc(1, sizeof(*d));
	d->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (d->fd >= 0)
		d->elf = elf_begin(d->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (d->elf && elf_kind(d->elf) == ELF_K_ELF) {
		if (range)
			d->needed = dwarf_needed_units(d->elf, d->fd, range, nr);
		/* libdw unpacks every section that it knows */
		if (extent != EXTENT_ALL)
			elf_sections_keep(d->elf, is_needed, &lines);
		d->nr_unpacked = d->needed ? 0 : packed_size(d->elf);
		elf_sections_unpack(&d->unpacked, d->elf);
		d->dw = dwarf_begin_elf(d->elf, DWARF_C_READ, NULL);
		rest_file(d->elf);
	}
	if (!d->dw) {
		dwarf_lines_free(d);
		return NULL;
	}
	d->split = dwarf_split_new(d->dw, path, program);
	while (dwarf_next_unit(d->dw, off, &next, &size, &version, NULL, NULL, NULL, NULL, NULL) == 0) {
		Dwarf_Die die;

		if (dwarf_offdie(d->dw, off + size, &die)) {
			bool old = version <= 2 && !dwarf_hasattr(&die, DW_AT_ranges);

			add_ranges(&d->units, &die, d->unit.nr);
			vec_push(&d->unit, (struct unit){ .die = off + size, .old = old });
			d->old_units |= old;
		}
		if (d->unit.nr % UNITS_AT_ONCE == 0)
			rest_file(d->elf);
		if (next <= off)
			break;
		off = next;
	}
	if (d->units.nr)
		qsort(d->units.v, d->units.nr, sizeof(*d->units.v), by_start);
	return d;
}

const char *dwarf_lines_missing(const struct dwarf_lines *d, u32 *ret_nr)
{
	return dwarf_split_missing(d->split, ret_nr);
}

struct dwarf_lines *dwarf_lines_open(const char *path, const char *program, bool lines)
{
	return open_file(path, program, lines ? EXTENT_LINES : EXTENT_INLINES, NULL, 0);
}

struct dwarf_lines *dwarf_lines_open_for(const char *path, const char *program,
					 const struct svma_range *range, size_t nr)
{
	return open_file(path, program, EXTENT_INLINES, range, nr);
}

struct dwarf_lines *dwarf_lines_open_all(const char *path, const char *program)
{
	return open_file(path, program, EXTENT_ALL, NULL, 0);
}

void dwarf_lines_free(struct dwarf_lines *d)
{
	if (!d)
		return;
	vec_foreach(&d->unit, u)
		vec_release(&u->functions);
	vec_release(&d->unit);
	vec_release(&d->units);
	vec_release(&d->path);
	hidx_release(&d->by_name);
	arena_release(&d->paths);
	dwarf_scopes_release(&d->scopes);
	dwarf_split_free(d->split);
	if (d->dw)
		dwarf_end(d->dw);
	if (d->elf)
		elf_end(d->elf);
	dwarf_needed_free(d->needed);
	elf_unpacked_release(&d->unpacked);
	if (d->fd >= 0)
		close(d->fd);
	free(d);
}

/* functions with code, also in namespaces and classes, and if inner is set, inside other functions */
static void read_functions(struct unit *u, Dwarf_Die *parent, int depth)
{
	Dwarf_Die die;

	if (depth > DEPTH_MAX || dwarf_child(parent, &die) != 0)
		return;
	do {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			add_ranges(&u->functions, &die, 0);
			if (u->inner)
				read_functions(u, &die, depth + 1);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_namespace:
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_module:
			read_functions(u, &die, depth + 1);
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
}

static void list_functions(struct unit *u)
{
	u->functions.nr = 0;
	read_functions(u, &u->info, 0);
	if (u->functions.nr)
		qsort(u->functions.v, u->functions.nr, sizeof(*u->functions.v), by_start);
}

static bool read_unit(struct dwarf_lines *d, struct unit *u, Dwarf_Die *ret_die)
{
	if (!dwarf_offdie(d->dw, u->die, ret_die))
		return false;
	if (!u->read) {
		u->read = true;
		if (!dwarf_is_skeleton(ret_die) || !dwarf_split_unit(d->split, ret_die, &u->info))
			u->info = *ret_die;
		list_functions(u);
	}
	return true;
}

/* DWARF 2 has no lists of ranges: code in other sections (.text.startup) is in its functions */
static void add_old_units(struct dwarf_lines *d)
{
	struct ranges more = { 0 };
	Dwarf_Die die;

	d->old_units = false;
	vec_foreach(&d->unit, u) {
		if (!u->old || !read_unit(d, u, &die))
			continue;
		vec_foreach(&u->functions, f)
			if (!find_range(&d->units, f->start))
				vec_push(&more, (struct code_range){ f->start, f->end, u->die,
								     u - d->unit.v });
	}
	vec_foreach(&more, r)
		vec_push(&d->units, *r);
	vec_release(&more);
	if (d->units.nr)
		qsort(d->units.v, d->units.nr, sizeof(*d->units.v), by_start);
}

/* ret_die: the DIE with the line table */
static struct unit *unit_at(struct dwarf_lines *d, u64 addr, Dwarf_Die *ret_die)
{
	const struct code_range *r = find_range(&d->units, addr);
	struct unit *u;

	if (!r && d->old_units) {
		add_old_units(d);
		r = find_range(&d->units, addr);
	}
	if (!r)
		return NULL;
	u = &d->unit.v[r->unit];
	return read_unit(d, u, ret_die) ? u : NULL;
}

/* lambdas and methods of local classes are inside a function: only a unit that needs them is read so deep */
static const struct code_range *range_of_function(struct unit *u, u64 addr)
{
	const struct code_range *r = find_range(&u->functions, addr);

	if (r || u->inner)
		return r;
	u->inner = true;
	list_functions(u);
	return find_range(&u->functions, addr);
}

static bool function_at(struct unit *u, u64 addr, Dwarf_Die *ret)
{
	const struct code_range *r = range_of_function(u, addr);

	return r && dwarf_offdie(dwarf_cu_getdwarf(u->info.cu), r->die, ret);
}

bool dwarf_lines_function(struct dwarf_lines *d, u64 svma, u64 *ret_unit, Dwarf_Die *ret_info,
			  Dwarf_Die *ret_function)
{
	Dwarf_Die die;
	struct unit *u = unit_at(d, svma, &die);

	if (!u || !function_at(u, svma, ret_function))
		return false;
	*ret_unit = u - d->unit.v;
	*ret_info = u->info;
	return true;
}

Elf *dwarf_lines_elf(struct dwarf_lines *d)
{
	return d->elf;
}

bool dwarf_lines_unit(struct dwarf_lines *d, u64 unit, Dwarf_Die *ret)
{
	if (unit >= d->unit.nr || !d->unit.v[unit].read)
		return false;
	*ret = d->unit.v[unit].info;
	return true;
}

static const char *function_name(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr))
		name = dwarf_formstring(&attr);
	if (!name)
		name = dwarf_diename(die);
	return name ? name : "";
}

static u32 attr_u32(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word v;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &v) == 0 && v <= UINT32_MAX ? v : 0;
}

/*
 * A name that libdw leaves relative is relative to the directory of compilation: without it, neither a reader
 * nor srccode finds the file. libdw returns the same pointer for a file of a unit each time, and "???" for
 * number 0 where files begin at 1.
 */
static const char *full_path(struct dwarf_lines *d, Dwarf_Die *unit, const char *name)
{
	u64 hash = hash_u64((uintptr_t)name);
	struct full_path p = { name, name };
	Dwarf_Attribute attr;
	const char *dir;
	char *joined;
	u32 k;

	if (!name || name[0] == '/')
		return name;
	if (!strcmp(name, "???"))
		return NULL;
	HIDX_FOREACH(&d->by_name, hash, k)
		if (d->path.v[k].name == name)
			return d->path.v[k].full;
	dir = dwarf_attr(unit, DW_AT_comp_dir, &attr) ? dwarf_formstring(&attr) : NULL;
	if (dir && dir[0] == '/') {
		joined = xasprintf("%s/%s", dir, name);
		p.full = arena_strdup(&d->paths, joined);
		free(joined);
	}
	hidx_insert(&d->by_name, hash, d->path.nr);
	vec_push(&d->path, p);
	return p.full;
}

static const char *call_file(struct dwarf_lines *d, Dwarf_Die *unit, Dwarf_Die *die)
{
	Dwarf_Files *files;
	size_t nr;
	u32 idx = attr_u32(die, DW_AT_call_file);

	/* DWARF 2 does not know where calls are */
	if (!dwarf_hasattr(die, DW_AT_call_file) || dwarf_getsrcfiles(unit, &files, &nr) != 0 || idx >= nr)
		return NULL;
	return full_path(d, unit, dwarf_filesrc(files, idx, NULL, NULL));
}

/* same: NULL, or it is set */
static bool find(struct dwarf_lines *d, u64 svma, bool lines, struct arena *arena, struct line_info *ret,
		 struct svma_range *same)
{
	struct inlined found = { .nr = 0 };
	Dwarf_Die unit_die, func;
	struct line_call *calls = NULL;
	struct unit *u = unit_at(d, svma, &unit_die);
	Dwarf_Line *line;
	const char *file = NULL;
	int lineno = 0;

	*ret = (struct line_info){ NULL, 0, 0, NULL };
	if (same) {
		*same = (struct svma_range){ 0, UINT64_MAX };
		narrow(&d->units, svma, same);
	}
	if (!u)
		return false;
	line = lines ? dwarf_getsrc_die(&unit_die, svma) : NULL;
	if (line && dwarf_lineno(line, &lineno) == 0)
		file = full_path(d, &unit_die, dwarf_linesrc(line, NULL, NULL));
	if (function_at(u, svma, &func))
		dwarf_scopes_find(&d->scopes, &func, u->old, svma, &found, same);
	if (same)
		narrow(&u->functions, svma, same);
	if (found.nr)
		calls = arena_zalloc(arena, found.nr * sizeof(*calls));
	for (u32 i = 0; i < found.nr; i++) {
		Dwarf_Die *die = &found.die[found.nr - 1 - i];

		calls[i] = (struct line_call){ function_name(die), file, lineno };
		/* its caller is at the line of the call */
		file = lines ? call_file(d, &unit_die, die) : NULL;
		lineno = lines ? attr_u32(die, DW_AT_call_line) : 0;
	}
	*ret = (struct line_info){ file, lineno, found.nr, calls };
	return file || found.nr;
}

bool dwarf_lines_find(struct dwarf_lines *d, u64 svma, bool lines, struct arena *arena, struct line_info *ret)
{
	return find(d, svma, lines, arena, ret, NULL);
}

bool dwarf_lines_inlined(struct dwarf_lines *d, u64 svma, struct arena *arena, struct line_info *ret,
			 struct svma_range *same)
{
	return find(d, svma, false, arena, ret, same);
}
