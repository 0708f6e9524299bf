/* Dwarf-split: skeletons, and .dwo files made of a package's parts. */
#include "dwarf-split.h"

#include <dwarf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../base/cursor.h"
#include "../base/strbuf.h"
#include "../base/vec.h"
#include "../lib/lib.h"
#include "dwarf-package.h"
#include "elf-sections.h"
#include "../base/search.h"

#define TABLE_HEADER 8u	/* of tables of addresses and strings since DWARF 5; their base is after it */

/* a unit of a package: a program that has only this unit's skeleton. Its .dwo file belongs to libdw */
struct piece {
	void *map;
	size_t size;
	Elf *elf;
	Dwarf *dw;
};

struct table_bases {
	VEC(u64);
};

struct dwarf_split {
	Dwarf *dw;
	char *path, *program;
	bool searched;			/* for the package, which is opened when it is first needed */
	struct dwarf_package *package;	/* NULL: there is none */
	u64 left;			/* bytes that may be copied: parts of damaged packages can overlap */
	struct table_bases addr, ranges;	/* where tables of units begin, sorted */
	struct { VEC(struct piece); } piece;
	char *missing;			/* the first .dwo file that is not there */
	u32 nr_missing;
};

struct dwarf_split *dwarf_split_new(Dwarf *dw, const char *path, const char *program)
{
	struct dwarf_split *s = xcalloc(1, sizeof(*s));

	s->dw = dw;
	s->path = xstrdup(path);
	s->program = program ? xstrdup(program) : NULL;
	return s;
}

void dwarf_split_free(struct dwarf_split *s)
{
	if (!s)
		return;
	vec_foreach(&s->piece, p) {
		dwarf_end(p->dw);
		elf_end(p->elf);
		munmap(p->map, p->size);
	}
	vec_release(&s->piece);
	vec_release(&s->addr);
	vec_release(&s->ranges);
	dwarf_package_free(s->package);
	free(s->path);
	free(s->program);
	free(s->missing);
	free(s);
}

static const char *text(Dwarf_Die *die, unsigned int name, unsigned int gnu_name)
{
	Dwarf_Attribute a;

	return dwarf_attr(die, name, &a) || dwarf_attr(die, gnu_name, &a) ? dwarf_formstring(&a) : NULL;
}

static bool number(Dwarf_Die *die, unsigned int name, unsigned int gnu_name, u64 *ret)
{
	Dwarf_Attribute a;
	Dwarf_Word v;

	if ((!dwarf_attr(die, name, &a) && !dwarf_attr(die, gnu_name, &a)) || dwarf_formudata(&a, &v))
		return false;
	*ret = v;
	return true;
}

/* the unit's version and type; for a skeleton also its id. False: it is not a skeleton */
static bool read_skeleton(Dwarf_Die *unit, Dwarf_Half *version, u64 *id, u8 *addr_size)
{
	uint8_t type, off_size;
	Dwarf_Die die;

	*id = 0;
	if (dwarf_cu_info(unit->cu, version, &type, &die, NULL, id, addr_size, &off_size))
		return false;
	return type == DW_UT_skeleton || dwarf_hasattr(unit, DW_AT_GNU_dwo_name);
}

bool dwarf_is_skeleton(Dwarf_Die *unit)
{
	Dwarf_Half version;
	u8 addr_size;
	u64 id;

	return read_skeleton(unit, &version, &id, &addr_size);
}

/* whether there is something with this path that is not a file, such as a pipe: libdw would wait for it */
static bool is_special(const char *dir, const char *name)
{
	char *path = xasprintf("%s%s%s", dir ? dir : "", dir ? "/" : "", name);
	struct stat st;
	bool special = !stat(path, &st) && !S_ISREG(st.st_mode);

	free(path);
	return special;
}

static bool unit_of_dwo(const struct dwarf_split *s, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	const char *name = text(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *dir = text(skeleton, DW_AT_comp_dir, DW_AT_comp_dir), *slash = strrchr(s->path, '/');
	char *own = xstrndup(s->path, slash ? slash - s->path : 0);
	bool special;

	special = !name || (name[0] == '/' ? is_special(NULL, name) :
			    is_special(slash ? own : NULL, name) || is_special(dir, name));
	free(own);
	return !special && !dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, ret, NULL, NULL, NULL) &&
	       dwarf_tag(ret) != DW_TAG_invalid;
}

