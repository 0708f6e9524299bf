/* Relocate: layout of sections, relocations, and writing the copy. */
#include "relocate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../arch/arch.h"
#include "module.h"

#define FIRST_ADDRESS 0x10000u		/* 0 would look like code that a linker removed */
#define SECTIONS_MAX 0xff00u		/* more need another table of section numbers */
#define LOADED_MAX (4ull << 30)

struct linker {
	const struct elf_obj *o;
	const char *name;
	size_t nr;		/* sections */
	u64 *addr;		/* of each section; 0: it is not loaded */
	u8 **copy;		/* changed bytes of a section; NULL: as they are */
	size_t budget;		/* relocations: not more than a file of this size can have */
	bool is_big, machine_known, any_unknown;
	Elf *out;
};

static const char *section_name(const struct linker *l, const GElf_Shdr *sh)
{
	const char *name = elf_strptr(l->o->elf, l->o->shstrndx, sh->sh_name);

	return name ? name : "";
}

/* --- layout */

static int lay_out(struct linker *l, struct err *err)
{
	u64 at = FIRST_ADDRESS;
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(l->o->elf, scn))) {
		size_t i = elf_ndxscn(scn);

		if (i >= l->nr || !gelf_getshdr(scn, &sh) || !(sh.sh_flags & SHF_ALLOC))
			continue;
		if (sh.sh_addralign > 1 && sh.sh_addralign <= 1 << 20 &&
		    !(sh.sh_addralign & (sh.sh_addralign - 1)))
			at = ALIGN_UP(at, sh.sh_addralign);
		if (sh.sh_size > LOADED_MAX - at)
			return err_set(err, -EBADMSG, "%s: the sizes of its sections are damaged", l->name);
		l->addr[i] = at;
		at += MAX(sh.sh_size, (GElf_Xword)1);
	}
	return 0;
}

/* --- relocations */

static const struct arch_reloc *find_reloc(struct linker *l, u32 type)
{
	const struct arch_abi *abi = arch_abi_of_file(l->o->ehdr.e_machine,
						      l->o->ehdr.e_ident[EI_CLASS] == ELFCLASS64);

	l->machine_known |= abi && abi->nr_relocs;
	for (u32 i = 0; abi && i < abi->nr_relocs; i++)
		if (abi->reloc[i].type == type)
			return &abi->reloc[i];
	return NULL;
}

static u64 get_bytes(const struct linker *l, const u8 *p, unsigned int n)
{
	u64 v = 0;

	for (unsigned int i = 0; i < n; i++)
		v |= (u64)p[i] << 8 * (l->is_big ? n - 1 - i : i);
	return v;
}

static void put_bytes(const struct linker *l, u8 *p, unsigned int n, u64 v)
{
	for (unsigned int i = 0; i < n; i++)
		p[i] = v >> 8 * (l->is_big ? n - 1 - i : i);
}

static void change_uleb(u8 *p, const u8 *end, bool subtract, u64 v)
{
	u64 old = 0;

	for (u8 *q = p; subtract && q < end && q < p + 10; q++) {
		old |= (u64)(*q & 0x7f) << MIN(7 * (q - p), (ptrdiff_t)63);
		if (!(*q & 0x80))
			break;
	}
	v = subtract ? old - v : v;
	for (; p < end; p++, v >>= 7) {
		bool more = *p & 0x80;

		*p = (*p & 0x80) | (v & 0x7f);
		if (!more)
			break;
	}
}

