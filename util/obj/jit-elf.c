/* Jit-elf: headers, code, unwind information, note, symbol, source lines; section headers last. */
#include "jit-elf.h"
#include "jit-lines.h"
#include "../base/hash.h"
#include "../base/vec.h"

#include <elf.h>
#include <endian.h>

#define NR_SEGMENTS 3u		/* load, note, .eh_frame_hdr */
#define NOTE_SIZE (sizeof(Elf64_Nhdr) + 4 + JIT_ELF_ID_LEN)

_Static_assert(sizeof(Elf64_Ehdr) + NR_SEGMENTS * sizeof(Elf64_Phdr) <= JIT_ELF_TEXT,
	       "the headers are before the code");

struct elf_builder {
	struct strbuf out, names;
	struct { VEC(Elf64_Shdr); } section;
};

bool jit_elf_supports(u32 e_machine)
{
	switch (e_machine) {
	case EM_NONE:
	case EM_386:
	case EM_ARM:
	case EM_MIPS:
	case EM_PPC:
		return false;
	}
	return e_machine <= UINT16_MAX;
}

u64 jit_elf_mapped(const struct jit_entry *e)
{
	return e->unwind_mapped ? ALIGN_UP(e->len, (u64)8) + e->unwind_mapped : e->len;
}

/* appends a section; aligned to align. Returns its index */
static u32 add_section(struct elf_builder *b, const char *name, Elf64_Shdr s, const void *p, u64 len)
{
	s.sh_name = b->names.len;
	strbuf_add(&b->names, name, strlen(name) + 1);
	strbuf_pad(&b->out, '\0', ALIGN_UP(b->out.len, (size_t)s.sh_addralign) - b->out.len);
	s.sh_offset = b->out.len;
	s.sh_addr = s.sh_flags & SHF_ALLOC ? s.sh_offset : 0;
	s.sh_size = len;
	strbuf_add(&b->out, p, len);
	vec_push(&b->section, s);
	return b->section.nr - 1;
}

static const Elf64_Shdr *section_at(const struct elf_builder *b, u32 i)
{
	return &b->section.v[i];
}

static void add_symbol(struct elf_builder *b, const struct jit_entry *e, u32 text)
{
	struct strbuf names = STRBUF_INIT;
	Elf64_Sym sym[2] = { { 0 }, {
		.st_name = 1, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = text,
		.st_value = JIT_ELF_TEXT, .st_size = e->len,
	} };
	u32 strings;

	strbuf_addch(&names, '\0');
	strbuf_add(&names, e->name, strlen(e->name) + 1);
	strings = add_section(b, ".strtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 },
			      names.buf, names.len);
	/* sh_info: the first symbol that is not local */
	add_section(b, ".symtab", (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_addralign = 8,
		    .sh_link = strings, .sh_info = 1, .sh_entsize = sizeof(*sym) }, sym, sizeof(sym));
	strbuf_release(&names);
}

static void add_lines(struct elf_builder *b, const struct jitdump *d, const struct jit_entry *e)
{
	const Elf64_Shdr plain = { .sh_type = SHT_PROGBITS, .sh_addralign = 1 };
	struct jit_dwarf w = { 0 };

	if (jit_dwarf_build(&w, d, e, JIT_ELF_TEXT)) {
		add_section(b, ".debug_abbrev", plain, w.abbrev.buf, w.abbrev.len);
		add_section(b, ".debug_info", plain, w.info.buf, w.info.len);
		add_section(b, ".debug_line", plain, w.line.buf, w.line.len);
	}
	jit_dwarf_release(&w);
}

/* .eh_frame and .eh_frame_hdr, at the place after the code that their relative addresses assume */
static u32 add_unwind(struct elf_builder *b, const struct jit_entry *e)
{
	const Elf64_Shdr s = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC, .sh_addralign = 1 };
	u64 frames = e->unwind_len - e->eh_frame_hdr_len;

	if (!e->unwind_len)
		return 0;
	strbuf_pad(&b->out, '\0', ALIGN_UP(b->out.len, (size_t)8) - b->out.len);
	if (frames)
		add_section(b, ".eh_frame", s, e->unwind, frames);
	return e->eh_frame_hdr_len ?
	       add_section(b, ".eh_frame_hdr", s, e->unwind + frames, e->eh_frame_hdr_len) : 0;
}

static Elf64_Phdr segment(u32 type, u32 flags, u64 off, u64 size, u64 align)
{
	return (Elf64_Phdr){ .p_type = type, .p_flags = flags, .p_offset = off, .p_vaddr = off,
			     .p_paddr = off, .p_filesz = size, .p_memsz = size, .p_align = align };
}

