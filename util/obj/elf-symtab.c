/* Elf-symtab: the symbols of .symtab and .dynsym. */
#include "elf-obj.h"

#include <string.h>
#include "../../arch/arch.h"

/* what a symbol in a section can stand for */
enum section_use { SECTION_OTHER, SECTION_CODE, SECTION_DATA };

/* what the starts of symbols say of an address */
struct around {
	u64 at;
	u64 first;	/* of the outermost symbol that contains it */
	u64 before;	/* of the last one that is not after it */
	u64 after;	/* of the first one after it */
};

struct reader {
	const struct elf_obj *o;
	const struct arch *arch;	/* NULL: not known */
	const struct elf_addr_map *map;
	struct symvec *v;
	Elf_Data *strs;
	u64 first, last;	/* only symbols that start there are added */
	struct around *around;	/* of look_around() */
	u8 *use;		/* enum section_use of each section */
	size_t nr_sections;
};

static u8 *section_uses(const struct elf_obj *o, size_t *ret_nr)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	u8 *use;

	if (elf_getshdrnum(o->elf, ret_nr))
		*ret_nr = 0;
	use = xcalloc(*ret_nr + 1, 1);
	while ((scn = elf_nextscn(o->elf, scn))) {
		size_t i = elf_ndxscn(scn);

		if (i < *ret_nr && gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_ALLOC))
			use[i] = sh.sh_flags & SHF_EXECINSTR ? SECTION_CODE : SECTION_DATA;
	}
	return use;
}

static bool wanted(const struct reader *r, const GElf_Sym *sym, const char *name)
{
	u8 use = sym->st_shndx < r->nr_sections ? r->use[sym->st_shndx] : SECTION_OTHER;

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx >= SHN_LORESERVE || !name[0])
		return false;
	switch (GELF_ST_TYPE(sym->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
		return true;
	case STT_OBJECT:
		return use != SECTION_OTHER;
	case STT_NOTYPE:
		/* ".LBB0_6": a label of a compiler, which assemblers keep for linkers that shorten code */
		return use == SECTION_CODE && strncmp(name, ".L", 2) &&
		       !(name[0] == '$' && r->arch && r->arch->mapping_symbols);
	default:
		return false;
	}
}

static bool address_of(const struct reader *r, const GElf_Sym *sym, u64 value, u64 *ret)
{
	const struct elf_addr_map *m = r->map;

	if (r->o->ehdr.e_type == ET_REL) {
		if (!m->section_base || sym->st_shndx >= m->nr_sections || !m->section_base[sym->st_shndx])
			return false;
		*ret = m->section_base[sym->st_shndx] + value;
		return true;
	}
	if (m->runtime)
		return elf_obj_svma_to_off(m->runtime, value, ret);
	*ret = value + m->bias;
	return true;
}

static u8 binding_of(const GElf_Sym *sym)
{
	switch (GELF_ST_BIND(sym->st_info)) {
	case STB_LOCAL:
		return 'l';
	case STB_WEAK:
		return 'w';
	default:
		return 'g';
	}
}

static u64 code_value(const struct reader *r, const GElf_Sym *sym)
{
	if (r->arch && r->arch->code_mask && GELF_ST_TYPE(sym->st_info) == STT_FUNC)
		return sym->st_value & r->arch->code_mask;
	return sym->st_value;
}

/* the symbol's address and name; false: it is not wanted */
static bool read_symbol(const struct reader *r, const GElf_Sym *sym, u64 *ret_addr, const char **ret_name)
{
	const char *base = r->strs->d_buf;

	if (!base || sym->st_name >= r->strs->d_size)
		return false;
	*ret_name = base + sym->st_name;
	return wanted(r, sym, *ret_name) && address_of(r, sym, code_value(r, sym), ret_addr) &&
	       *ret_addr + sym->st_size >= *ret_addr;
}

static bool add_symbol(const struct reader *r, const GElf_Sym *sym)
{
	size_t len, room;
	const char *name;
	u64 addr;

	if (!read_symbol(r, sym, &addr, &name) || addr < r->first || addr > r->last)
		return false;
	room = r->strs->d_size - sym->st_name;
	len = strnlen(name, room);
	if (len == room)
		return false;
	symvec_add(r->v, addr, addr + sym->st_size, name, len, binding_of(sym), GELF_ST_TYPE(sym->st_info));
	return true;
}

static bool look_around(const struct reader *r, const GElf_Sym *sym)
{
	struct around *a = r->around;
	const char *name;
	u64 start;

	if (!read_symbol(r, sym, &start, &name))
		return false;
	if (start > a->at)
		a->after = MIN(a->after, start);
	else if (a->at - start < sym->st_size)
		a->first = MIN(a->first, start);
	if (start <= a->at)
		a->before = MAX(a->before, start);
	return start <= a->at;
}

/* calls fn for the symbols of a table; returns the number of those for which it is true */
static size_t each_symbol(struct reader *r, enum elf_symbols which,
			  bool (*fn)(const struct reader *r, const GElf_Sym *sym))
{
	u32 type = which == ELF_SYMBOLS_SYMTAB ? SHT_SYMTAB : SHT_DYNSYM;
	Elf_Scn *scn = NULL;
	size_t nr_true = 0;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(r->o->elf, scn))) {
		Elf_Data *d;
		size_t nr;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		d = elf_getdata(scn, NULL);
		r->strs = elf_getdata(elf_getscn(r->o->elf, sh.sh_link), NULL);
		if (!d || !r->strs)
			continue;
		nr = d->d_size / sh.sh_entsize;
		for (size_t i = 1; i < nr && i < INT32_MAX; i++) {
			GElf_Sym sym;

			if (gelf_getsym(d, i, &sym))
				nr_true += fn(r, &sym);
		}
		/* there is one of each kind; more would be a trick to make us read the same bytes again */
		break;
	}
	return nr_true;
}

size_t elf_obj_symbols(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
		       struct symvec *v)
{
	struct reader r = { .o = o, .arch = arch_by_machine(o->ehdr.e_machine), .map = map, .v = v,
			    .last = UINT64_MAX };
	size_t added;

	r.use = section_uses(o, &r.nr_sections);
	added = each_symbol(&r, which, add_symbol);
	free(r.use);
	return added;
}

size_t elf_obj_symbols_at(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
			  u64 at, struct symvec *v)
{
	struct around a = { .at = at, .first = UINT64_MAX, .after = UINT64_MAX };
	struct reader r = { .o = o, .arch = arch_by_machine(o->ehdr.e_machine), .map = map, .v = v,
			    .around = &a };
	size_t added = 0;

	r.use = section_uses(o, &r.nr_sections);
	if (each_symbol(&r, which, look_around)) {
		r.first = MIN(a.first, a.before);
		r.last = a.after;
		added = each_symbol(&r, which, add_symbol);
	}
	free(r.use);
	return added;
}

bool elf_obj_symbol_value(const struct elf_obj *o, const char *name, u64 *value)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(o->elf, scn))) {
		Elf_Data *d;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_SYMTAB || !sh.sh_entsize)
			continue;
		d = elf_getdata(scn, NULL);
		for (size_t i = 1; d && i < d->d_size / sh.sh_entsize && i < INT32_MAX; i++) {
			const char *s;
			GElf_Sym sym;

			if (!gelf_getsym(d, i, &sym) || sym.st_shndx == SHN_UNDEF)
				continue;
			s = elf_strptr(o->elf, sh.sh_link, sym.st_name);
			if (s && !strcmp(s, name)) {
				*value = sym.st_value;
				return true;
			}
		}
		return false;
	}
	return false;
}
