/* Dwarf-needed: units are unpacked one after the other, and kept only if an address is theirs. */
#include "dwarf-needed.h"

#include <dwarf.h>
#include <endian.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#include "../base/cursor.h"
#include "../base/hash.h"
#include "../base/vec.h"
#include "../lib/lib.h"
#include "elf-sections.h"
#include "../base/search.h"

#define SECTION_MAX (1u << 30)

struct packed_bytes {
	VEC(u8);
};

struct dwarf_needed {
	struct packed_bytes info, abbrev;
};

/* --- a compressed section, read from its start to its end */

struct packed {
	Elf_Scn *scn;
	int fd;
	u64 off, len;		/* in the file: what is not read yet */
	u64 left;		/* number of bytes that are not unpacked yet */
	z_stream z;
	u8 in[16384];
};

static bool packed_open(struct packed *p, int fd, Elf_Scn *scn)
{
	Elf64_Chdr head;
	GElf_Shdr sh;

	if (!scn || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_COMPRESSED) || sh.sh_size < sizeof(head) ||
	    pread(fd, &head, sizeof(head), sh.sh_offset) != (ssize_t)sizeof(head) ||
	    head.ch_type != ELFCOMPRESS_ZLIB || head.ch_size > SECTION_MAX)
		return false;
	*p = (struct packed){ .scn = scn, .fd = fd, .off = sh.sh_offset + sizeof(head),
			      .len = sh.sh_size - sizeof(head), .left = head.ch_size };
	return inflateInit2(&p->z, 15) == Z_OK;
}

static void read_more(struct packed *p)
{
	ssize_t n = pread(p->fd, p->in, MIN(p->len, sizeof(p->in)), p->off);

	if (n <= 0)
		return;
	p->off += n;
	p->len -= n;
	p->z.next_in = p->in;
	p->z.avail_in = n;
}

/* appends the next nr bytes to b */
static bool unpack(struct packed *p, struct packed_bytes *b, u64 nr)
{
	int rc = Z_OK;

	if (nr > p->left)
		return false;
	vec_reserve(b, b->nr + nr);
	p->z.next_out = b->v + b->nr;
	p->z.avail_out = nr;
	while (p->z.avail_out && rc == Z_OK) {
		if (!p->z.avail_in)
			read_more(p);	/* at the end, some output may be left */
		rc = inflate(&p->z, Z_NO_FLUSH);
	}
	if (p->z.avail_out)
		return false;
	b->nr += nr;
	p->left -= nr;
	return true;
}

static bool unpack_all(int fd, Elf_Scn *scn, struct packed_bytes *b)
{
	struct packed p;
	bool ok;

	if (!packed_open(&p, fd, scn))
		return false;
	ok = unpack(&p, b, p.left);
	inflateEnd(&p.z);
	return ok;
}

/* --- .debug_aranges: which units have code, and whether an address is in it */

struct unit_code {
	u64 off;		/* of the unit in .debug_info */
	bool needed;
};

struct units_code {
	VEC(struct unit_code);
};

struct addresses {
	const struct svma_range *v;
	size_t nr;
};

static bool any_between(const struct addresses *a, u64 start, u64 end)
{
	size_t lo = LOWER_BOUND(a->nr, i, a->v[i].end <= start);

	return lo < a->nr && a->v[lo].start < end;
}

static u64 take_length(struct cursor *c, u8 *ret_size_off)
{
	u64 len = cursor_u32(c);

	*ret_size_off = len == UINT32_MAX ? 8 : 4;
	return len == UINT32_MAX ? cursor_u64(c) : len;
}

static u64 take_number(struct cursor *c, u8 size)
{
	return size == 8 ? cursor_u64(c) : cursor_u32(c);
}

