/* Dwarf-package: the index of packages (DWARF 5, 7.3.5), and bytes of their sections. */
#include "dwarf-package.h"

#include <endian.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/alloc.h"
#include "../base/cursor.h"
#include "../lib/lib.h"
#include "elf-sections.h"

#define COLUMNS_MAX 64u		/* the standard has 8 sections */

struct dwarf_package {
	int fd;
	Elf *elf;
	struct elf_unpacked unpacked;
	u64 size;
	struct package_index units, types;	/* types: nr_units 0 if there is none */
	struct package_bytes strings, section[NR_PACKAGE_SECTIONS];	/* read when they are needed */
	bool has_strings, has_section[NR_PACKAGE_SECTIONS];
};

/* the numbers of sections in the index, of version 2 (GNU) and 5 */
static enum package_section section_of_number(u32 number, bool v5)
{
	static const s8 gnu[] = { -1, PACKAGE_INFO, PACKAGE_TYPES, PACKAGE_ABBREV, PACKAGE_LINE, PACKAGE_LOC,
				  PACKAGE_STR_OFFSETS };
	static const s8 v5s[] = { -1, PACKAGE_INFO, -1, PACKAGE_ABBREV, PACKAGE_LINE, PACKAGE_LOC,
				  PACKAGE_STR_OFFSETS, -1, PACKAGE_RNGLISTS };
	const s8 *table = v5 ? v5s : gnu;
	s8 s = number < (v5 ? ARRAY_SIZE(v5s) : ARRAY_SIZE(gnu)) ? table[number] : -1;

	return s < 0 ? NR_PACKAGE_SECTIONS : (enum package_section)s;
}

bool package_index_read(struct package_index *ret, const void *p, size_t size, bool swap)
{
	struct cursor c = cursor_of(p, size, swap);
	struct package_index x = { .swap = swap };
	u16 version = cursor_u16(&c), padding = cursor_u16(&c);
	bool v5 = version == 5;
	u64 table;

	memset(x.column, -1, sizeof(x.column));
	/* the version of the older one has 32 bits */
	if (!v5 && (swap == (__BYTE_ORDER == __LITTLE_ENDIAN) ? padding : version) != 2)
		return false;
	x.v5 = v5;
	x.nr_columns = cursor_u32(&c);
	x.nr_units = cursor_u32(&c);
	x.nr_slots = cursor_u32(&c);
	/* the number of slots is a power of two, and at least one of them is free */
	if (c.bad || !x.nr_columns || x.nr_columns > COLUMNS_MAX || x.nr_units >= x.nr_slots ||
	    (x.nr_slots & (x.nr_slots - 1)))
		return false;
	table = (u64)x.nr_units * x.nr_columns * 4;
	x.ids = cursor_bytes(&c, (u64)x.nr_slots * 8);
	x.rows = cursor_bytes(&c, (u64)x.nr_slots * 4);
	for (u32 i = 0; i < x.nr_columns; i++) {
		enum package_section s = section_of_number(cursor_u32(&c), v5);

		if (s != NR_PACKAGE_SECTIONS)
			x.column[s] = i;
	}
	x.offsets = cursor_bytes(&c, table);
	x.sizes = cursor_bytes(&c, table);
	if (c.bad)
		return false;
	*ret = x;
	return true;
}

static u32 number_at(const struct package_index *x, const u8 *table, u64 i)
{
	struct cursor c = cursor_of(table + i * 4, 4, x->swap);

	return cursor_u32(&c);
}

static u64 id_at(const struct package_index *x, u32 slot)
{
	struct cursor c = cursor_of(x->ids + (u64)slot * 8, 8, x->swap);

	return cursor_u64(&c);
}

bool package_index_row(const struct package_index *x, u32 row, struct package_part ret[NR_PACKAGE_SECTIONS])
{
	if (row >= x->nr_units)
		return false;
	for (u32 s = 0; s < NR_PACKAGE_SECTIONS; s++) {
		u64 i = (u64)row * x->nr_columns + MAX(x->column[s], 0);

		ret[s] = (struct package_part){ 0 };
		if (x->column[s] < 0)
			continue;
		ret[s].off = number_at(x, x->offsets, i);
		ret[s].size = number_at(x, x->sizes, i);
	}
	return true;
}

bool package_index_find(const struct package_index *x, u64 id, struct package_part ret[NR_PACKAGE_SECTIONS])
{
	u32 mask = x->nr_slots - 1, slot = id & mask, step = (id >> 32 & mask) | 1, row;

	/* an odd step visits all slots */
	for (u32 i = 0; i < x->nr_slots; i++, slot = (slot + step) & mask) {
		row = number_at(x, x->rows, slot);
		if (!row)
			return false;
		if (id_at(x, slot) == id)
			return package_index_row(x, row - 1, ret);
	}
	return false;
}