/* the section of the bytes is at address self; the value is symbol and addend */
static void apply(const struct linker *l, const struct arch_reloc *k, u8 *at, const u8 *end, u64 value,
		  u64 self)
{
	switch (k->action) {
	case RELOC_SET:
		put_bytes(l, at, k->bytes, value);
		break;
	case RELOC_RELATIVE:
		put_bytes(l, at, k->bytes, value - self);
		break;
	case RELOC_ADD:
		put_bytes(l, at, k->bytes, get_bytes(l, at, k->bytes) + value);
		break;
	case RELOC_SUB:
		put_bytes(l, at, k->bytes, get_bytes(l, at, k->bytes) - value);
		break;
	case RELOC_SET6:
		*at = (*at & 0xc0) | (value & 0x3f);
		break;
	case RELOC_SUB6:
		*at = (*at & 0xc0) | ((*at - value) & 0x3f);
		break;
	case RELOC_SET_ULEB:
	case RELOC_SUB_ULEB:
		change_uleb(at, end, k->action == RELOC_SUB_ULEB, value);
	}
}

/* 0 for what other files define */
static u64 symbol_value(const struct linker *l, Elf_Data *symbols, size_t i)
{
	GElf_Sym sym;

	if (!symbols || i > INT32_MAX || !gelf_getsym(symbols, i, &sym))
		return 0;
	if (sym.st_shndx == SHN_ABS)
		return sym.st_value;
	return sym.st_shndx != SHN_UNDEF && sym.st_shndx < l->nr ? l->addr[sym.st_shndx] + sym.st_value : 0;
}

struct target_section {
	size_t i;
	u8 *bytes;
	size_t size;
	Elf_Data *symbols;
};

static void relocate_one(struct linker *l, const struct target_section *t, u64 off, u64 info, bool has_addend,
			 s64 addend)
{
	const struct arch_reloc *k = find_reloc(l, GELF_R_TYPE(info));
	u64 value = symbol_value(l, t->symbols, GELF_R_SYM(info));
	u8 *at;

	if (!k || off >= t->size || k->bytes > t->size - off) {
		l->any_unknown |= !k;
		return;
	}
	at = t->bytes + off;
	if (!has_addend)
		addend = k->bytes == 4 ? (s64)(s32)get_bytes(l, at, 4) : (s64)get_bytes(l, at, k->bytes);
	apply(l, k, at, t->bytes + t->size, value + addend, l->addr[t->i] + off);
}

static bool is_read(const char *name)
{
	return !strncmp(name, ".debug", 6) || !strcmp(name, ".eh_frame");
}

/* bytes of a section that can be changed; unpacks it. NULL: it has none */
static u8 *own_bytes(struct linker *l, size_t i, size_t *ret_size)
{
	Elf_Scn *scn = elf_getscn(l->o->elf, i);
	Elf_Data *d = scn ? elf_getdata(scn, NULL) : NULL;

	if (!d || !d->d_buf || !d->d_size)
		return NULL;
	if (!l->copy[i])
		l->copy[i] = memcpy(xmalloc(d->d_size), d->d_buf, d->d_size);
	*ret_size = d->d_size;
	return l->copy[i];
}

static void relocate_section(struct linker *l, Elf_Scn *scn, const GElf_Shdr *sh)
{
	Elf_Scn *symtab = elf_getscn(l->o->elf, sh->sh_link);
	Elf_Data *d = elf_getdata(scn, NULL);
	struct target_section t = { .i = sh->sh_info };
	bool is_rela = sh->sh_type == SHT_RELA;
	size_t nr = d && sh->sh_entsize ? d->d_size / sh->sh_entsize : 0;
	GElf_Rela rela;
	GElf_Rel rel;

	t.symbols = symtab ? elf_getdata(symtab, NULL) : NULL;
	if (t.symbols && t.symbols->d_type != ELF_T_SYM)
		t.symbols = NULL;
	nr = MIN(nr, MIN(l->budget, (size_t)INT32_MAX));
	l->budget -= nr;
	t.bytes = nr ? own_bytes(l, t.i, &t.size) : NULL;
	for (size_t i = 0; t.bytes && i < nr; i++) {
		if (is_rela && gelf_getrela(d, i, &rela))
			relocate_one(l, &t, rela.r_offset, rela.r_info, true, rela.r_addend);
		else if (!is_rela && gelf_getrel(d, i, &rel))
			relocate_one(l, &t, rel.r_offset, rel.r_info, false, 0);
	}
}