/* the ranges of one unit; a unit without any is as one that is not listed */
static bool read_set(struct cursor *c, const struct addresses *a, struct units_code *ret)
{
	const u8 *start = c->p;
	struct unit_code u = { 0 };
	u8 size_off, size;
	u64 len = take_length(c, &size_off), from, nr;
	struct cursor set = cursor_of(c->p, MIN(len, cursor_left(c)), false);
	bool any = false;

	cursor_skip(c, len);
	if (cursor_u16(&set) != 2)
		return false;
	u.off = take_number(&set, size_off);
	size = cursor_u8(&set);
	if (cursor_u8(&set) || (size != 4 && size != 8))
		return false;
	cursor_skip(&set, (2 * size - (set.p - start) % (2 * size)) % (2 * size));
	while (cursor_left(&set) >= 2 * size && !set.bad) {
		from = take_number(&set, size);
		nr = take_number(&set, size);
		if (!from && !nr)
			break;
		any = true;
		u.needed |= any_between(a, from, from + nr < from ? UINT64_MAX : from + nr);
	}
	if (any)
		vec_push(ret, u);
	return !set.bad && !c->bad;
}

static int by_off(const void *pa, const void *pb)
{
	const struct unit_code *a = pa, *b = pb;

	return a->off < b->off ? -1 : a->off > b->off;
}

static bool read_aranges(int fd, Elf_Scn *scn, const struct addresses *a, struct units_code *ret)
{
	struct packed_bytes b = { 0 };
	struct cursor c;
	bool ok = unpack_all(fd, scn, &b);

	c = cursor_of(b.v, b.nr, false);
	while (ok && cursor_left(&c))
		ok = read_set(&c, a, ret);
	vec_release(&b);
	if (ok && ret->nr)
		qsort(ret->v, ret->nr, sizeof(*ret->v), by_off);
	return ok && ret->nr;
}

/* units come in the order of their offsets; at: the first that may be this one */
static bool is_needed(const struct units_code *units, size_t *at, u64 off)
{
	bool listed = false, needed = false;

	while (*at < units->nr && units->v[*at].off < off)
		++*at;
	for (size_t i = *at; i < units->nr && units->v[i].off == off; i++) {
		listed = true;
		needed |= units->v[i].needed;
	}
	return needed || !listed;
}

/* --- .debug_info */

/* where the number of a unit's abbreviations is */
struct abbrev_ref {
	size_t pos;
	u8 size;
};

struct abbrev_refs {
	VEC(struct abbrev_ref);
};

/* the whole unit is at the end of info, from start on */
static bool note_abbrev(const struct packed_bytes *info, size_t start, struct abbrev_refs *ret)
{
	struct cursor c = cursor_of(info->v + start, info->nr - start, false);
	struct abbrev_ref r;
	u16 version;
	u8 kind;

	take_length(&c, &r.size);
	version = cursor_u16(&c);
	kind = version == 5 ? cursor_u8(&c) : DW_UT_compile;
	if (version == 5)
		cursor_u8(&c);
	r.pos = c.p - info->v;
	cursor_skip(&c, r.size);
	vec_push(ret, r);
	return version >= 2 && version <= 5 && (kind == DW_UT_compile || kind == DW_UT_type) && !c.bad;
}

static bool keep_units(struct packed *p, const struct units_code *units, struct packed_bytes *info,
		       struct abbrev_refs *refs)
{
	u64 all = p->left, off;
	size_t at = 0;

	while ((off = all - p->left) < all) {
		size_t start = info->nr;
		struct cursor c;
		u8 size_off;
		u64 len;

		if (!unpack(p, info, MIN(p->left, 12ul)))
			return false;
		c = cursor_of(info->v + start, info->nr - start, false);
		len = take_length(&c, &size_off) + (c.p - (info->v + start));
		if (c.bad || len < 12 || len > SECTION_MAX || !unpack(p, info, len - 12))
			return false;
		if (!is_needed(units, &at, off))
			info->nr = start;
		else if (!note_abbrev(info, start, refs))
			return false;
	}
	return true;
}

/* --- .debug_abbrev */

/* skips the abbreviations of a unit; false: they refer to other units, or are damaged */
static bool skip_abbrevs(struct cursor *c)
{
	while (cursor_uleb(c)) {
		u64 attr, form;

		cursor_uleb(c);
		cursor_u8(c);
		do {
			attr = cursor_uleb(c);
			form = cursor_uleb(c);
			if (form == DW_FORM_implicit_const)
				cursor_uleb(c);
			if (form == DW_FORM_ref_addr || form == DW_FORM_indirect)
				return false;
		} while ((attr || form) && !c->bad);
		if (c->bad)
			return false;
	}
	return !c->bad;
}

struct moved_abbrevs {
	u64 from, to;
};

