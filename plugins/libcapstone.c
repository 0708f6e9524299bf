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
	u16 e_machine;
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
		h->e_machine = t->e_machine;
		h->insn = cs_malloc(cs);
	}
	if (h && h->insn)
		return h;
	snprintf(msg, msg_size, "no memory for capstone");
	cs_close(&cs);
	free(h);
	return NULL;
}

static u8 kind_of(const struct handle *h, const cs_insn *insn)
{
	csh cs = h->cs;

	/* capstone 4 has calls of arm64 in the group of jumps */
	if (cs_insn_group(cs, insn, CS_GRP_CALL) ||
	    (h->e_machine == EM_AARCH64 && (insn->id == ARM64_INS_BL || insn->id == ARM64_INS_BLR)))
		return DISASM_CALL;
	/* these are jumps that are not in the group of jumps */
	if ((h->e_machine == EM_X86_64 || h->e_machine == EM_386) &&
	    (insn->id == X86_INS_LOOP || insn->id == X86_INS_LOOPE || insn->id == X86_INS_LOOPNE))
		return DISASM_JUMP;
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

/* DWARF number and bytes of a general register; all parts of one have the same number */
struct reg {
	u8 dwarf, size;
};

static struct reg x86_general(unsigned int reg)
{
#define REG(dwarf, r64, r32, r16, r8) \
	case X86_REG_##r64: return (struct reg){ dwarf, 8 }; \
	case X86_REG_##r32: return (struct reg){ dwarf, 4 }; \
	case X86_REG_##r16: return (struct reg){ dwarf, 2 }; \
	case X86_REG_##r8: return (struct reg){ dwarf, 1 };
	switch (reg) {
	REG(0, RAX, EAX, AX, AL)
	REG(1, RDX, EDX, DX, DL)
	REG(2, RCX, ECX, CX, CL)
	REG(3, RBX, EBX, BX, BL)
	REG(4, RSI, ESI, SI, SIL)
	REG(5, RDI, EDI, DI, DIL)
	REG(6, RBP, EBP, BP, BPL)
	REG(7, RSP, ESP, SP, SPL)
	REG(8, R8, R8D, R8W, R8B)
	REG(9, R9, R9D, R9W, R9B)
	REG(10, R10, R10D, R10W, R10B)
	REG(11, R11, R11D, R11W, R11B)
	REG(12, R12, R12D, R12W, R12B)
	REG(13, R13, R13D, R13W, R13B)
	REG(14, R14, R14D, R14W, R14B)
	REG(15, R15, R15D, R15W, R15B)
	case X86_REG_AH: return (struct reg){ 0, 1 };
	case X86_REG_DH: return (struct reg){ 1, 1 };
	case X86_REG_CH: return (struct reg){ 2, 1 };
	case X86_REG_BH: return (struct reg){ 3, 1 };
	}
#undef REG
	return (struct reg){ DISASM_NO_REG, 0 };
}

static struct reg arm64_general(unsigned int reg)
{
	if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
		return (struct reg){ reg - ARM64_REG_X0, 8 };
	if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
		return (struct reg){ reg - ARM64_REG_W0, 4 };
	switch (reg) {
	case ARM64_REG_X29: return (struct reg){ 29, 8 };
	case ARM64_REG_X30: return (struct reg){ 30, 8 };
	case ARM64_REG_SP: return (struct reg){ 31, 8 };
	case ARM64_REG_WSP: return (struct reg){ 31, 4 };
	}
	return (struct reg){ DISASM_NO_REG, 0 };
}

static struct reg general_reg(const struct handle *h, unsigned int reg)
{
	return h->e_machine == EM_AARCH64 ? arm64_general(reg) : x86_general(reg);
}

/* all registers that change, also those that no operand names */
static void add_written(struct handle *h, struct disasm_insn *ret)
{
	cs_regs read, written;
	u8 nr_read, nr_written;

	if (cs_regs_access(h->cs, h->insn, read, &nr_read, written, &nr_written) != CS_ERR_OK)
		nr_written = 0;
	for (u8 i = 0; i < nr_written; i++) {
		struct reg r = general_reg(h, written[i]);

		if (r.dwarf != DISASM_NO_REG)
			ret->written |= 1ull << r.dwarf;
	}
}

static void add_operand(struct handle *h, struct disasm_insn *ret, struct disasm_operand o)
{
	if (o.kind == DISASM_REG && o.written && o.reg != DISASM_NO_REG)
		ret->written |= 1ull << o.reg;
	ret->operand[ret->nr_operands++] = o;
}

static u8 x86_effect(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_MOV:
	case X86_INS_MOVABS:
		return DISASM_MOVE;
	case X86_INS_MOVSXD:
		return DISASM_EXTEND;
	case X86_INS_LEA:
		return DISASM_ADDRESS;
	case X86_INS_ADD:
	case X86_INS_SUB:
		return DISASM_ADD;
	case X86_INS_PUSH:
	case X86_INS_POP:
	case X86_INS_PUSHFQ:
	case X86_INS_POPFQ:
	case X86_INS_LEAVE:
	case X86_INS_ENTER:
		return DISASM_PUSH_POP;
	case X86_INS_CMP:
	case X86_INS_TEST:
		return DISASM_COMPARE;
	case X86_INS_NOP:
		return DISASM_NOP;
	default:
		return DISASM_OPAQUE;
	}
}