static int by_value(const void *pa, const void *pb)
{
	u64 a = *(const u64 *)pa, b = *(const u64 *)pb;

	return a < b ? -1 : a > b;
}

static struct dwarf_package *open_beside(const char *path)
{
	char *name, *real = realpath(path, NULL);
	struct dwarf_package *p;

	/* of gdb and lldb: the program's name as it is, then that of the file that a link leads to */
	name = xasprintf("%s.dwp", path);
	p = dwarf_package_open(name);
	free(name);
	if (!p && real && strcmp(real, path)) {
		name = xasprintf("%s.dwp", real);
		p = dwarf_package_open(name);
		free(name);
	}
	free(real);
	return p;
}

static void search_package(struct dwarf_split *s)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;
	u64 base;

	s->searched = true;
	s->package = open_beside(s->path);
	if (!s->package && s->program)
		s->package = open_beside(s->program);
	if (!s->package)
		return;
	/* strings are copied, and small packages have small headers */
	s->left = 8 * dwarf_package_size(s->package) + (1 << 20);
	while (!dwarf_get_units(s->dw, cu, &cu, NULL, NULL, &die, NULL)) {
		if (number(&die, DW_AT_addr_base, DW_AT_GNU_addr_base, &base))
			vec_push(&s->addr, base);
		if (number(&die, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base, &base))
			vec_push(&s->ranges, base);
	}
	if (s->addr.nr)
		qsort(s->addr.v, s->addr.nr, sizeof(*s->addr.v), by_value);
	if (s->ranges.nr)
		qsort(s->ranges.v, s->ranges.nr, sizeof(*s->ranges.v), by_value);
}

/* the unit's part of a table: up to where the next unit's begins */
static struct package_bytes table_part(Dwarf *dw, const char *section, const struct table_bases *bases,
				       u64 base)
{
	Elf_Data *data = elf_section_data(dwarf_getelf(dw), section, NULL);
	u64 end = data ? data->d_size : 0;
	size_t lo;

	if (!data || base >= data->d_size)
		return (struct package_bytes){ 0 };
	lo = LOWER_BOUND(bases->nr, i, bases->v[i] <= base);
	if (lo < bases->nr)
		end = MIN(end, bases->v[lo]);
	return (struct package_bytes){ (const u8 *)data->d_buf + base, end - base };
}

/* --- an ELF file in memory --- */

static struct package_bytes bytes_of(const struct strbuf *s)
{
	return (struct package_bytes){ (const u8 *)s->buf, s->len };
}

struct image_section {
	const char *name;
	struct package_bytes bytes;
};

static bool add_section(Elf *out, struct package_bytes b, size_t name, u32 type)
{
	Elf_Scn *scn = elf_newscn(out);
	Elf_Data *data = scn ? elf_newdata(scn) : NULL;
	GElf_Shdr sh;

	if (!data || !gelf_getshdr(scn, &sh))
		return false;
	data->d_buf = (void *)b.p;
	data->d_size = b.size;
	data->d_type = ELF_T_BYTE;
	data->d_align = 1;
	sh.sh_name = name;
	sh.sh_type = type;
	return gelf_update_shdr(scn, &sh);
}

/* the file descriptor of a file in memory, of the same machine as like; -1: failed */
static int write_image(Elf *like, const struct image_section *section, size_t nr)
{
	struct strbuf names = STRBUF_INIT;
	GElf_Ehdr eh, from;
	Elf *out = NULL;
	bool ok = false;
	int fd = memfd_create("perf-dwo", MFD_CLOEXEC);

	if (fd < 0 || !gelf_getehdr(like, &from))
		goto done;
	out = elf_begin(fd, ELF_C_WRITE, NULL);
	if (!out || !gelf_newehdr(out, from.e_ident[EI_CLASS]) || !gelf_getehdr(out, &eh))
		goto done;
	eh.e_ident[EI_DATA] = from.e_ident[EI_DATA];
	eh.e_machine = from.e_machine;
	eh.e_type = ET_EXEC;
	eh.e_version = EV_CURRENT;
	strbuf_addch(&names, '\0');
	for (size_t i = 0; i < nr; i++) {
		size_t off = names.len;

		if (!section[i].bytes.size)
			continue;
		strbuf_add(&names, section[i].name, strlen(section[i].name) + 1);
		if (!add_section(out, section[i].bytes, off, SHT_PROGBITS))
			goto done;
	}
	strbuf_add(&names, ".shstrtab", 10);
	if (!add_section(out, bytes_of(&names), names.len - 10, SHT_STRTAB))
		goto done;
	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(out, scn));)
		eh.e_shstrndx = elf_ndxscn(scn);
	ok = gelf_update_ehdr(out, &eh) && elf_update(out, ELF_C_WRITE) >= 0;
