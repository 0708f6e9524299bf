/* Unit tests of architecture rows: what must hold for each of them, and their names. */
#include "test.h"

#include <stdio.h>
#include <string.h>
#include "../../arch/arch.h"
#include "../../arch/cpuinfo.h"
#include "fake-root.h"

TEST(rows_are_found_by_machine_and_by_name)
{
	const struct arch *a;

	for (size_t i = 0; (a = arch_row(i)); i++) {
		CHECK(a->abi[0].e_machine || a->abi[1].e_machine);
		for (int k = 0; k < 2; k++) {
			if (!a->abi[k].e_machine)
				continue;
			CHECK(arch_by_machine(a->abi[k].e_machine) == a);
			CHECK(arch_abi_of_file(a->abi[k].e_machine, k) == &a->abi[k]);
			CHECK_INT(a->abi[k].word, k ? 8 : 4);
		}
		REQUIRE(a->uname[0]);
		for (const char *const *n = a->uname; *n; n++)
			CHECK(arch_by_uname(*n) == a);
		CHECK(a->name && a->model_key);
	}
	CHECK(!arch_by_machine(0));
	CHECK(!arch_by_uname("vax"));
	CHECK(arch_native());
	/* x32: the machine of 64-bit programs in a 32-bit file */
	CHECK(arch_abi_of_file(62, false) == &arch_by_machine(62)->abi[1]);
	CHECK(!arch_abi_of_file(0xfff0, true));
}

TEST(register_numbers_are_unique)
{
	const struct arch *a;

	for (size_t i = 0; (a = arch_row(i)); i++) {
		CHECK(a->nr_regs && a->nr_regs <= 64);
		CHECK(arch_reg_name(a, a->reg_ip) && arch_reg_name(a, a->reg_sp));
		CHECK(!arch_reg_name(a, a->nr_regs));
		for (u32 r = 0; r < 64; r++) {
			if (!arch_reg_name(a, r)) {
				CHECK(!(a->chain_regs >> r & 1));
				continue;
			}
			for (u32 q = 0; q < r; q++)
				CHECK(!arch_reg_name(a, q) ||
				      strcasecmp(arch_reg_name(a, q), arch_reg_name(a, r)));
		}
		CHECK(a->user_regs_default >> a->reg_ip & 1 && a->user_regs_default >> a->reg_sp & 1);
		CHECK(!(a->chain_regs & ~a->user_regs_default) &&
		      !(a->intr_regs_extra & a->user_regs_default));
	}
}

static void check_dwarf(const struct arch *a, int is64)
{
	const struct arch_abi *abi = &a->abi[is64];
	u64 seen = 0;

	for (u32 r = 0; r < a->nr_regs; r++) {
		u8 d = a->reg[r].dwarf[is64];

		if (!*a->reg[r].name || d == ARCH_NO_REG)
			continue;
		CHECK(d < ARCH_DWARF_REGS && !(seen >> d & 1));
		seen |= 1ull << d;
	}
	CHECK_INT(a->reg[a->reg_sp].dwarf[is64], abi->dwarf_sp);
	CHECK(abi->dwarf_fp == ARCH_NO_REG || seen >> abi->dwarf_fp & 1);
	CHECK(abi->dwarf_ra < ARCH_DWARF_REGS && abi->ip_mask);
	CHECK(abi->dwarf_ip == ARCH_NO_REG || abi->dwarf_ip < ARCH_DWARF_REGS);
	/* what --call-graph dwarf samples includes all registers that unwinding starts from */
	for (u32 r = 0; r < a->nr_regs; r++)
		CHECK(!*a->reg[r].name || a->reg[r].dwarf[is64] == ARCH_NO_REG ||
		      a->user_regs_default >> r & 1);
}