static struct disasm_operand x86_memory(const cs_insn *insn, const cs_x86_op *op)
{
	struct disasm_operand o = { .kind = DISASM_MEM, .size = op->size, .value = op->mem.disp,
				    .scale = op->mem.scale,
				    .reg = x86_general(op->mem.base).dwarf,
				    .index = x86_general(op->mem.index).dwarf };

	/* addresses of 32 bits and vectors of addresses, too, are not of general registers */
	o.opaque = (op->mem.base != X86_REG_INVALID && op->mem.base != X86_REG_RIP &&
		    x86_general(op->mem.base).size != 8) ||
		   (op->mem.index != X86_REG_INVALID && op->mem.index != X86_REG_RIZ &&
		    x86_general(op->mem.index).size != 8);
	o.gs = op->mem.segment == X86_REG_GS && !o.opaque;
	o.fs = op->mem.segment == X86_REG_FS && !o.opaque;
	o.opaque |= op->mem.segment != X86_REG_INVALID;
	if (op->mem.base == X86_REG_RIP)
		o.value += insn->address + insn->size;
	return o;
}

static struct disasm_operand x86_operand(const cs_insn *insn, const cs_x86_op *op)
{
	struct disasm_operand o = { .size = op->size, .reg = DISASM_NO_REG, .index = DISASM_NO_REG };

	if (op->type == X86_OP_MEM)
		return x86_memory(insn, op);
	if (op->type == X86_OP_REG) {
		o.kind = DISASM_REG;
		o.reg = x86_general(op->reg).dwarf;
		o.written = op->access & CS_AC_WRITE;
		return o;
	}
	o.kind = DISASM_IMM;
	o.value = insn->id == X86_INS_SUB ? -op->imm : op->imm;
	return o;
}

/* what changes although capstone does not say so: DWARF registers as bits */
static u64 x86_forgotten(const cs_insn *insn)
{
	switch (insn->id) {
	case X86_INS_SYSCALL:
	case X86_INS_SYSENTER:
		return 1u << 0 | 1u << 2 | 1u << 11;
	case X86_INS_INT:
	case X86_INS_XLATB:
	case X86_INS_CMPXCHG:
		return 1u << 0;
	case X86_INS_CMPXCHG8B:
	case X86_INS_CMPXCHG16B:
		return 1u << 0 | 1u << 1;
	default:
		return 0;
	}
}

static void x86_detail(struct handle *h, struct disasm_insn *ret)
{
	const cs_insn *insn = h->insn;
	const cs_x86 *x = &insn->detail->x86;

	ret->effect = x86_effect(insn);
	ret->written |= x86_forgotten(insn);
	if (insn->id == X86_INS_SUB && x->op_count && x->operands[0].type != X86_OP_IMM)
		ret->effect = DISASM_OPAQUE;
	if (ret->effect == DISASM_NOP)
		return;
	ret->conditional = insn->id != X86_INS_JMP && insn->id != X86_INS_LJMP;
	for (u8 i = 0; i < x->op_count && i < DISASM_OPERANDS; i++)
		add_operand(h, ret, x86_operand(insn, &x->operands[i]));
}

static u8 arm64_effect(const cs_insn *insn)
{
	switch (insn->id) {
	case ARM64_INS_NOP:
		return DISASM_NOP;
	case ARM64_INS_MOV:
	case ARM64_INS_LDR:
	case ARM64_INS_LDUR:
	case ARM64_INS_STR:
	case ARM64_INS_STUR:
		return DISASM_MOVE;
	case ARM64_INS_LDRSW:
		return DISASM_EXTEND;
	case ARM64_INS_ADR:
	case ARM64_INS_ADRP:
		return DISASM_ADDRESS;
	case ARM64_INS_ADD:
	case ARM64_INS_SUB:
		return DISASM_ADD;
	default:
		return DISASM_OPAQUE;
	}
}