done:
	if (out)
		elf_end(out);
	strbuf_release(&names);
	if (!ok && fd >= 0)
		close(fd);
	return ok ? fd : -1;
}

/* --- the .dwo file --- */

/* the numbers of the file, in its byte order */
struct order {
	bool swap;
};

static u32 u32_of(const struct order *o, u32 v)
{
	return o->swap ? bswap_32(v) : v;
}

/*
 * Strings of one unit and the table of their offsets, instead of all strings of the package. False: use all
 * strings, because offsets have 64 bits, or many refer to the same string
 */
static bool own_strings(const struct order *o, const struct package_bytes *offsets, u32 header,
			const struct package_bytes *all, struct strbuf *ret_offsets, struct strbuf *ret)
{
	struct cursor c = cursor_of(offsets->p, offsets->size, o->swap);
	const void *head = cursor_bytes(&c, header);

	if (!head || all->size > UINT32_MAX)
		return false;
	strbuf_add(ret_offsets, head, header);
	strbuf_addch(ret, '\0');
	while (cursor_left(&c) >= 4) {
		u32 off = cursor_u32(&c), own = 0;
		const u8 *end = off < all->size ? memchr(all->p + off, '\0', all->size - off) : NULL;

		if (end) {
			own = ret->len;
			strbuf_add(ret, all->p + off, end + 1 - (all->p + off));
		}
		own = u32_of(o, own);
		strbuf_add(ret_offsets, &own, 4);
		if (ret->len > all->size + 1)
			return false;
	}
	return true;
}

static bool charge(struct dwarf_split *s, u64 bytes)
{
	if (bytes > s->left)
		return false;
	s->left -= bytes;
	return true;
}

/* type units that came from the same object file; libdw does not look for them in other files */
static bool add_types(struct dwarf_split *s, const struct package_bytes part[NR_PACKAGE_SECTIONS],
		      struct strbuf *info, struct strbuf *types)
{
	struct package_bytes t[NR_PACKAGE_SECTIONS];
	u32 i = 0;

	while (dwarf_package_type_unit(s->package, part, &i, t)) {
		if (!charge(s, t[PACKAGE_INFO].size + t[PACKAGE_TYPES].size))
			return false;
		strbuf_add(info, t[PACKAGE_INFO].p, t[PACKAGE_INFO].size);
		strbuf_add(types, t[PACKAGE_TYPES].p, t[PACKAGE_TYPES].size);
	}
	return true;
}

/* the descriptor of a unit's .dwo file; -1: failed */
static int write_dwo(struct dwarf_split *s, const struct order *o, bool v5,
		     const struct package_bytes part[NR_PACKAGE_SECTIONS])
{
	struct strbuf info = STRBUF_INIT, types = STRBUF_INIT, offsets = STRBUF_INIT, strings = STRBUF_INIT;
	struct package_bytes all = dwarf_package_strings(s->package), own_offsets = part[PACKAGE_STR_OFFSETS];
	bool is64 = part[PACKAGE_INFO].size >= 4 && !memcmp(part[PACKAGE_INFO].p, "\377\377\377\377", 4);
	u64 copied = all.size;
	int fd = -1;

	if (!is64 && own_strings(o, &part[PACKAGE_STR_OFFSETS], v5 ? TABLE_HEADER : 0, &all, &offsets,
				 &strings)) {
		own_offsets = bytes_of(&offsets);
		all = bytes_of(&strings);
		copied = strings.len;
	}
	for (u32 i = 0; i < NR_PACKAGE_SECTIONS; i++)
		copied += part[i].size;
	strbuf_add(&info, part[PACKAGE_INFO].p, part[PACKAGE_INFO].size);
	if (charge(s, copied) && add_types(s, part, &info, &types)) {
		const struct image_section section[] = {
			{ ".debug_info.dwo", bytes_of(&info) },
			{ ".debug_types.dwo", bytes_of(&types) },
			{ ".debug_abbrev.dwo", part[PACKAGE_ABBREV] },
			{ ".debug_line.dwo", part[PACKAGE_LINE] },
			{ v5 ? ".debug_loclists.dwo" : ".debug_loc.dwo", part[PACKAGE_LOC] },
			{ ".debug_rnglists.dwo", part[PACKAGE_RNGLISTS] },
			{ ".debug_str_offsets.dwo", own_offsets },
			{ ".debug_str.dwo", all },
		};

		fd = write_image(dwarf_getelf(s->dw), section, ARRAY_SIZE(section));
	}
	strbuf_release(&info);
	strbuf_release(&types);
	strbuf_release(&offsets);
	strbuf_release(&strings);
	return fd;
}

