/* riscv: registers in the order of <asm/perf_regs.h>. */
#include "../arch.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include "../cpuinfo.h"

static const struct arch_reg regs[] = {
	[0] = ARCH_NAME("pc"), [1] = ARCH_REG("ra", 1), [2] = ARCH_REG("sp", 2), [3] = ARCH_REG("gp", 3),
	[4] = ARCH_REG("tp", 4), [5] = ARCH_REG("t0", 5), [6] = ARCH_REG("t1", 6), [7] = ARCH_REG("t2", 7),
	[8] = ARCH_REG("s0", 8), [9] = ARCH_REG("s1", 9), [10] = ARCH_REG("a0", 10),
	[11] = ARCH_REG("a1", 11), [12] = ARCH_REG("a2", 12), [13] = ARCH_REG("a3", 13),
	[14] = ARCH_REG("a4", 14), [15] = ARCH_REG("a5", 15), [16] = ARCH_REG("a6", 16),
	[17] = ARCH_REG("a7", 17), [18] = ARCH_REG("s2", 18), [19] = ARCH_REG("s3", 19),
	[20] = ARCH_REG("s4", 20), [21] = ARCH_REG("s5", 21), [22] = ARCH_REG("s6", 22),
	[23] = ARCH_REG("s7", 23), [24] = ARCH_REG("s8", 24), [25] = ARCH_REG("s9", 25),
	[26] = ARCH_REG("s10", 26), [27] = ARCH_REG("s11", 27), [28] = ARCH_REG("t3", 28),
	[29] = ARCH_REG("t4", 29), [30] = ARCH_REG("t5", 30), [31] = ARCH_REG("t6", 31),
};
static const struct arch_reloc relocs[] = {
	{ 1 /* 32 */, 4, RELOC_SET }, { 2 /* 64 */, 8, RELOC_SET }, { 33 /* ADD8 */, 1, RELOC_ADD },
	{ 34 /* ADD16 */, 2, RELOC_ADD }, { 35 /* ADD32 */, 4, RELOC_ADD },
	{ 36 /* ADD64 */, 8, RELOC_ADD }, { 37 /* SUB8 */, 1, RELOC_SUB },
	{ 38 /* SUB16 */, 2, RELOC_SUB }, { 39 /* SUB32 */, 4, RELOC_SUB },
	{ 40 /* SUB64 */, 8, RELOC_SUB }, { 52 /* SUB6 */, 1, RELOC_SUB6 },
	{ 53 /* SET6 */, 1, RELOC_SET6 }, { 54 /* SET8 */, 1, RELOC_SET },
	{ 55 /* SET16 */, 2, RELOC_SET }, { 56 /* SET32 */, 4, RELOC_SET },
	{ 57 /* 32_PCREL */, 4, RELOC_RELATIVE }, { 60 /* SET_ULEB128 */, 0, RELOC_SET_ULEB },
	{ 61 /* SUB_ULEB128 */, 0, RELOC_SUB_ULEB }
};
static const struct arch_alias aliases[] = { { "pc", "epc" }, { NULL, NULL } };
static const char *const unames[] = { "riscv64", "riscv32", "riscv", NULL };

static enum arch_branch branch_of(const char *m)
{
	static const char *const jumps[] = {
		"j", "jr", "beq", "bne", "blt", "bge", "bltu", "bgeu", "beqz", "bnez", "blez", "bgez",
		"bltz", "bgtz", "ble", "bgt", "bleu", "bgtu",
	};

	if (!strncmp(m, "jal", 3) || !strcmp(m, "call"))
		return ARCH_CALL;
	if (!strncmp(m, "c.", 2))
		m += 2;
	for (size_t i = 0; i < ARRAY_SIZE(jumps); i++)
		if (!strcmp(m, jumps[i]))
			return ARCH_JUMP;
	return strcmp(m, "ret") ? ARCH_NO_BRANCH : ARCH_RETURN;
}

/* "vendor-arch-implementation" */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char vendor[64], arch[64], implementation[64], ident[256];

	if (!cpuinfo_word(cpuinfo, "mvendorid", vendor, sizeof(vendor)) ||
	    !cpuinfo_word(cpuinfo, "marchid", arch, sizeof(arch)) ||
	    !cpuinfo_word(cpuinfo, "mimpid", implementation, sizeof(implementation)))
		return;
	snprintf(ident, sizeof(ident), "%s-%s-%s", vendor, arch, implementation);
	emit(ctx, ident);
}

const struct arch arch_riscv = {
	.name = "riscv",
	.uname = unames,
	.abi[1] = {
		.e_machine = EM_RISCV, .word = 8,
		.dwarf_sp = 2, .dwarf_fp = 8, .fp_record = -16, .dwarf_ra = 1, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = UINT64_MAX, .jump_slot = 5 /* R_RISCV_JUMP_SLOT */, .irelative = 58,
		.plt_header = 32, .plt_entry = 16,
		.reloc = relocs, .nr_relocs = ARRAY_SIZE(relocs),
		.arg_reg = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7" },
		.objdump = { "riscv:rv32", "riscv:rv64" },
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 0,
	.reg_sp = 2,
	.user_regs_default = 0xffffffff,
	.alias = aliases,
	.insn_align = 2,
	.branch_of = branch_of,
	.mapping_symbols = true,
	.model_key = "uarch",
	.cpu_ident = cpu_ident,
};
