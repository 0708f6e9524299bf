/*
 * Fuzz: a file with a CoreSight trace, and the letters of --itrace. Its program is /200: one of arm64, with
 * branches of each kind, so that packets lead somewhere.
 */
#include "walk-trace.h"

#define SECTIONS_AT (0x80 + 256)

static const struct {
	Elf64_Ehdr e;
	Elf64_Phdr p;
	u8 pad[8];
	u32 code[64];
	Elf64_Shdr s[2];
} program = {
	.e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
	       .e_type = ET_EXEC, .e_machine = EM_AARCH64, .e_version = EV_CURRENT, .e_entry = 0x400080,
	       .e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
	       .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shoff = SECTIONS_AT,
	       .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2 },
	.p = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000, .p_paddr = 0x400000,
	       .p_filesz = sizeof(program), .p_memsz = sizeof(program) },
	.s = { [1] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = 0x400080,
		       .sh_offset = 0x80, .sh_size = 256 } },
	/* mov; bl; cbnz; blr; isb; svc; b; wfi; nop; tbz; nop; ret; br; eret; b to itself; zeros */
	.code = { 0xd2800000, 0x94000007, 0xb5ffffc0, 0xd63f0020, 0xd5033fdf, 0xd4000001, 0x17fffffa,
		  0xd503207f, 0xd503201f, 0x36000040, 0xd503201f, 0xd65f03c0, 0xd61f0040,
		  0xd69f03e0, 0x14000000 },
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return walk_trace(data, size, &program, sizeof(program));
}