/* --- the skeleton --- */

static void put(const struct order *o, struct strbuf *out, u64 v, u32 size)
{
	bool little = (__BYTE_ORDER == __LITTLE_ENDIAN) != o->swap;

	for (u32 i = 0; i < size; i++)
		strbuf_addch(out, v >> 8 * (little ? i : size - 1 - i));
}

static void put_uleb(struct strbuf *out, u32 v)
{
	for (; v >= 0x80; v >>= 7)
		strbuf_addch(out, (v & 0x7f) | 0x80);
	strbuf_addch(out, v);
}

static void put_skeleton(const struct order *o, Dwarf_Half version, u8 addr_size, u64 id, u64 low, int fd,
			 struct strbuf *info, struct strbuf *abbrev)
{
	const bool v5 = version >= 5;
	const u32 attr[][2] = {
		{ v5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name, DW_FORM_string },
		{ DW_AT_low_pc, DW_FORM_addr },
		{ v5 ? DW_AT_addr_base : DW_AT_GNU_addr_base, DW_FORM_sec_offset },
		{ v5 ? 0 : DW_AT_GNU_dwo_id, DW_FORM_data8 },
		{ DW_AT_GNU_ranges_base, DW_FORM_sec_offset },
	};
	struct strbuf unit = STRBUF_INIT;

	put(o, &unit, version, 2);
	if (v5) {
		put(o, &unit, DW_UT_skeleton, 1);
		put(o, &unit, addr_size, 1);
	}
	put(o, &unit, 0, 4);			/* its abbreviations */
	put(o, &unit, v5 ? id : addr_size, v5 ? 8 : 1);
	put_uleb(&unit, 1);
	strbuf_addf(&unit, "/proc/self/fd/%d", fd);
	strbuf_addch(&unit, '\0');
	put(o, &unit, low, addr_size);
	put(o, &unit, TABLE_HEADER, 4);
	if (!v5) {
		put(o, &unit, id, 8);
		put(o, &unit, 0, 4);
	}
	put(o, info, unit.len, 4);
	strbuf_add(info, unit.buf, unit.len);
	strbuf_release(&unit);

	put_uleb(abbrev, 1);
	put_uleb(abbrev, v5 ? DW_TAG_skeleton_unit : DW_TAG_compile_unit);
	strbuf_addch(abbrev, DW_CHILDREN_no);
	for (u32 i = 0; i < ARRAY_SIZE(attr) && attr[i][0]; i++) {
		put_uleb(abbrev, attr[i][0]);
		put_uleb(abbrev, attr[i][1]);
	}
	strbuf_add(abbrev, "\0\0\0", 3);
}

