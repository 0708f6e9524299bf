/*
 * Fuzz: a file with an Intel PT trace, and the letters of --itrace. Its program is /200: one of x86-64, with
 * branches of each kind, so that packets lead somewhere.
 */
#include "walk-trace.h"

#define SECTIONS_AT (0x80 + 256)

static const struct {
	Elf64_Ehdr e;
	Elf64_Phdr p;
	u8 pad[8];
	u8 code[256];
	Elf64_Shdr s[2];
} program = {
	.e = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
	       .e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT, .e_entry = 0x400080,
	       .e_phoff = sizeof(Elf64_Ehdr), .e_ehsize = sizeof(Elf64_Ehdr),
	       .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 1, .e_shoff = SECTIONS_AT,
	       .e_shentsize = sizeof(Elf64_Shdr), .e_shnum = 2 },
	.p = { .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000, .p_paddr = 0x400000,
	       .p_filesz = sizeof(program), .p_memsz = sizeof(program) },
	.s = { [1] = { .sh_type = SHT_PROGBITS, .sh_flags = SHF_ALLOC | SHF_EXECINSTR, .sh_addr = 0x400080,
		       .sh_offset = 0x80, .sh_size = 256 } },
	/*
	 * 80 xor; call 90; jne 80; jmp *%rax; 8b syscall; jmp 80; nop; 90 nop; je 94; nop; 94 ret; 95 jmp 95;
	 * in; bytes that are not an instruction
	 */
	.code = { 0x31, 0xc0, 0xe8, 9, 0, 0, 0, 0x75, 0xf7, 0xff, 0xe0, 0x0f, 0x05, 0xeb, 0xf1, 0x90,
		  0x90, 0x74, 1, 0x90, 0xc3, 0xeb, 0xfe, 0xed, 0xed, 6, 6, 6 },
};

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	return walk_trace(data, size, &program, sizeof(program));
}
