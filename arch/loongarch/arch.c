/* loongarch: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <stdio.h>
#include <string.h>
#include "../cpuinfo.h"

static const struct arch_reg regs[] = {
	[0] = ARCH_NAME("PC"), [1] = ARCH_REG("%r1", 1), [2] = ARCH_REG("%r2", 2), [3] = ARCH_REG("%r3", 3),
	[4] = ARCH_REG("%r4", 4), [5] = ARCH_REG("%r5", 5), [6] = ARCH_REG("%r6", 6),
	[7] = ARCH_REG("%r7", 7), [8] = ARCH_REG("%r8", 8), [9] = ARCH_REG("%r9", 9),
	[10] = ARCH_REG("%r10", 10), [11] = ARCH_REG("%r11", 11), [12] = ARCH_REG("%r12", 12),
	[13] = ARCH_REG("%r13", 13), [14] = ARCH_REG("%r14", 14), [15] = ARCH_REG("%r15", 15),
	[16] = ARCH_REG("%r16", 16), [17] = ARCH_REG("%r17", 17), [18] = ARCH_REG("%r18", 18),
	[19] = ARCH_REG("%r19", 19), [20] = ARCH_REG("%r20", 20), [21] = ARCH_REG("%r21", 21),
	[22] = ARCH_REG("%r22", 22), [23] = ARCH_REG("%r23", 23), [24] = ARCH_REG("%r24", 24),
	[25] = ARCH_REG("%r25", 25), [26] = ARCH_REG("%r26", 26), [27] = ARCH_REG("%r27", 27),
	[28] = ARCH_REG("%r28", 28), [29] = ARCH_REG("%r29", 29), [30] = ARCH_REG("%r30", 30),
	[31] = ARCH_REG("%r31", 31),
};
static const struct arch_reloc relocs[] = {
	{ 1 /* 32 */, 4, RELOC_SET }, { 2 /* 64 */, 8, RELOC_SET }, { 47 /* ADD8 */, 1, RELOC_ADD },
	{ 48 /* ADD16 */, 2, RELOC_ADD }, { 50 /* ADD32 */, 4, RELOC_ADD },
	{ 51 /* ADD64 */, 8, RELOC_ADD }, { 52 /* SUB8 */, 1, RELOC_SUB },
	{ 53 /* SUB16 */, 2, RELOC_SUB }, { 55 /* SUB32 */, 4, RELOC_SUB },
	{ 56 /* SUB64 */, 8, RELOC_SUB }, { 99 /* 32_PCREL */, 4, RELOC_RELATIVE }
};
static const char *const unames[] = { "loongarch64", "loongarch32", NULL };

static enum arch_branch branch_of(const char *m)
{
	static const char *const jumps[] = { "b", "jr", "beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz",
					     "bnez", "bceqz", "bcnez" };

	if (!strcmp(m, "bl"))
		return ARCH_CALL;
	for (size_t i = 0; i < ARRAY_SIZE(jumps); i++)
		if (!strcmp(m, jumps[i]))
			return ARCH_JUMP;
	return strcmp(m, "ret") ? ARCH_NO_BRANCH : ARCH_RETURN;
}

/* "Loongson-3A5000-0x10": model and revision, where x86 has the stepping */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char model[128], revision[32], ident[200];

	if (!cpuinfo_word(cpuinfo, "Model Name", model, sizeof(model)) ||
	    !cpuinfo_word(cpuinfo, "CPU Revision", revision, sizeof(revision)))
		return;
	snprintf(ident, sizeof(ident), "%s-%s", model, revision);
	emit(ctx, ident);
}

const struct arch arch_loongarch = {
	.name = "loongarch",
	.uname = unames,
	.abi[1] = {
		.e_machine = 258 /* EM_LOONGARCH, which older <elf.h> lacks */, .word = 8,
		.dwarf_sp = 3, .dwarf_fp = 22, .fp_record = -16, .dwarf_ra = 1, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = UINT64_MAX, .jump_slot = 5 /* R_LARCH_JUMP_SLOT */, .irelative = 12,
		.plt_header = 32, .plt_entry = 16,
		.reloc = relocs, .nr_relocs = ARRAY_SIZE(relocs),
		.arg_reg = { "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11" },
		.objdump = { "loongarch32", "loongarch64" },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 3,
	.user_regs_default = 0xffffffff,
	.insn_len = arch_insn_len4,
	.insn_align = 4,
	.branch_of = branch_of,
	.model_key = "Model Name",
	.cpu_ident = cpu_ident,
};
