/* csky: registers in the order of <asm/perf_regs.h>, for programs of ABI version 2. */
#include "../arch.h"

#include <elf.h>
#include "../cpuinfo.h"

/*
 * the kernel's copies of SR (3), of the first argument (5) and of DCSR (37) have no names; HI and LO are
 * DWARF registers 36 and 37
 */
static const struct arch_reg regs[] = {
	[0] = ARCH_REG("tls", 31), [1] = ARCH_REG("lr", 15), [2] = ARCH_NAME("pc"), [4] = ARCH_REG("sp", 14),
	[6] = ARCH_REG("a0", 0), [7] = ARCH_REG("a1", 1), [8] = ARCH_REG("a2", 2), [9] = ARCH_REG("a3", 3),
	[10] = ARCH_REG("regs0", 4), [11] = ARCH_REG("regs1", 5), [12] = ARCH_REG("regs2", 6),
	[13] = ARCH_REG("regs3", 7), [14] = ARCH_REG("regs4", 8), [15] = ARCH_REG("regs5", 9),
	[16] = ARCH_REG("regs6", 10), [17] = ARCH_REG("regs7", 11), [18] = ARCH_REG("regs8", 12),
	[19] = ARCH_REG("regs9", 13), [20] = ARCH_REG("exregs0", 16), [21] = ARCH_REG("exregs1", 17),
	[22] = ARCH_REG("exregs2", 18), [23] = ARCH_REG("exregs3", 19), [24] = ARCH_REG("exregs4", 20),
	[25] = ARCH_REG("exregs5", 21), [26] = ARCH_REG("exregs6", 22), [27] = ARCH_REG("exregs7", 23),
	[28] = ARCH_REG("exregs8", 24), [29] = ARCH_REG("exregs9", 25), [30] = ARCH_REG("exregs10", 26),
	[31] = ARCH_REG("exregs11", 27), [32] = ARCH_REG("exregs12", 28), [33] = ARCH_REG("exregs13", 29),
	[34] = ARCH_REG("exregs14", 30), [35] = ARCH_NAME("hi"), [36] = ARCH_NAME("lo"),
};
static const char *const unames[] = { "csky", NULL };

/* 4 bytes where the first two bits are set, else 2; code is little-endian */
static int insn_len(const u8 *p, size_t nr, bool is64)
{
	size_t len;

	(void)is64;
	if (nr < 2)
		return 0;
	len = p[1] >> 6 == 3 ? 4 : 2;
	return len <= nr ? (int)len : 0;
}

/* "ck860" */
static void cpu_ident(const char *cpuinfo, arch_emit *emit, void *ctx)
{
	char model[64];

	if (cpuinfo_word(cpuinfo, "C-SKY CPU model", model, sizeof(model)))
		emit(ctx, model);
}

/* a frame pointer, if there is one, does not point to a record */
const struct arch arch_csky = {
	.name = "csky",
	.uname = unames,
	.abi[0] = {
		.e_machine = EM_CSKY, .word = 4,
		.dwarf_sp = 14, .dwarf_fp = ARCH_NO_REG, .dwarf_ra = 15, .dwarf_ip = ARCH_NO_REG,
		.ip_mask = UINT32_MAX, .jump_slot = R_CKCORE_JUMP_SLOT, .glob_dat = R_CKCORE_GLOB_DAT,
		.plt_header = 12, .plt_entry = 12,
	},
	.reg = regs,
	.nr_regs = ARRAY_SIZE(regs),
	.reg_ip = 2,
	.reg_sp = 4,
	.user_regs_default = ((1ull << ARRAY_SIZE(regs)) - 1) & ~(1ull << 3 | 1ull << 5),
	.insn_len = insn_len,
	.insn_align = 2,
	.mapping_symbols = true,
	.model_key = "C-SKY CPU model",
	.cpu_ident = cpu_ident,
};