static int relocate_sections(struct linker *l, struct err *err)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh, target;

	while ((scn = elf_nextscn(l->o->elf, scn))) {
		if (gelf_getshdr(scn, &sh) && (sh.sh_type == SHT_RELA || sh.sh_type == SHT_REL) &&
		    sh.sh_info < l->nr && gelf_getshdr(elf_getscn(l->o->elf, sh.sh_info), &target) &&
		    is_read(section_name(l, &target)))
			relocate_section(l, scn, &sh);
	}
	if (l->any_unknown && !l->machine_known)
		return err_set(err, -EOPNOTSUPP, "%s: relocations of this machine (%u) are not known",
			       l->name, l->o->ehdr.e_machine);
	return 0;
}

/* --- the copy */

/* names are kept, so numbers and links of sections are those of the file; what was applied is left out */
static bool is_kept(const GElf_Shdr *sh)
{
	return (sh->sh_flags & SHF_ALLOC) || sh->sh_type == SHT_SYMTAB || sh->sh_type == SHT_STRTAB ||
	       sh->sh_type == SHT_PROGBITS || sh->sh_type == SHT_NOTE;
}

/* of a table in the copy */
static void move_symbols(const struct linker *l, Elf_Data *symbols)
{
	GElf_Sym sym;

	for (int i = 0; i < INT32_MAX && gelf_getsym(symbols, i, &sym); i++)
		if (sym.st_shndx != SHN_UNDEF && sym.st_shndx < l->nr) {
			sym.st_value += l->addr[sym.st_shndx];
			gelf_update_sym(symbols, i, &sym);
		}
}

static bool copy_section(struct linker *l, Elf_Scn *from, size_t i)
{
	Elf_Scn *scn = elf_newscn(l->out);
	Elf_Data *d = scn ? elf_newdata(scn) : NULL, *src;
	GElf_Shdr sh;
	size_t size;

	if (!d || !gelf_getshdr(from, &sh))
		return false;
	d->d_version = EV_CURRENT;
	d->d_align = 1;
	if (!is_kept(&sh)) {
		sh = (GElf_Shdr){ .sh_type = SHT_NULL, .sh_name = sh.sh_name };
		return gelf_update_shdr(scn, &sh);
	}
	sh.sh_addr = l->addr[i];
	src = elf_getdata(from, NULL);
	if (src && src->d_size) {
		if (sh.sh_type == SHT_SYMTAB && !own_bytes(l, i, &size))
			return false;
		d->d_buf = sh.sh_type == SHT_NOBITS ? NULL : l->copy[i] ? l->copy[i] : src->d_buf;
		d->d_size = src->d_size;
		d->d_type = src->d_type;
		d->d_align = MAX(src->d_align, (size_t)1);
		if (sh.sh_type == SHT_SYMTAB && src->d_type == ELF_T_SYM)
			move_symbols(l, d);
	}
	return gelf_update_shdr(scn, &sh);
}

static bool put_segments(struct linker *l)
{
	size_t nr = 0;
	GElf_Shdr sh;

	for (size_t i = 1; i < l->nr; i++) {
		GElf_Phdr ph = { .p_type = PT_LOAD, .p_vaddr = l->addr[i], .p_paddr = l->addr[i],
				 .p_flags = PF_R, .p_align = 1 };

		if (!l->addr[i])
			continue;
		if (!gelf_getshdr(elf_getscn(l->out, i), &sh))
			return false;
		ph.p_offset = sh.sh_offset;
		ph.p_memsz = sh.sh_size;
		ph.p_filesz = sh.sh_type == SHT_NOBITS ? 0 : sh.sh_size;
		ph.p_flags |= sh.sh_flags & SHF_EXECINSTR ? PF_X : 0;
		if (!gelf_update_phdr(l->out, nr++, &ph))
			return false;
	}
	return true;
}

