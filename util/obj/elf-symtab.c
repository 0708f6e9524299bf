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
	elf_symbol_fn fn;	/* of elf_obj_each_symbol(), with ctx */
	void *ctx;
	const char *names;
	size_t names_len;	/* up to the last NUL: names that begin before it end inside the section */
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

/* the symbol as others see it; false: it is not wanted */
static bool read_symbol(const struct reader *r, const GElf_Sym *sym, struct symbol *ret)
{
	if (sym->st_name >= r->names_len)
		return false;
	ret->name = r->names + sym->st_name;
	if (!wanted(r, sym, ret->name) || !address_of(r, sym, code_value(r, sym), &ret->start))
		return false;
	ret->end = ret->start + sym->st_size;
	ret->binding = binding_of(sym);
	ret->type = GELF_ST_TYPE(sym->st_info);
	return ret->end >= ret->start;
}

static bool add_symbol(const struct reader *r, const struct symbol *s)
{
	if (s->start < r->first || s->start > r->last)
		return false;
	symvec_add(r->v, s->start, s->end, s->name, strlen(s->name), s->binding, s->type);
	return true;
}

static bool pass_on(const struct reader *r, const struct symbol *s)
{
	r->fn(r->ctx, s);
	return true;
}

static bool look_around(const struct reader *r, const struct symbol *s)
{
	struct around *a = r->around;

	if (s->start > a->at)
		a->after = MIN(a->after, s->start);
	else if (a->at < s->end)
		a->first = MIN(a->first, s->start);
	if (s->start <= a->at)
		a->before = MAX(a->before, s->start);
	return s->start <= a->at;
}

static void use_names(struct reader *r, const Elf_Data *strs)
{
	const char *last = strs->d_buf ? memrchr(strs->d_buf, '\0', strs->d_size) : NULL;

	r->names = strs->d_buf;
	r->names_len = last ? last + 1 - r->names : 0;
}

/* libelf has brought symbols into the byte order of this machine: those of 64 bits are as gelf shows them */
static bool symbol_at(Elf_Data *d, bool is64, size_t i, GElf_Sym *ret)
{
	if (!is64)
		return gelf_getsym(d, i, ret);
	memcpy(ret, (const char *)d->d_buf + i * sizeof(*ret), sizeof(*ret));
	return true;
}

/* calls fn for the symbols of a table; returns the number of those for which it is true */
static size_t each_symbol(struct reader *r, enum elf_symbols which,
			  bool (*fn)(const struct reader *r, const struct symbol *s))
{
	u32 type = which == ELF_SYMBOLS_SYMTAB ? SHT_SYMTAB : SHT_DYNSYM;
	bool is64 = r->o->ehdr.e_ident[EI_CLASS] == ELFCLASS64;
	Elf_Scn *scn = NULL;
	size_t nr_true = 0;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(r->o->elf, scn))) {
		Elf_Data *d, *strs;
		size_t nr;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != type || !sh.sh_entsize)
			continue;
		d = elf_getdata(scn, NULL);
		strs = elf_getdata(elf_getscn(r->o->elf, sh.sh_link), NULL);
		if (!d || !d->d_buf || d->d_type != ELF_T_SYM || !strs)
			continue;
		use_names(r, strs);
		nr = d->d_size / MAX(sh.sh_entsize, is64 ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym));
		for (size_t i = 1; i < nr && i < INT32_MAX; i++) {
			struct symbol s;
			GElf_Sym sym;

			if (symbol_at(d, is64, i, &sym) && read_symbol(r, &sym, &s))
				nr_true += fn(r, &s);
			if (i % ELF_ROWS_AT_ONCE == ELF_ROWS_AT_ONCE - 1)
				elf_obj_rest(r->o);
		}
		/* there is one of each kind; more would be a trick to make us read the same bytes again */
		break;
	}
	return nr_true;
}

static size_t read_table(struct reader *r, enum elf_symbols which,
			 bool (*fn)(const struct reader *r, const struct symbol *s))
{
	size_t nr;

	r->use = section_uses(r->o, &r->nr_sections);
	r->arch = arch_by_machine(r->o->ehdr.e_machine);
	nr = each_symbol(r, which, fn);
	free(r->use);
	return nr;
}

size_t elf_obj_symbols(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
		       struct symvec *v)
{
	struct reader r = { .o = o, .map = map, .v = v, .last = UINT64_MAX };

	return read_table(&r, which, add_symbol);
}

void elf_obj_each_symbol(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
			 elf_symbol_fn fn, void *ctx)
{
	struct reader r = { .o = o, .map = map, .fn = fn, .ctx = ctx };

	read_table(&r, which, pass_on);
}

size_t elf_obj_symbols_at(const struct elf_obj *o, enum elf_symbols which, const struct elf_addr_map *map,
			  u64 at, struct symvec *v)
{
	struct around a = { .at = at, .first = UINT64_MAX, .after = UINT64_MAX };
	struct reader r = { .o = o, .map = map, .v = v, .around = &a };

	if (!read_table(&r, which, look_around))
		return 0;
	r.first = MIN(a.first, a.before);
	r.last = a.after;
	return read_table(&r, which, add_symbol);
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