static struct package_bytes read_section(struct dwarf_package *p, const char *name)
{
	Elf_Data *data = elf_section_data(p->elf, name, &p->unpacked);

	return data ? (struct package_bytes){ data->d_buf, data->d_size } : (struct package_bytes){ 0 };
}

static struct package_bytes section(struct dwarf_package *p, enum package_section s)
{
	static const char *const names[NR_PACKAGE_SECTIONS][2] = {
		[PACKAGE_INFO] = { ".debug_info.dwo", ".debug_info.dwo" },
		[PACKAGE_TYPES] = { ".debug_types.dwo", ".debug_types.dwo" },
		[PACKAGE_ABBREV] = { ".debug_abbrev.dwo", ".debug_abbrev.dwo" },
		[PACKAGE_LINE] = { ".debug_line.dwo", ".debug_line.dwo" },
		[PACKAGE_LOC] = { ".debug_loc.dwo", ".debug_loclists.dwo" },
		[PACKAGE_STR_OFFSETS] = { ".debug_str_offsets.dwo", ".debug_str_offsets.dwo" },
		[PACKAGE_RNGLISTS] = { ".debug_rnglists.dwo", ".debug_rnglists.dwo" },
	};

	if (!p->has_section[s]) {
		p->has_section[s] = true;
		p->section[s] = read_section(p, names[s][p->units.v5]);
	}
	return p->section[s];
}

struct dwarf_package *dwarf_package_open(const char *path)
{
	struct dwarf_package *p = xcalloc(1, sizeof(*p));
	struct package_bytes b;
	struct stat st;
	GElf_Ehdr eh;
	bool swap;

	/* not blocked by a pipe of that name */
	p->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (p->fd < 0 || fstat(p->fd, &st) || !S_ISREG(st.st_mode))
		goto fail;
	p->size = st.st_size;
	p->elf = elf_begin(p->fd, ELF_C_READ_MMAP_PRIVATE, NULL);
	if (!p->elf || elf_kind(p->elf) != ELF_K_ELF || !gelf_getehdr(p->elf, &eh))
		goto fail;
	swap = eh.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
	b = read_section(p, ".debug_cu_index");
	if (!package_index_read(&p->units, b.p, b.size, swap))
		goto fail;
	b = read_section(p, ".debug_tu_index");
	if (!package_index_read(&p->types, b.p, b.size, swap))
		p->types = (struct package_index){ 0 };
	return p;
fail:
	dwarf_package_free(p);
	return NULL;
}

void dwarf_package_free(struct dwarf_package *p)
{
	if (!p)
		return;
	if (p->elf)
		elf_end(p->elf);
	elf_unpacked_release(&p->unpacked);
	if (p->fd >= 0)
		close(p->fd);
	free(p);
}

/* the bytes of parts; false: they are outside of their section */
static bool bytes_of(struct dwarf_package *p, const struct package_part part[NR_PACKAGE_SECTIONS],
		     struct package_bytes ret[NR_PACKAGE_SECTIONS])
{
	for (enum package_section s = 0; s < NR_PACKAGE_SECTIONS; s++) {
		struct package_bytes all = part[s].size ? section(p, s) : (struct package_bytes){ 0 };

		ret[s] = (struct package_bytes){ 0 };
		if (!part[s].size)
			continue;
		if (part[s].off > all.size || part[s].size > all.size - part[s].off)
			return false;
		ret[s] = (struct package_bytes){ all.p + part[s].off, part[s].size };
	}
	return true;
}

bool dwarf_package_unit(struct dwarf_package *p, u64 id, struct package_bytes ret[NR_PACKAGE_SECTIONS])
{
	struct package_part part[NR_PACKAGE_SECTIONS];

	return package_index_find(&p->units, id, part) && bytes_of(p, part, ret) &&
	       ret[PACKAGE_INFO].size && ret[PACKAGE_ABBREV].size;
}

bool dwarf_package_type_unit(struct dwarf_package *p, const struct package_bytes unit[NR_PACKAGE_SECTIONS],
			     u32 *i, struct package_bytes ret[NR_PACKAGE_SECTIONS])
{
	struct package_part part[NR_PACKAGE_SECTIONS];

	while (package_index_row(&p->types, (*i)++, part))
		if (bytes_of(p, part, ret) && ret[PACKAGE_ABBREV].p == unit[PACKAGE_ABBREV].p &&
		    ret[PACKAGE_STR_OFFSETS].p == unit[PACKAGE_STR_OFFSETS].p)
			return true;
	return false;
}

struct package_bytes dwarf_package_strings(struct dwarf_package *p)
{
	if (!p->has_strings)
		p->strings = read_section(p, ".debug_str.dwo");
	p->has_strings = true;
	return p->strings;
}

u64 dwarf_package_size(const struct dwarf_package *p)
{
	return p->size;
}