static bool write_copy(struct linker *l, int fd)
{
	GElf_Ehdr eh = l->o->ehdr;
	size_t loaded = 0;
	bool ok;

	l->out = elf_begin(fd, ELF_C_WRITE, NULL);
	if (!l->out || !gelf_newehdr(l->out, eh.e_ident[EI_CLASS]))
		return false;
	eh.e_type = ET_DYN;
	eh.e_shoff = eh.e_phoff = eh.e_phnum = eh.e_shnum = 0;
	eh.e_shstrndx = l->o->shstrndx;
	ok = gelf_update_ehdr(l->out, &eh);
	for (size_t i = 1; i < l->nr && ok; i++) {
		loaded += l->addr[i] != 0;
		ok = copy_section(l, elf_getscn(l->o->elf, i), i);
	}
	return ok && (!loaded || gelf_newphdr(l->out, loaded)) && elf_update(l->out, ELF_C_NULL) >= 0 &&
	       put_segments(l) && elf_update(l->out, ELF_C_WRITE) >= 0;
}

static int link_to(struct linker *l, int fd, struct err *err)
{
	int ret = lay_out(l, err);

	if (ret)
		return ret;
	ret = relocate_sections(l, err);
	if (ret)
		return ret;
	return write_copy(l, fd) ? 0 : err_set(err, -EBADMSG, "%s: its sections are damaged (%s)", l->name,
					       elf_errmsg(-1));
}

/* a descriptor of the copy, or a negative errno with err */
static int relocate_to_memory(const struct elf_obj *o, const char *name, struct err *err)
{
	struct linker l = { .o = o, .name = name, .is_big = o->ehdr.e_ident[EI_DATA] == ELFDATA2MSB };
	int fd, ret;

	if (o->ehdr.e_type != ET_REL || elf_getshdrnum(o->elf, &l.nr) || l.nr > SECTIONS_MAX)
		return err_set(err, -EINVAL, "%s is not a relocatable file", name);
	fd = memfd_create("perf-relocated", MFD_CLOEXEC);
	if (fd < 0)
		return err_sys(err, errno, "%s cannot be relocated", name);
	elf_rawfile(o->elf, &l.budget);
	l.budget /= 8;	/* bytes of the smallest relocation */
	l.addr = xcalloc(l.nr + 1, sizeof(*l.addr));
	l.copy = xcalloc(l.nr + 1, sizeof(*l.copy));
	ret = link_to(&l, fd, err);
	if (l.out)
		elf_end(l.out);
	for (size_t i = 0; i < l.nr; i++)
		free(l.copy[i]);
	free(l.copy);
	free(l.addr);
	if (!ret)
		return fd;
	close(fd);
	return ret;
}

static bool is_packed(Elf_Scn *scn)
{
	GElf_Shdr sh;

	return gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_COMPRESSED) && !(sh.sh_flags & SHF_ALLOC);
}

static void unpack_sections(struct elf_obj *o)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(o->elf, scn)))
		if (is_packed(scn))
			elf_compress(scn, 0, 0);
}

struct elf_obj *elf_obj_link(struct elf_obj *o, const char *path, int *ret_fd, struct err *err)
{
	char copy[32];
	int fd;

	if (ret_fd)
		*ret_fd = -1;
	if (!o || o->ehdr.e_type != ET_REL)
		return o;
	unpack_sections(o);
	fd = relocate_to_memory(o, path, err);
	elf_obj_free(o);
	if (fd < 0)
		return NULL;
	snprintf(copy, sizeof(copy), "/proc/self/fd/%d", fd);
	o = elf_obj_open(copy, err);
	if (o && ret_fd)
		*ret_fd = fd;
	else
		close(fd);
	return o;
}

struct elf_obj *elf_obj_open_linked(const char *path, int *ret_fd, struct err *err)
{
	return elf_obj_link(module_open(path, err), path, ret_fd, err);
}