TEST(dwarf_numbers_are_in_range_and_unique)
{
	const struct arch *a;
	int nr = 0;

	for (size_t i = 0; (a = arch_row(i)); i++)
		for (int k = 0; k < 2; k++)
			if (arch_abi_unwound(a, k + 1)) {
				check_dwarf(a, k);
				nr++;
			}
	CHECK(nr >= 4);
	CHECK(!arch_abi_unwound(arch_row(0), 0) && !arch_abi_unwound(arch_row(0), 3) &&
	      !arch_abi_unwound(NULL, 2));
}

static void check_facts(const struct arch_abi *abi)
{
	bool more = true;

	/* names without gaps, as $argN counts them */
	for (size_t i = 0; i < ARRAY_SIZE(abi->arg_reg); i++) {
		CHECK(more || !abi->arg_reg[i]);
		more = more && abi->arg_reg[i];
	}
	for (u32 i = 0; i < abi->nr_relocs; i++) {
		const struct arch_reloc *r = &abi->reloc[i];

		CHECK(r->bytes <= 8 && r->action <= RELOC_SUB_ULEB);
		for (u32 k = 0; k < i; k++)
			CHECK(abi->reloc[k].type != r->type);
	}
}

TEST(facts_of_code_are_complete)
{
	const struct arch *a;

	for (size_t i = 0; (a = arch_row(i)); i++) {
		CHECK(a->insn_align == 1 || a->insn_align == 2 || a->insn_align == 4);
		check_facts(&a->abi[0]);
		check_facts(&a->abi[1]);
		for (const struct arch_alias *n = a->alias; n && n->name; n++)
			CHECK(n->kernel && strlen(n->kernel) < ARCH_REG_NAME);
	}
}

static void spelled(const char *uname, bool whole, const char *name, const char *want)
{
	const struct arch *a = arch_by_uname(uname);
	char buf[ARCH_REG_NAME];

	snprintf(buf, sizeof(buf), "%s", name);
	(whole ? a->whole_reg : a->spell_reg)(buf);
	CHECK_STR(buf, want);
}

TEST(registers_have_the_spelling_of_the_kernel)
{
	spelled("x86_64", false, "rdi", "di");
	spelled("x86_64", false, "r8", "r8");
	spelled("x86_64", false, "ax", "ax");
	spelled("x86_64", true, "al", "ax");
	spelled("x86_64", true, "sil", "si");
	spelled("x86_64", true, "r10d", "r10");
	spelled("x86_64", true, "", "");
	spelled("aarch64", true, "w11", "x11");
	spelled("ppc64le", false, "r3", "gpr3");
	spelled("ppc64le", false, "r31", "gpr31");
	spelled("ppc64le", false, "nip", "nip");
}

TEST(branches_by_the_names_of_disassemblers)
{
	CHECK_INT(arch_by_uname("x86_64")->branch_of("callq"), ARCH_CALL);
	CHECK_INT(arch_by_uname("x86_64")->branch_of("jne"), ARCH_JUMP);
	CHECK_INT(arch_by_uname("x86_64")->branch_of("retq"), ARCH_RETURN);
	CHECK_INT(arch_by_uname("aarch64")->branch_of("b.ne"), ARCH_JUMP);
	CHECK_INT(arch_by_uname("aarch64")->branch_of("bic"), ARCH_NO_BRANCH);
	CHECK_INT(arch_by_uname("riscv64")->branch_of("bnez"), ARCH_JUMP);
	CHECK_INT(arch_by_uname("riscv64")->branch_of("bset"), ARCH_NO_BRANCH);
	CHECK_INT(arch_by_uname("loongarch64")->branch_of("bstrins.d"), ARCH_NO_BRANCH);
	CHECK_INT(arch_by_uname("loongarch64")->branch_of("bl"), ARCH_CALL);
}

static void check_plt(const struct arch_abi *m)
{
	CHECK_INT(!m->stub_section, !m->stub_walk);
	CHECK_INT(!m->plt_header, !m->plt_entry);
	CHECK_INT(!!m->jump_slot, m->plt_walk || m->plt_entry || m->stub_walk);
	CHECK(!m->stub_symbols || m->stub_walk);
}