static bool keep_abbrevs(const struct packed_bytes *all, const struct abbrev_refs *refs,
			 struct dwarf_needed *n)
{
	struct { VEC(struct moved_abbrevs); } moved = { 0 };
	struct hidx idx = { 0 };
	bool ok = true;

	vec_foreach(refs, r) {
		struct cursor at = cursor_of(n->info.v + r->pos, r->size, false), c;
		u64 from = take_number(&at, r->size);
		u32 id;

		HIDX_FOREACH(&idx, hash_u64(from), id)
			if (moved.v[id].from == from)
				break;
		if (id == HIDX_NONE) {
			c = cursor_of(all->v + MIN(from, all->nr), all->nr - MIN(from, all->nr), false);
			ok = skip_abbrevs(&c);
			if (!ok)
				break;
			id = moved.nr;
			hidx_insert(&idx, hash_u64(from), id);
			vec_push(&moved, (struct moved_abbrevs){ from, n->abbrev.nr });
			vec_reserve(&n->abbrev, n->abbrev.nr + (c.p - all->v - from));
			memcpy(n->abbrev.v + n->abbrev.nr, all->v + from, c.p - all->v - from);
			n->abbrev.nr += c.p - all->v - from;
		}
		if (r->size == 8)
			memcpy(n->info.v + r->pos, &moved.v[id].to, sizeof(u64));
		else
			memcpy(n->info.v + r->pos, &(u32){ moved.v[id].to }, sizeof(u32));
	}
	vec_release(&moved);
	hidx_release(&idx);
	return ok;
}

/* --- the file */

struct debug_sections {
	Elf_Scn *info, *abbrev, *aranges;
};

/* false: others have units, too, with the same abbreviations */
static bool find_sections(Elf *elf, struct debug_sections *ret)
{
	size_t names;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		const char *name = gelf_getshdr(scn, &sh) ? elf_strptr(elf, names, sh.sh_name) : NULL;

		if (!name)
			continue;
		if (!strcmp(name, ".debug_info"))
			ret->info = scn;
		else if (!strcmp(name, ".debug_abbrev"))
			ret->abbrev = scn;
		else if (!strcmp(name, ".debug_aranges"))
			ret->aranges = scn;
		else if (!strcmp(name, ".debug_types"))
			return false;
	}
	return ret->info && ret->abbrev && ret->aranges;
}

static bool has_own_format(Elf *elf)
{
	GElf_Ehdr eh;

	return gelf_getehdr(elf, &eh) && eh.e_ident[EI_CLASS] == ELFCLASS64 &&
	       eh.e_ident[EI_DATA] == (BYTE_ORDER == LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB);
}

static bool keep_needed(int fd, const struct debug_sections *s, const struct addresses *a,
			struct dwarf_needed *n)
{
	struct packed *p = xcalloc(1, sizeof(*p));
	struct units_code units = { 0 };
	struct abbrev_refs refs = { 0 };
	struct packed_bytes abbrevs = { 0 };
	bool ok = read_aranges(fd, s->aranges, a, &units);

	if (ok && packed_open(p, fd, s->info)) {
		ok = keep_units(p, &units, &n->info, &refs);
		inflateEnd(&p->z);
	} else {
		ok = false;
	}
	ok = ok && unpack_all(fd, s->abbrev, &abbrevs) && keep_abbrevs(&abbrevs, &refs, n);
	vec_release(&abbrevs);
	vec_release(&refs);
	vec_release(&units);
	free(p);
	return ok;
}

struct dwarf_needed *dwarf_needed_units(Elf *elf, int fd, const struct svma_range *range, size_t nr)
{
	struct debug_sections s = { NULL };
	struct dwarf_needed *n;

	if (!has_own_format(elf) || !find_sections(elf, &s) || !lib_usable(LIB_zlib))
		return NULL;
	n = xcalloc(1, sizeof(*n));
	if (!keep_needed(fd, &s, &(struct addresses){ range, nr }, n)) {
		dwarf_needed_free(n);
		return NULL;
	}
	elf_section_replace(s.abbrev, n->abbrev.v, n->abbrev.nr);
	elf_section_replace(s.info, n->info.v, n->info.nr);
	return n;
}

void dwarf_needed_free(struct dwarf_needed *n)
{
	if (!n)
		return;
	vec_release(&n->info);
	vec_release(&n->abbrev);
	free(n);
}
