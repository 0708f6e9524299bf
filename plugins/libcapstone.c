/* Plug-in: machine code to text through capstone. Ops in util/obj/disasm.h. */
#include "../util/base/plugin.h"
#include "../util/obj/disasm.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct handle {
	csh cs;
	cs_insn *insn;
};

static const struct {
	u16 e_machine;
	cs_arch arch;
	cs_mode mode32, mode64;
} machines[] = {
	{ EM_X86_64, CS_ARCH_X86, CS_MODE_32, CS_MODE_64 },
	{ EM_386, CS_ARCH_X86, CS_MODE_32, CS_MODE_64 },
	{ EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, CS_MODE_ARM },
	{ EM_ARM, CS_ARCH_ARM, CS_MODE_ARM, CS_MODE_ARM },
	{ EM_MIPS, CS_ARCH_MIPS, CS_MODE_MIPS32, CS_MODE_MIPS64 },
	{ EM_PPC, CS_ARCH_PPC, CS_MODE_32, CS_MODE_64 },
	{ EM_PPC64, CS_ARCH_PPC, CS_MODE_32, CS_MODE_64 },
	{ EM_S390, CS_ARCH_SYSZ, CS_MODE_BIG_ENDIAN, CS_MODE_BIG_ENDIAN },
#if CS_API_MAJOR >= 5
	{ EM_RISCV, CS_ARCH_RISCV, CS_MODE_RISCV32 | CS_MODE_RISCVC, CS_MODE_RISCV64 | CS_MODE_RISCVC },
#endif
};

static void *open_handle(const struct disasm_target *t, char *msg, size_t msg_size)
{
	struct handle *h;
	cs_err err = CS_ERR_ARCH;
	csh cs = 0;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (machines[i].e_machine == t->e_machine)
			err = cs_open(machines[i].arch,
				      (t->is64 ? machines[i].mode64 : machines[i].mode32) |
				      (t->big_endian ? CS_MODE_BIG_ENDIAN : 0), &cs);
	if (err != CS_ERR_OK) {
		snprintf(msg, msg_size, "capstone cannot disassemble code of ELF machine %u: %s",
			 t->e_machine, cs_strerror(err));
		return NULL;
	}
	cs_option(cs, CS_OPT_DETAIL, CS_OPT_ON);
	if (t->e_machine == EM_X86_64 || t->e_machine == EM_386)
		cs_option(cs, CS_OPT_SYNTAX, t->intel ? CS_OPT_SYNTAX_INTEL : CS_OPT_SYNTAX_ATT);
	h = calloc(1, sizeof(*h));
	if (h) {
		h->cs = cs;
		h->insn = cs_malloc(cs);
	}
	if (h && h->insn)
		return h;
	snprintf(msg, msg_size, "no memory for capstone");
	cs_close(&cs);
	free(h);
	return NULL;
}

static u8 kind_of(csh cs, const cs_insn *insn)
{
	if (cs_insn_group(cs, insn, CS_GRP_CALL))
		return DISASM_CALL;
	if (cs_insn_group(cs, insn, CS_GRP_RET) || cs_insn_group(cs, insn, CS_GRP_IRET))
		return DISASM_RETURN;
	return cs_insn_group(cs, insn, CS_GRP_JUMP) ? DISASM_JUMP : DISASM_OTHER;
}

/* the last operand of a jump or call, where it is an address: "0x1234", "#0x1234", "x0, #0x1234" */
static bool read_target(const char *operands, u64 *ret)
{
	const char *last = strrchr(operands, ' ');
	char *end;

	last = last ? last + 1 : operands;
	last += *last == '#';
	if (strncmp(last, "0x", 2))
		return false;
	*ret = strtoull(last, &end, 16);
	return !*end;
}

static bool next(void *handle, const u8 *code, size_t len, u64 addr, struct disasm_insn *ret)
{
	struct handle *h = handle;

	if (!cs_disasm_iter(h->cs, &code, &len, &addr, h->insn))
		return false;
	ret->size = h->insn->size;
	ret->kind = kind_of(h->cs, h->insn);
	snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%s", h->insn->mnemonic);
	snprintf(ret->operands, sizeof(ret->operands), "%s", h->insn->op_str);
	ret->has_target = (ret->kind == DISASM_JUMP || ret->kind == DISASM_CALL) &&
			  read_target(ret->operands, &ret->target);
	return true;
}

static void close_handle(void *handle)
{
	struct handle *h = handle;

	cs_free(h->insn, 1);
	cs_close(&h->cs);
	free(h);
}

static const struct disasm_plugin_ops ops = { open_handle, next, close_handle };
extern const struct plugin PLUGIN_SYMBOL;
const struct plugin PLUGIN_SYMBOL = { PLUGIN_ABI, sizeof(ops), "libcapstone", &ops };
