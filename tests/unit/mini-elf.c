/* Mini-elf: small ELF files for unit tests. */
#include "mini-elf.h"
#include "bytes.h"
#include "test.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../../util/lib/lib.h"


struct elf_writer {
	const struct mini_elf *e;
	Elf *elf;
	char names[256];	/* .shstrtab */
	size_t names_len;
	size_t text, dynsym;	/* section numbers */
};

static Elf_Scn *section(struct elf_writer *w, const char *name, u32 type, u64 flags, const void *buf,
			size_t len, Elf_Type kind)
{
	Elf_Scn *scn = elf_newscn(w->elf);
	Elf_Data *d = elf_newdata(scn);
	GElf_Shdr sh;

	gelf_getshdr(scn, &sh);
	sh.sh_name = w->names_len;
	memcpy(w->names + w->names_len, name, strlen(name) + 1);
	w->names_len += strlen(name) + 1;
	sh.sh_type = type;
	sh.sh_flags = flags;
	sh.sh_addralign = 4;
	sh.sh_size = len;
	gelf_update_shdr(scn, &sh);
	d->d_buf = (void *)buf;
	d->d_size = len;
	d->d_type = kind;
	d->d_align = 4;
	d->d_version = EV_CURRENT;
	return scn;
}

static void place(Elf_Scn *scn, u64 addr, u64 off, u64 size)
{
	GElf_Shdr sh;

	gelf_getshdr(scn, &sh);
	sh.sh_addr = addr;
	sh.sh_offset = off;
	sh.sh_size = size;
	gelf_update_shdr(scn, &sh);
}

static u64 add_symbols(struct elf_writer *w, const struct mini_sym *sym, u32 type, u64 off)
{
	size_t strs_len = 1, nr = 1, entry = w->e->is32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym), strs_ndx;
	size_t strs_size = 1;
	bool dyn = type == SHT_DYNSYM;
	Elf_Scn *scn, *strscn;
	char *strs;
	void *buf;
	Elf_Data *d;
	GElf_Shdr sh;

	for (; sym[nr - 1].name; nr++)
		strs_size += strlen(sym[nr - 1].name) + 1;
	strs_size = ALIGN_UP(strs_size, (size_t)8192);
	strs = calloc(1, strs_size);
	buf = calloc(nr, entry);
	strscn = section(w, dyn ? ".dynstr" : ".strtab", SHT_STRTAB, 0, strs, strs_size, ELF_T_BYTE);
	strs_ndx = elf_ndxscn(strscn);
	place(strscn, 0, off, strs_size);
	scn = section(w, dyn ? ".dynsym" : ".symtab", type, 0, buf, nr * entry, ELF_T_SYM);
	w->dynsym = dyn ? elf_ndxscn(scn) : w->dynsym;
	d = elf_getdata(scn, NULL);
	for (size_t i = 1; i < nr; i++) {
		const struct mini_sym *s = &sym[i - 1];
		GElf_Sym g = { .st_name = strs_len, .st_value = s->value, .st_size = s->size,
			       .st_info = GELF_ST_INFO(s->bind, s->type), .st_shndx = w->text };

		memcpy(strs + strs_len, s->name, strlen(s->name) + 1);
		strs_len += strlen(s->name) + 1;
		gelf_update_sym(d, i, &g);
	}
	gelf_getshdr(scn, &sh);
	sh.sh_link = strs_ndx;
	sh.sh_entsize = entry;
	sh.sh_addralign = 8;
	gelf_update_shdr(scn, &sh);
	place(scn, 0, off + strs_size, nr * entry);
	return off + strs_size + ALIGN_UP(nr * entry, (size_t)16);
}

static u64 add_notes(struct elf_writer *w, u64 off)
{
	const struct mini_elf *e = w->e;

	if (e->buildid) {
		u8 *note = calloc(1, 36);
		u32 head[3] = { 4, 20, NT_GNU_BUILD_ID };

		for (int i = 0; i < 3; i++)
			head[i] = e->big_endian != HOST_IS_BE ? __builtin_bswap32(head[i]) : head[i];
		memcpy(note, head, 12);
		memcpy(note + 12, "GNU", 4);
		memcpy(note + 16, e->buildid, 20);
		place(section(w, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, 36, ELF_T_BYTE), 0, off,
		      36);
		off += 48;
	}
	if (e->debuglink) {
		size_t at = ALIGN_UP(strlen(e->debuglink) + 1, (size_t)4);
		u8 *link = calloc(1, at + 4);
		u32 crc = e->big_endian != HOST_IS_BE ? __builtin_bswap32(e->crc) : e->crc;

		memcpy(link, e->debuglink, strlen(e->debuglink));
		memcpy(link + at, &crc, 4);
		place(section(w, ".gnu_debuglink", SHT_PROGBITS, 0, link, at + 4, ELF_T_BYTE), 0, off,
		      at + 4);
		off += ALIGN_UP(at + 4, (size_t)16);
	}
	if (e->debugdata) {
		place(section(w, ".gnu_debugdata", SHT_PROGBITS, 0, e->debugdata, e->debugdata_len,
			      ELF_T_BYTE), 0, off, e->debugdata_len);
		off += ALIGN_UP(e->debugdata_len, (size_t)16);
	}
	if (e->eh_frame) {
		place(section(w, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, e->eh_frame, e->eh_frame_len,
			      ELF_T_BYTE), 0, off, e->eh_frame_len);
		off += ALIGN_UP(e->eh_frame_len, (size_t)16);
	}
	return off;
}