/* bytes of a memory access: the name says it, or the registers */
static u8 arm64_access(const cs_insn *insn)
{
	const cs_arm64 *a = &insn->detail->arm64;
	const char *name = insn->mnemonic;
	size_t len = strlen(name);
	u8 size = 0;

	if (len > 2 && !strcmp(name + len - 2, "sw"))
		return 4;
	if (len && (name[len - 1] == 'b' || name[len - 1] == 'h') && strncmp(name, "ldp", 3))
		return name[len - 1] == 'b' ? 1 : 2;
	for (u8 i = 0; i < a->op_count; i++) {
		unsigned int reg = a->operands[i].reg;

		if (a->operands[i].type != ARM64_OP_REG)
			continue;
		size = reg == ARM64_REG_WZR ? 4 : reg == ARM64_REG_XZR ? 8 : arm64_general(reg).size;
		size = size ? size : reg >= ARM64_REG_Q0 && reg <= ARM64_REG_Q31 ? 16 :
		       reg >= ARM64_REG_D0 && reg <= ARM64_REG_D31 ? 8 :
		       reg >= ARM64_REG_S0 && reg <= ARM64_REG_S31 ? 4 : 0;
		break;
	}
	return name[0] && (!strncmp(name, "ldp", 3) || !strncmp(name, "stp", 3)) ? 2 * size : size;
}

static struct disasm_operand arm64_operand(const cs_insn *insn, const cs_arm64_op *op)
{
	struct disasm_operand o = { .kind = DISASM_IMM, .size = 8, .reg = DISASM_NO_REG,
				    .index = DISASM_NO_REG };
	struct reg r;

	switch (op->type) {
	case ARM64_OP_REG:
		r = arm64_general(op->reg);
		o.kind = DISASM_REG;
		o.size = r.size;
		o.reg = r.dwarf;
		o.written = op->access & CS_AC_WRITE;
		break;
	case ARM64_OP_MEM:
		o.kind = DISASM_MEM;
		o.size = arm64_access(insn);
		o.reg = arm64_general(op->mem.base).dwarf;
		o.index = arm64_general(op->mem.index).dwarf;
		o.scale = op->shift.type == ARM64_SFT_LSL ? 1u << (op->shift.value & 7) : 1;
		o.value = op->mem.disp;
		break;
	case ARM64_OP_IMM:
		o.value = op->shift.type == ARM64_SFT_LSL ? op->imm << (op->shift.value & 63) : op->imm;
		o.value = insn->id == ARM64_INS_SUB ? -o.value : o.value;
		break;
	default:
		break;
	}
	return o;
}

static void arm64_detail(struct handle *h, struct disasm_insn *ret)
{
	const cs_insn *insn = h->insn;
	const cs_arm64 *a = &insn->detail->arm64;
	/* capstone 4 says that they change a register */
	bool only_flags = insn->id == ARM64_INS_CMP || insn->id == ARM64_INS_CMN || insn->id == ARM64_INS_TST;
	bool post_index = a->writeback && a->op_count && a->operands[a->op_count - 1].type == ARM64_OP_IMM;

	ret->effect = arm64_effect(insn);
	if (insn->id == ARM64_INS_SUB && a->op_count && a->operands[a->op_count - 1].type != ARM64_OP_IMM)
		ret->effect = DISASM_OPAQUE;
	ret->written = only_flags ? 0 : ret->written;
	ret->conditional = !strncmp(insn->mnemonic, "b.", 2) || !strncmp(insn->mnemonic, "cb", 2) ||
			   !strncmp(insn->mnemonic, "tb", 2);
	for (u8 i = 0; i < a->op_count && i < DISASM_OPERANDS; i++) {
		struct disasm_operand o = arm64_operand(insn, &a->operands[i]);

		/* a sum with a register that is an index stays one */
		if (o.kind == DISASM_REG && ret->effect != DISASM_ADD &&
		    (a->operands[i].shift.type != ARM64_SFT_INVALID ||
		     a->operands[i].ext != ARM64_EXT_INVALID))
			ret->effect = DISASM_OPAQUE;
		if (o.kind == DISASM_MEM && a->writeback && o.reg != DISASM_NO_REG)
			ret->written |= 1ull << o.reg;
		if (o.kind == DISASM_MEM && post_index)
			o.value = 0;
		o.written = o.written && !only_flags;
		add_operand(h, ret, o);
	}
}

static void add_detail(struct handle *h, struct disasm_insn *ret)
{
	if (!h->insn->detail || (h->e_machine != EM_X86_64 && h->e_machine != EM_AARCH64))
		return;
	ret->has_detail = true;
	add_written(h, ret);
	if (h->e_machine == EM_X86_64)
		x86_detail(h, ret);
	else
		arm64_detail(h, ret);
}

static bool next(void *handle, const u8 *code, size_t len, u64 addr, struct disasm_insn *ret)
{
	struct handle *h = handle;

	if (!cs_disasm_iter(h->cs, &code, &len, &addr, h->insn))
		return false;
	ret->size = h->insn->size;
	ret->kind = kind_of(h, h->insn);
	snprintf(ret->mnemonic, sizeof(ret->mnemonic), "%s", h->insn->mnemonic);
	snprintf(ret->operands, sizeof(ret->operands), "%s", h->insn->op_str);
	ret->has_target = (ret->kind == DISASM_JUMP || ret->kind == DISASM_CALL) &&
			  read_target(ret->operands, &ret->target);
	add_detail(h, ret);
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
