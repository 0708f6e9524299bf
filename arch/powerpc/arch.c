/* powerpc: registers in the order of <asm/perf_regs.h>. */
#include "powerpc.h"

#include <ctype.h>
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include "../cpuinfo.h"

#define LINK (ARCH_DWARF_REGS - 1)

static const struct arch_reg regs[] = {
	[0] = ARCH_REG("r0", 0), [1] = ARCH_REG("r1", 1), [2] = ARCH_REG("r2", 2), [3] = ARCH_REG("r3", 3),
	[4] = ARCH_REG("r4", 4), [5] = ARCH_REG("r5", 5), [6] = ARCH_REG("r6", 6), [7] = ARCH_REG("r7", 7),
	[8] = ARCH_REG("r8", 8), [9] = ARCH_REG("r9", 9), [10] = ARCH_REG("r10", 10),
	[11] = ARCH_REG("r11", 11), [12] = ARCH_REG("r12", 12), [13] = ARCH_REG("r13", 13),
	[14] = ARCH_REG("r14", 14), [15] = ARCH_REG("r15", 15), [16] = ARCH_REG("r16", 16),
	[17] = ARCH_REG("r17", 17), [18] = ARCH_REG("r18", 18), [19] = ARCH_REG("r19", 19),
	[20] = ARCH_REG("r20", 20), [21] = ARCH_REG("r21", 21), [22] = ARCH_REG("r22", 22),
	[23] = ARCH_REG("r23", 23), [24] = ARCH_REG("r24", 24), [25] = ARCH_REG("r25", 25),
	[26] = ARCH_REG("r26", 26), [27] = ARCH_REG("r27", 27), [28] = ARCH_REG("r28", 28),
	[29] = ARCH_REG("r29", 29), [30] = ARCH_REG("r30", 30), [31] = ARCH_REG("r31", 31),
	[32] = ARCH_NAME("nip"), [33] = ARCH_NAME("msr"), [34] = ARCH_NAME("orig_r3"),
	[35] = ARCH_NAME("ctr"), [36] = ARCH_REG("link", LINK), [37] = ARCH_NAME("xer"),
	[38] = ARCH_NAME("ccr"), [39] = ARCH_NAME("softe"), [40] = ARCH_NAME("trap"), [41] = ARCH_NAME("dar"),
	[42] = ARCH_NAME("dsisr"), [43] = ARCH_NAME("sier"), [44] = ARCH_NAME("mmcra"),
	[45] = ARCH_NAME("mmcr0"), [46] = ARCH_NAME("mmcr1"), [47] = ARCH_NAME("mmcr2"),
	[48] = ARCH_NAME("mmcr3"), [49] = ARCH_NAME("sier2"), [50] = ARCH_NAME("sier3"),
	[51] = ARCH_NAME("pmc1"), [52] = ARCH_NAME("pmc2"), [53] = ARCH_NAME("pmc3"),
	[54] = ARCH_NAME("pmc4"), [55] = ARCH_NAME("pmc5"), [56] = ARCH_NAME("pmc6"),
	[57] = ARCH_NAME("sdar"), [58] = ARCH_NAME("siar"),
};
static const struct arch_reloc relocs_64[] = {
	{ 1 /* ADDR32 */, 4, RELOC_SET }, { 26 /* REL32 */, 4, RELOC_RELATIVE },
	{ 38 /* ADDR64 */, 8, RELOC_SET }, { 44 /* REL64 */, 8, RELOC_RELATIVE }
};
static const char *const unames[] = { "ppc64", "ppc64le", "ppc", NULL };

/* the PVR, of "revision : 2.2 (pvr 004e 1202)" */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char revision[128], ident[32];
	unsigned int high, low;
	const char *pvr;

	if (!cpuinfo_word(cpuinfo, "revision", revision, sizeof(revision)))
		return;
	pvr = strstr(revision, "(pvr ");
	if (pvr && sscanf(pvr, "(pvr %4x %4x)", &high, &low) == 2) {
		snprintf(ident, sizeof(ident), "0x%04x%04x", high, low);
		emit(ctx, ident);
	}
}

/* "r3" is "gpr3" */
static void spell_reg(char name[ARCH_REG_NAME])
{
	size_t n = strlen(name);

	if (name[0] != 'r' || !isdigit((u8)name[1]) || n > 3)
		return;
	memmove(name + 3, name + 1, n);
	memcpy(name, "gpr", 3);
}

/* the performance monitor's own registers (mmcr0 and above) depend on the CPU */
const struct arch arch_powerpc = {
	.name = "powerpc",
	.uname = unames,
	.abi = {
		{ .e_machine = EM_PPC, .word = 4, .dwarf_sp = 1, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = LINK,
		  .dwarf_ip = ARCH_NO_REG, .ip_mask = UINT32_MAX, .jump_slot = R_PPC_JMP_SLOT,
		  .glob_dat = R_PPC_GLOB_DAT, .irelative = R_PPC_IRELATIVE,
		  .stub_section = ".text", .stub_walk = powerpc_stubs_32 },
		{ .e_machine = EM_PPC64, .word = 8, .dwarf_sp = 1, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = LINK,
		  .dwarf_ip = ARCH_NO_REG, .ip_mask = UINT64_MAX, .jump_slot = R_PPC64_JMP_SLOT,
		  .glob_dat = R_PPC64_GLOB_DAT, .irelative = R_PPC64_IRELATIVE,
		  .stub_section = ".text", .stub_walk = powerpc_stubs_64,
		  .reloc = relocs_64, .nr_relocs = ARRAY_SIZE(relocs_64),
		  .arg_reg = { "gpr3", "gpr4", "gpr5", "gpr6", "gpr7", "gpr8", "gpr9", "gpr10" },
		  .objdump = { "powerpc:common64", "powerpc:common64" } },
	},
	.dwarf_high = 65,
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 32,
	.reg_sp = 1,
	.user_regs_default = (1ull << 45) - 1,
	.spell_reg = spell_reg,
	.insn_align = 4,
	.branch_of = arch_branch_b,
	.model_key = "cpu",
	.cpu_ident = cpu_ident,
	.intr_regs_extra = ((1ull << 59) - 1) & ~((1ull << 45) - 1),
};