static u64 add_plt(struct elf_writer *w, u64 off)
{
	const struct mini_elf *e = w->e;
	Elf_Scn *scn = section(w, ".plt", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, e->plt, e->plt_len,
			       ELF_T_BYTE);
	GElf_Shdr sh;

	place(scn, e->text_svma + 2048, e->text_off + 2048, e->plt_len);
	scn = section(w, ".rela.plt", SHT_RELA, SHF_ALLOC, e->rela_plt, e->rela_plt_len, ELF_T_BYTE);
	gelf_getshdr(scn, &sh);
	sh.sh_link = w->dynsym;
	sh.sh_entsize = e->is32 ? sizeof(Elf32_Rela) : sizeof(Elf64_Rela);
	gelf_update_shdr(scn, &sh);
	place(scn, 0, off, e->rela_plt_len);
	return off + ALIGN_UP(e->rela_plt_len, (size_t)16);
}

static void add_headers(struct elf_writer *w)
{
	const struct mini_elf *e = w->e;
	GElf_Ehdr eh;
	GElf_Phdr ph;

	gelf_newehdr(w->elf, e->is32 ? ELFCLASS32 : ELFCLASS64);
	gelf_getehdr(w->elf, &eh);
	eh.e_ident[EI_DATA] = e->big_endian ? ELFDATA2MSB : ELFDATA2LSB;
	eh.e_type = e->type ? e->type : ET_DYN;
	eh.e_machine = e->machine ? e->machine : EM_X86_64;
	eh.e_version = EV_CURRENT;
	eh.e_phoff = e->is32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr);
	gelf_update_ehdr(w->elf, &eh);
	gelf_newphdr(w->elf, 1);
	gelf_getphdr(w->elf, 0, &ph);
	ph = (GElf_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_offset = e->text_off,
			  .p_vaddr = e->text_svma, .p_filesz = 4096, .p_memsz = 4096, .p_align = 4096 };
	gelf_update_phdr(w->elf, 0, &ph);
}

static void make_directories(const char *path)
{
	char *copy = strdup(path);

	for (char *p = strchr(copy + 1, '/'); p; p = strchr(p + 1, '/')) {
		*p = '\0';
		mkdir(copy, 0755);
		*p = '/';
	}
	free(copy);
}

void mini_elf_write(const char *path, const struct mini_elf *e)
{
	struct elf_writer w = { .e = e, .names_len = 1 };
	size_t text_len = e->plt ? 2048 : 4096;
	Elf_Scn *scn;
	GElf_Ehdr eh;
	u64 off;
	int fd;

	make_directories(path);
	REQUIRE(!lib_load(LIB_libelf, NULL));
	elf_version(EV_CURRENT);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0755);
	REQUIRE(fd >= 0);
	w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	REQUIRE(w.elf);
	elf_flagelf(w.elf, ELF_C_SET, ELF_F_LAYOUT);
	add_headers(&w);
	scn = section(&w, ".text", e->no_text ? SHT_NOBITS : SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR,
		      e->no_text ? NULL : calloc(1, text_len), text_len, ELF_T_BYTE);
	place(scn, e->text_svma, e->text_off, text_len);
	w.text = elf_ndxscn(scn);
	off = add_notes(&w, e->text_off + 4096);
	if (e->sym)
		off = add_symbols(&w, e->sym, SHT_SYMTAB, off);
	if (e->dynsym)
		off = add_symbols(&w, e->dynsym, SHT_DYNSYM, off);
	if (e->plt)
		off = add_plt(&w, off);
	scn = section(&w, ".shstrtab", SHT_STRTAB, 0, w.names, sizeof(w.names), ELF_T_BYTE);
	place(scn, 0, off, sizeof(w.names));
	gelf_getehdr(w.elf, &eh);
	eh.e_shstrndx = elf_ndxscn(scn);
	eh.e_shoff = ALIGN_UP(off + sizeof(w.names), 16);
	gelf_update_ehdr(w.elf, &eh);
	if (elf_update(w.elf, ELF_C_WRITE) < 0)
		printf("elf_update: %s\n", elf_errmsg(-1));
	elf_end(w.elf);
	close(fd);
}