/* the descriptor of a program that has this skeleton only, whose .dwo file is fd_dwo; -1: failed */
static int write_skeleton(struct dwarf_split *s, const struct order *o, Dwarf_Die *skeleton,
			  Dwarf_Half version, u8 addr_size, u64 id, int fd_dwo)
{
	struct strbuf info = STRBUF_INIT, abbrev = STRBUF_INIT, addr = STRBUF_INIT;
	struct package_bytes addresses = { 0 }, ranges = { 0 };
	Dwarf_Addr low = 0;
	u64 base;
	int fd = -1;

	if (dwarf_lowpc(skeleton, &low))
		low = 0;
	if (number(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base, &base))
		addresses = table_part(s->dw, ".debug_addr", &s->addr, base);
	if (version < 5 && number(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base, &base))
		ranges = table_part(s->dw, ".debug_ranges", &s->ranges, base);
	put_skeleton(o, version, addr_size, id, low, fd_dwo, &info, &abbrev);
	put(o, &addr, addresses.size + 4, 4);
	put(o, &addr, 5, 2);
	put(o, &addr, addr_size, 1);
	put(o, &addr, 0, 1);
	strbuf_add(&addr, addresses.p, addresses.size);
	if (charge(s, addr.len + ranges.size)) {
		const struct image_section section[] = {
			{ ".debug_info", bytes_of(&info) },
			{ ".debug_abbrev", bytes_of(&abbrev) },
			{ ".debug_addr", bytes_of(&addr) },
			{ ".debug_ranges", ranges },
		};

		fd = write_image(dwarf_getelf(s->dw), section, ARRAY_SIZE(section));
	}
	strbuf_release(&info);
	strbuf_release(&abbrev);
	strbuf_release(&addr);
	return fd;
}

/* the unit's Dwarf, which libdw joins with its .dwo file while its descriptor is open */
static bool open_piece(struct dwarf_split *s, int fd, Dwarf_Die *ret)
{
	struct piece p = { .map = MAP_FAILED };
	struct stat st;
	Dwarf_CU *cu = NULL;
	Dwarf_Die die;

	if (fstat(fd, &st))
		return false;
	p.size = st.st_size;
	p.map = mmap(NULL, p.size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
	if (p.map == MAP_FAILED)
		return false;
	p.elf = elf_memory(p.map, p.size);
	p.dw = p.elf ? dwarf_begin_elf(p.elf, DWARF_C_READ, NULL) : NULL;
	if (p.dw && !dwarf_get_units(p.dw, NULL, &cu, NULL, NULL, &die, ret) &&
	    dwarf_tag(ret) != DW_TAG_invalid) {
		vec_push(&s->piece, p);
		return true;
	}
	if (p.dw)
		dwarf_end(p.dw);
	if (p.elf)
		elf_end(p.elf);
	munmap(p.map, p.size);
	return false;
}

static bool unit_of_package(struct dwarf_split *s, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	struct package_bytes part[NR_PACKAGE_SECTIONS];
	int fd_dwo, fd = -1;
	Dwarf_Half version;
	struct order o;
	GElf_Ehdr eh;
	bool found;
	u8 size;
	u64 id;

	if (!s->searched)
		search_package(s);
	if (!s->package || !read_skeleton(skeleton, &version, &id, &size) || (size != 4 && size != 8) ||
	    !gelf_getehdr(dwarf_getelf(s->dw), &eh) || !dwarf_package_unit(s->package, id, part))
		return false;
	o.swap = eh.e_ident[EI_DATA] != (__BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
	fd_dwo = write_dwo(s, &o, version >= 5, part);
	if (fd_dwo >= 0)
		fd = write_skeleton(s, &o, skeleton, version, size, id, fd_dwo);
	found = fd >= 0 && open_piece(s, fd, ret);
	if (fd_dwo >= 0)
		close(fd_dwo);
	if (fd >= 0)
		close(fd);
	return found;
}

/* what is there, and is not used, is damaged or of another build */
static void count_missing(struct dwarf_split *s, Dwarf_Die *skeleton)
{
	const char *name = text(skeleton, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
	const char *dir = text(skeleton, DW_AT_comp_dir, DW_AT_comp_dir);
	char *path;

	if (!name)
		return;
	path = name[0] == '/' || !dir ? xstrdup(name) : xasprintf("%s/%s", dir, name);
	if (*path && access(path, F_OK) && !s->nr_missing++) {
		s->missing = path;
		return;
	}
	free(path);
}

bool dwarf_split_unit(struct dwarf_split *s, Dwarf_Die *skeleton, Dwarf_Die *ret)
{
	if (unit_of_dwo(s, skeleton, ret) || unit_of_package(s, skeleton, ret))
		return true;
	count_missing(s, skeleton);
	return false;
}

const char *dwarf_split_missing(const struct dwarf_split *s, u32 *ret_nr)
{
	*ret_nr = s->nr_missing;
	return s->missing;
}
