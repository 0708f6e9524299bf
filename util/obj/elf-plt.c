/*
 * Elf-plt: names for the entries of procedure linkage tables. Entries have no symbols of their own: each
 * jumps through a slot of the global offset table, and the relocation of that slot names the function. Where
 * the architecture has a decoder for the jump (arch_abi.plt_walk), every layout (lazy, IBT, BTI, .plt.got)
 * works; elsewhere entries are in the order of the relocations. Some architectures have entries in a section
 * of another name (arch_abi.stub_walk).
 */
#include "elf-obj.h"

#include <stdio.h>
#include <string.h>

#include "../../arch/arch.h"
#include "../base/cursor.h"
#include "../base/sort.h"
#include "../base/search.h"

#define MAX_SLOTS (1 << 20)	/* because many sections may refer to the same bytes */

struct slot {
	u64 got;		/* svma of the slot */
	u64 addend;		/* of relocations without symbol */
	const char *name;	/* inside the file; NULL: no symbol */
	bool lazy;		/* from the jump-slot relocations: in the order of the entries */
};

struct plt {
	const struct elf_obj *o;
	const struct elf_addr_map *map;
	struct symvec *v;
	struct { VEC(struct slot); } slot;	/* jump slots first, in their own order */
	struct sort_pair *by_got;
	Elf_Scn *dynsym;			/* NULL: none */
	size_t added;
	u64 first;				/* svma of the section's first entry, 0: none yet */
};

static const char *symbol_name(const struct elf_obj *o, Elf_Scn *scn, u64 index)
{
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;
	GElf_Shdr sh;
	GElf_Sym sym;
	const char *s;

	if (!index || index > INT32_MAX || !d || !gelf_getshdr(scn, &sh) || !gelf_getsym(d, index, &sym))
		return NULL;
	s = elf_strptr(o->elf, sh.sh_link, sym.st_name);
	return s && s[0] ? s : NULL;
}

static bool is_big_endian(const struct elf_obj *o)
{
	return o->ehdr.e_ident[EI_DATA] == ELFDATA2MSB;
}

static void read_relocs(struct plt *p, const struct arch_abi *m, Elf_Scn *scn, const GElf_Shdr *sh, bool lazy)
{
	Elf_Scn *symbols = elf_getscn(p->o->elf, sh->sh_link);
	Elf_Data *d = elf_getdata(scn, NULL);
	size_t nr = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0;

	for (size_t i = 0; i < nr && p->slot.nr < MAX_SLOTS; i++) {
		GElf_Rela r = { 0 };
		GElf_Rel rel;
		u32 type, symbol;

		if (i % ELF_ROWS_AT_ONCE == ELF_ROWS_AT_ONCE - 1)
			elf_obj_rest(p->o);
		if (sh->sh_type == SHT_RELA) {
			if (!gelf_getrela(d, i, &r))
				continue;
		} else {
			if (!gelf_getrel(d, i, &rel))
				continue;
			r.r_offset = rel.r_offset;
			r.r_info = rel.r_info;
		}
		type = GELF_R_TYPE(r.r_info);
		symbol = GELF_R_SYM(r.r_info);
		if (m->reloc_info)
			m->reloc_info(r.r_info, is_big_endian(p->o), &symbol, &type);
		if (type != m->jump_slot && type != m->irelative && (!type || type != m->glob_dat) && !lazy)
			continue;
		vec_push(&p->slot, (struct slot){
			.got = r.r_offset, .addend = r.r_addend, .lazy = lazy,
			.name = symbol_name(p->o, symbols, symbol),
		});
	}
}

static void read_slots(struct plt *p, const struct arch_abi *m)
{
	for (int lazy = 1; lazy >= 0; lazy--) {
		Elf_Scn *scn = NULL;
		GElf_Shdr sh;

		while ((scn = elf_nextscn(p->o->elf, scn))) {
			const char *name;

			if (!gelf_getshdr(scn, &sh) || (sh.sh_type != SHT_RELA && sh.sh_type != SHT_REL) ||
			    !(sh.sh_flags & SHF_ALLOC))
				continue;
			name = elf_strptr(p->o->elf, p->o->shstrndx, sh.sh_name);
			if (!name || (!strcmp(name, ".rela.plt") || !strcmp(name, ".rel.plt")) != lazy)
				continue;
			read_relocs(p, m, scn, &sh, lazy);
		}
	}
	p->by_got = xreallocarray(NULL, p->slot.nr * 2 + 1, sizeof(*p->by_got));
	for (size_t i = 0; i < p->slot.nr; i++)
		p->by_got[i] = (struct sort_pair){ .key = p->slot.v[i].got, .val = i };
	sort_pairs(p->by_got, p->by_got + p->slot.nr, p->slot.nr);
}

static const struct slot *slot_at(const struct plt *p, u64 got)
{
	size_t lo = LOWER_BOUND(p->slot.nr, i, p->by_got[i].key < got);

	return lo < p->slot.nr && p->by_got[lo].key == got ? &p->slot.v[p->by_got[lo].val] : NULL;
}

static bool address_of(const struct plt *p, u64 svma, u64 *addr)
{
	*addr = svma + p->map->bias;
	return !p->map->runtime || elf_obj_svma_to_off(p->map->runtime, svma, addr);
}

static void add_symbol(struct plt *p, u64 addr, u64 size, const char *name, size_t len)
{
	symvec_add(p->v, addr, addr + size, name, len, 'g', STT_FUNC);
	p->added++;
}

/* the header of a table, before its first entry */
static void add_header(struct plt *p, u64 svma, u64 size)
{
	u64 addr;

	if (address_of(p, svma, &addr))
		add_symbol(p, addr, size, ".plt", 4);
}