static void put_headers(struct elf_builder *b, const struct jitdump *d, u64 loaded_end, u32 note, u32 hdr)
{
	Elf64_Phdr ph[NR_SEGMENTS] = {
		segment(PT_LOAD, PF_R | PF_X, JIT_ELF_TEXT, loaded_end - JIT_ELF_TEXT, 16),
		segment(PT_NOTE, PF_R, section_at(b, note)->sh_offset, NOTE_SIZE, 4),
	};
	Elf64_Ehdr eh = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     __BYTE_ORDER == __LITTLE_ENDIAN ? ELFDATA2LSB : ELFDATA2MSB, EV_CURRENT },
		.e_type = ET_DYN, .e_machine = d->e_machine, .e_version = EV_CURRENT, .e_entry = JIT_ELF_TEXT,
		.e_phoff = sizeof(eh), .e_ehsize = sizeof(eh), .e_phentsize = sizeof(*ph),
		.e_phnum = hdr ? NR_SEGMENTS : NR_SEGMENTS - 1, .e_shentsize = sizeof(Elf64_Shdr),
	};

	if (hdr)
		ph[2] = segment(PT_GNU_EH_FRAME, PF_R, section_at(b, hdr)->sh_offset,
				section_at(b, hdr)->sh_size, 4);
	eh.e_shstrndx = add_section(b, ".shstrtab", (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_addralign = 1 },
				    NULL, 0);
	strbuf_add(&b->out, b->names.buf, b->names.len);
	b->section.v[eh.e_shstrndx].sh_size = b->names.len;
	strbuf_pad(&b->out, '\0', ALIGN_UP(b->out.len, (size_t)8) - b->out.len);
	eh.e_shoff = b->out.len;
	eh.e_shnum = b->section.nr;
	strbuf_add(&b->out, b->section.v, b->section.nr * sizeof(*b->section.v));
	memcpy(b->out.buf, &eh, sizeof(eh));
	memcpy(b->out.buf + sizeof(eh), ph, sizeof(ph));
}

/* the bytes of the file without its build-id, the process and the time tell builds apart */
static void put_build_id(struct elf_builder *b, const struct jitdump *d, const struct jit_entry *e, u32 note,
			 u8 *id)
{
	u64 h = hash_mix(hash_bytes(b->out.buf, b->out.len), (u64)d->pid << 32 | e->index);

	h = hash_mix(h, e->time);
	for (u32 i = 0; i < JIT_ELF_ID_LEN; i++) {
		if (i % 8 == 0)
			h = hash_u64(h + i + 1);
		id[i] = h >> 8 * (i % 8);
	}
	memcpy(b->out.buf + section_at(b, note)->sh_offset + NOTE_SIZE - JIT_ELF_ID_LEN, id, JIT_ELF_ID_LEN);
}

void jit_elf_build(struct strbuf *out, const struct jitdump *d, const struct jit_entry *e,
		   u8 ret_id[JIT_ELF_ID_LEN])
{
	struct { Elf64_Nhdr h; char name[4]; u8 id[JIT_ELF_ID_LEN]; } n = {
		{ .n_namesz = 4, .n_descsz = JIT_ELF_ID_LEN, .n_type = NT_GNU_BUILD_ID }, "GNU", { 0 },
	};
	struct elf_builder b = { 0 };
	u32 text, hdr, note;
	u64 loaded_end;

	strbuf_pad(&b.out, '\0', JIT_ELF_TEXT);
	strbuf_addch(&b.names, '\0');
	vec_push(&b.section, (Elf64_Shdr){ 0 });
	text = add_section(&b, ".text", (Elf64_Shdr){ .sh_type = SHT_PROGBITS, .sh_addralign = 16,
			   .sh_flags = SHF_ALLOC | SHF_EXECINSTR }, e->code, e->len);
	hdr = add_unwind(&b, e);
	loaded_end = b.out.len;
	note = add_section(&b, ".note.gnu.build-id", (Elf64_Shdr){ .sh_type = SHT_NOTE, .sh_addralign = 4 },
			   &n, sizeof(n));
	add_symbol(&b, e, text);
	add_lines(&b, d, e);
	put_headers(&b, d, loaded_end, note, hdr);
	put_build_id(&b, d, e, note, ret_id);
	strbuf_add(out, b.out.buf, b.out.len);
	strbuf_release(&b.out);
	strbuf_release(&b.names);
	vec_release(&b.section);
}