TEST(procedure_linkage_tables_have_sizes_or_a_decoder)
{
	const struct arch *a;

	for (size_t i = 0; (a = arch_row(i)); i++)
		for (int k = 0; k < 2; k++)
			check_plt(&a->abi[k]);
}

/* what the kernel of each writes into /proc/cpuinfo, and the identity that comes of it */
static const struct { const char *uname, *cpuinfo, *model, *ident, *id; } cpus[] = {
	{ "x86_64", "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Intel(R) "
	  "Xeon(R)\nstepping\t: 4\n", "Intel(R) Xeon(R)", "GenuineIntel-6-55-4", "GenuineIntel,6,85,4" },
	{ "riscv64", "uarch\t\t: sifive,u74-mc\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\n"
	  "mimpid\t\t: 0x4210427\n", "sifive,u74-mc", "0x489-0x8000000000000007-0x4210427", NULL },
	{ "ppc64le", "processor\t: 0\ncpu\t\t: POWER9 (architected)\nrevision\t: 2.2 (pvr 004e 1202)\n",
	  "POWER9 (architected)", "0x004e1202", NULL },
	{ "loongarch64", "system type\t\t: generic-loongson-machine\n\nCPU Family\t\t: Loongson-64bit\n"
	  "Model Name\t\t: Loongson-3A5000\nCPU Revision\t\t: 0x10\n", "Loongson-3A5000",
	  "Loongson-3A5000-0x10", NULL },
	{ "mips",
	  "system type\t\t: MT7621\ncpu model\t\t: MIPS 1004Kc V2.15\nASEs implemented\t: mips16 dsp mt\n",
	  "MIPS 1004Kc V2.15", "MIPS 1004Kc-V2.15", NULL },
	{ "csky", "processor       : 0\nC-SKY CPU model : ck860\nproduct info[0] : 0x04940200\n", "ck860",
	  "ck860", NULL },
};

static void take(void *ctx, const char *ident)
{
	snprintf(ctx, 100, "%s", ident);
}

TEST(cpus_are_identified)
{
	fake_file("/proc/cpuinfo", "");
	for (size_t i = 0; i < ARRAY_SIZE(cpus); i++) {
		const struct arch *a = arch_by_uname(cpus[i].uname), *other;
		char buf[100] = "";

		REQUIRE(a && a->cpu_ident);
		CHECK(cpuinfo_value(cpus[i].cpuinfo, a->model_key, buf, sizeof(buf)));
		CHECK_STR(buf, cpus[i].model);
		/* nobody else takes it for his */
		for (size_t k = 0; (other = arch_row(k)); k++) {
			buf[0] = '\0';
			if (other->cpu_ident)
				other->cpu_ident(cpus[i].cpuinfo, take, buf);
			CHECK_STR(buf, other == a ? cpus[i].ident : "");
		}
		CHECK_INT(a->cpu_id != NULL, cpus[i].id != NULL);
		if (a->cpu_id && cpus[i].id) {
			CHECK(a->cpu_id(cpus[i].cpuinfo, buf, sizeof(buf)));
			CHECK_STR(buf, cpus[i].id);
			CHECK(!a->cpu_id("processor : 0\n", buf, sizeof(buf)));
		}
	}
}

TEST(instructions_of_two_lengths)
{
	static const u8 code[] = { 0xff, 0xbf, 0x00, 0xc0 };
	const struct arch *a = arch_by_uname("csky");

	REQUIRE(a && a->insn_len);
	CHECK_INT(a->insn_len(code, 4, false), 2);
	CHECK_INT(a->insn_len(code + 2, 4, false), 4);
	CHECK_INT(a->insn_len(code + 2, 2, false), 0);
	CHECK_INT(a->insn_len(code, 1, false), 0);
}
