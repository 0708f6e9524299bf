/* x86: registers in the order of <asm/perf_regs.h>. */
#include "x86.h"

#include <ctype.h>
#include <elf.h>
#include <string.h>

static const struct arch_reg regs[] = {
	[0] = { "AX", { 0, 0 } }, [1] = { "BX", { 3, 3 } }, [2] = { "CX", { 1, 2 } },
	[3] = { "DX", { 2, 1 } }, [4] = { "SI", { 6, 4 } }, [5] = { "DI", { 7, 5 } },
	[6] = { "BP", { 5, 6 } }, [7] = { "SP", { 4, 7 } }, [8] = ARCH_NAME("IP"), [9] = ARCH_NAME("FLAGS"),
	[10] = ARCH_NAME("CS"), [11] = ARCH_NAME("SS"), [12] = ARCH_NAME("DS"), [13] = ARCH_NAME("ES"),
	[14] = ARCH_NAME("FS"), [15] = ARCH_NAME("GS"), [16] = { "R8", { ARCH_NO_REG, 8 } },
	[17] = { "R9", { ARCH_NO_REG, 9 } },
	[18] = { "R10", { ARCH_NO_REG, 10 } }, [19] = { "R11", { ARCH_NO_REG, 11 } },
	[20] = { "R12", { ARCH_NO_REG, 12 } }, [21] = { "R13", { ARCH_NO_REG, 13 } },
	[22] = { "R14", { ARCH_NO_REG, 14 } }, [23] = { "R15", { ARCH_NO_REG, 15 } },
	[32] = ARCH_NAME("XMM0"), [34] = ARCH_NAME("XMM1"), [36] = ARCH_NAME("XMM2"),
	[38] = ARCH_NAME("XMM3"), [40] = ARCH_NAME("XMM4"), [42] = ARCH_NAME("XMM5"),
	[44] = ARCH_NAME("XMM6"), [46] = ARCH_NAME("XMM7"), [48] = ARCH_NAME("XMM8"),
	[50] = ARCH_NAME("XMM9"), [52] = ARCH_NAME("XMM10"), [54] = ARCH_NAME("XMM11"),
	[56] = ARCH_NAME("XMM12"), [58] = ARCH_NAME("XMM13"), [60] = ARCH_NAME("XMM14"),
	[62] = ARCH_NAME("XMM15"),
};
static const struct arch_reloc relocs_32[] = {
	{ 1 /* 32 */, 4, RELOC_SET }, { 2 /* PC32 */, 4, RELOC_RELATIVE }
};
static const struct arch_reloc relocs_64[] = {
	{ 1 /* 64 */, 8, RELOC_SET }, { 2 /* PC32 */, 4, RELOC_RELATIVE },
	{ 10 /* 32 */, 4, RELOC_SET }, { 11 /* 32S */, 4, RELOC_SET },
	{ 24 /* PC64 */, 8, RELOC_RELATIVE }
};
static const struct arch_alias aliases[] = { { "rflags", "flags" }, { "eflags", "flags" }, { NULL, NULL } };
static const char *const unames[] = { "x86_64", "i386", "i486", "i586", "i686", NULL };

/* "rdi", "edi" and "di" are one register */
static void spell_reg(char name[ARCH_REG_NAME])
{
	if ((name[0] == 'r' || name[0] == 'e') && strlen(name) == 3 && isalpha((u8)name[1]))
		memmove(name, name + 1, 3);
}

/* al, sil, r8d, r8w, r8b */
static void whole_reg(char name[ARCH_REG_NAME])
{
	size_t len = strlen(name);

	if (len == 2 && strchr("abcd", name[0]) && name[1] == 'l')
		name[1] = 'x';
	else if (len == 3 && name[2] == 'l' && (name[1] == 'i' || name[1] == 'p'))
		name[2] = '\0';
	else if (len && name[0] == 'r' && isdigit((u8)name[1]) && strchr("dwb", name[len - 1]))
		name[len - 1] = '\0';
}

static enum arch_branch branch_of(const char *m)
{
	if (!strncmp(m, "call", 4))
		return ARCH_CALL;
	if (*m == 'j')
		return ARCH_JUMP;
	return strncmp(m, "ret", 3) ? ARCH_NO_BRANCH : ARCH_RETURN;
}

/*
 * data segment registers (12 to 15) are not sampled in 64-bit mode; an XMM register is two bits wide,
 * named by its first
 */
const struct arch arch_x86 = {
	.name = "x86",
	.uname = unames,
	.abi = {
		{ .e_machine = EM_386, .word = 4, .dwarf_sp = 4, .dwarf_fp = 5, .dwarf_ra = 8, .dwarf_ip = 8,
		  .ip_mask = UINT32_MAX, .jump_slot = R_386_JMP_SLOT, .glob_dat = R_386_GLOB_DAT,
		  .irelative = R_386_IRELATIVE, .plt_walk = x86_plt_32,
		  .reloc = relocs_32, .nr_relocs = ARRAY_SIZE(relocs_32), .stack_args = true,
		  .objdump = { "i386", "i386" } },
		/* rax, rdx, rcx, rsi, rdi, r8 to r11 */
		{ .e_machine = EM_X86_64, .word = 8, .dwarf_sp = 7, .dwarf_fp = 6, .dwarf_ra = 16,
		  .call_clobbers = 0xf37, .stack_calls = true,
		  .dwarf_ip = 16, .ip_mask = UINT64_MAX, .relative = R_X86_64_RELATIVE,
		  .jump_slot = R_X86_64_JUMP_SLOT,
		  .glob_dat = R_X86_64_GLOB_DAT, .irelative = R_X86_64_IRELATIVE, .plt_walk = x86_plt_64,
		  .reloc = relocs_64, .nr_relocs = ARRAY_SIZE(relocs_64),
		  .arg_reg = { "di", "si", "dx", "cx", "r8", "r9" }, .stack_args = true,
		  .near_tables = true,
		  .objdump = { "i386:x64-32", "i386:x86-64" } },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.insn_len = x86_insn_len,
	.insn_flow = x86_insn_flow,
	.reg_ip = 8,
	.reg_sp = 7,
	.user_regs_default = 0xff0fff,
	.call_arg_reg = 1ull << 5,
	.intr_regs_extra = 0xffffffff00000000,
	.alias = aliases,
	.spell_reg = spell_reg,
	.whole_reg = whole_reg,
	.insn_align = 1,
	.two_syntaxes = true,
	.branch_of = branch_of,
	.model_key = "model name",
	.cpu_ident = x86_cpu_ident,
	.cpu_id = x86_cpu_id,
	.nr_counters = x86_nr_counters,
};