/* "name@plt", without snprintf(): libraries have thousands of entries. The length */
static size_t plt_name(char *out, size_t size, const char *function)
{
	static const char suffix[] = "@plt";
	size_t len = MIN(strlen(function), size - sizeof(suffix));

	memcpy(out, function, len);
	memcpy(out + len, suffix, sizeof(suffix));
	return len + sizeof(suffix) - 1;
}

static void add_entry(struct plt *p, u64 svma, u64 size, const struct slot *slot)
{
	char name[512];
	const struct symbol *resolver;
	u64 addr;
	size_t len;

	if (!slot || !address_of(p, svma, &addr))
		return;
	if (!p->first)
		p->first = svma;
	if (slot->name) {
		len = plt_name(name, sizeof(name), slot->name);
	} else if (slot->addend) {
		/* chosen at run time: named after the function that chooses */
		resolver = address_of(p, slot->addend, &addr) ? symvec_exact(p->v, addr) : NULL;
		if (resolver)
			len = plt_name(name, sizeof(name), resolver->name);
		else
			len = snprintf(name, sizeof(name), "offset_%#llx@plt",
				       (unsigned long long)slot->addend);
		address_of(p, svma, &addr);
	} else {
		return;
	}
	add_symbol(p, addr, size, name, MIN(len, sizeof(name) - 1));
}

static void add_decoded(void *ctx, u64 svma, u64 size, u64 got)
{
	struct plt *p = ctx;

	add_entry(p, svma, size, slot_at(p, got));
}

static void add_numbered(void *ctx, u64 svma, u64 size, u64 index)
{
	struct plt *p = ctx;
	struct slot slot = { .name = p->dynsym ? symbol_name(p->o, p->dynsym, index) : NULL };

	add_entry(p, svma, size, &slot);
}

static void ordered_section(struct plt *p, const struct arch_abi *m, const GElf_Shdr *sh, size_t size)
{
	size_t off = m->plt_header;

	for (size_t i = 0; m->plt_entry && i < p->slot.nr && p->slot.v[i].lazy && off + m->plt_entry <= size;
	     i++, off += m->plt_entry)
		add_entry(p, sh->sh_addr + off, m->plt_entry, &p->slot.v[i]);
}

static u64 dynamic_pltgot(const struct elf_obj *o)
{
	GElf_Shdr sh;
	Elf_Scn *scn = elf_obj_section(o, ".dynamic", &sh);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;
	size_t nr = d && sh.sh_entsize ? d->d_size / sh.sh_entsize : 0;
	GElf_Dyn dyn;

	for (size_t i = 0; i < nr && i < 4096; i++)
		if (gelf_getdyn(d, i, &dyn) && dyn.d_tag == DT_PLTGOT)
			return dyn.d_un.d_ptr;
	return 0;
}

static bool is_plt_section(const char *name)
{
	return !strcmp(name, ".plt") || !strcmp(name, ".plt.sec") || !strcmp(name, ".plt.got") ||
	       !strcmp(name, ".plt.bnd") || !strcmp(name, ".iplt");
}

/* the entries of one section; code says what all sections have in common */
static void read_section(struct plt *p, const struct arch_abi *m, const char *name, const GElf_Shdr *sh,
			 const Elf_Data *d, struct arch_plt_code code)
{
	code.p = d->d_buf;
	code.size = d->d_size;
	code.svma = sh->sh_addr;
	p->first = 0;
	if (m->stub_section && !strcmp(name, m->stub_section))
		m->stub_walk(&code, m->stub_symbols ? add_numbered : add_decoded, p);
	else if (m->plt_walk)
		m->plt_walk(&code, add_decoded, p);
	else
		ordered_section(p, m, sh, d->d_size);
	if (!strcmp(name, ".plt") && p->first > sh->sh_addr)
		add_header(p, sh->sh_addr, p->first - sh->sh_addr);
}

size_t elf_obj_plt_symbols(const struct elf_obj *o, const struct elf_addr_map *map, struct symvec *v)
{
	const struct arch_abi *m = arch_abi_of_file(o->ehdr.e_machine,
						    o->ehdr.e_ident[EI_CLASS] == ELFCLASS64);
	struct plt p = { .o = o, .map = map, .v = v };
	struct arch_plt_code code = { .big_endian = is_big_endian(o) };
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	bool has_sec;

	if (!m || !m->jump_slot || o->ehdr.e_type == ET_REL)
		return 0;
	read_slots(&p, m);
	p.dynsym = elf_obj_section(o, ".dynsym", &sh);
	has_sec = elf_obj_section(o, ".plt.sec", &sh) != NULL;
	code.gotplt = m->plt_walk ? dynamic_pltgot(o) : 0;
	code.got = elf_obj_section(o, ".got", &sh) ? sh.sh_addr : 0;
	while ((p.slot.nr || m->stub_symbols) && (scn = elf_nextscn(o->elf, scn))) {
		const char *name;
		Elf_Data *d;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_PROGBITS || !(sh.sh_flags & SHF_EXECINSTR))
			continue;
		name = elf_strptr(o->elf, o->shstrndx, sh.sh_name);
		if (!name || (!is_plt_section(name) && (!m->stub_section || strcmp(name, m->stub_section))) ||
		    !(d = elf_rawdata(scn, NULL)) || !d->d_buf)
			continue;
		if (has_sec && !strcmp(name, ".plt"))
			/* only the lazy halves of the entries in .plt.sec */
			add_header(&p, sh.sh_addr, d->d_size);
		else
			read_section(&p, m, name, &sh, d, code);
	}
	vec_release(&p.slot);
	free(p.by_got);
	return p.added;
}
