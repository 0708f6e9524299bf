/* Where an x86 instruction continues: by its opcode; the length says where the distance of a jump is. */
#include "insn-flow.h"
#include "insn-len.h"

#include <string.h>

/* the opcode after all prefixes; *ret_last: the last of f2 and f3, or 0 */
static const u8 *skip_prefixes(const u8 *p, const u8 *end, bool is64, u8 *ret_last)
{
	*ret_last = 0;
	for (; p < end; p++) {
		switch (*p) {
		case 0xf2: case 0xf3:
			*ret_last = *p;
			break;
		case 0x66: case 0x67: case 0xf0: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64:
		case 0x65:
			break;
		default:
			if (!is64 || (*p & 0xf0) != 0x40)
				return p;
		}
	}
	return p;
}

/* after 0f 01: virtual machines, and returns of FRED and of user interrupts */
static u8 flow_0f01(u8 modrm, u8 rep)
{
	switch (modrm) {
	case 0xc1: case 0xc2: case 0xc3:
		return ARCH_FLOW_VM;
	case 0xca:
		return rep ? ARCH_FLOW_IRET : ARCH_FLOW_NONE;
	case 0xec:
		return rep == 0xf3 ? ARCH_FLOW_IRET : ARCH_FLOW_NONE;
	default:
		return ARCH_FLOW_NONE;
	}
}

static u8 flow_0f(const u8 *op, size_t left, u8 rep)
{
	u8 modrm = left > 1 ? op[1] : 0;

	switch (*op) {
	case 0x05: case 0x34:
		return ARCH_FLOW_SYSCALL;
	case 0x07: case 0x35:
		return ARCH_FLOW_SYSRET;
	case 0x01:
		return flow_0f01(modrm, rep);
	case 0x80 ... 0x8f:
		return ARCH_FLOW_JCC;
	case 0xae:
		return rep == 0xf3 && (modrm >> 3 & 7) == 4 ? ARCH_FLOW_PTWRITE : ARCH_FLOW_NONE;
	default:
		return ARCH_FLOW_NONE;
	}
}

static u8 flow_ff(u8 modrm)
{
	static const u8 by_reg[8] = { [2] = ARCH_FLOW_CALL_INDIRECT, [3] = ARCH_FLOW_FAR,
				      [4] = ARCH_FLOW_JMP_INDIRECT, [5] = ARCH_FLOW_FAR };

	return by_reg[modrm >> 3 & 7];
}

static u8 flow_of(const u8 *op, size_t left, bool is64, u8 rep)
{
	switch (*op) {
	case 0x0f:
		return left > 1 ? flow_0f(op + 1, left - 1, rep) : ARCH_FLOW_NONE;
	case 0x70 ... 0x7f: case 0xe0 ... 0xe3:
		return ARCH_FLOW_JCC;
	case 0xe8:
		return ARCH_FLOW_CALL;
	case 0xe9: case 0xeb:
		return ARCH_FLOW_JMP;
	case 0xc2: case 0xc3:
		return ARCH_FLOW_RET;
	case 0xca: case 0xcb:
		return ARCH_FLOW_FAR;
	case 0x9a: case 0xea:
		return is64 ? ARCH_FLOW_NONE : ARCH_FLOW_FAR;
	case 0xcc: case 0xcd: case 0xf1:
		return ARCH_FLOW_INT;
	case 0xce:
		return is64 ? ARCH_FLOW_NONE : ARCH_FLOW_INT;
	case 0xcf:
		return ARCH_FLOW_IRET;
	case 0xff:
		return left > 1 ? flow_ff(op[1]) : ARCH_FLOW_NONE;
	default:
		return ARCH_FLOW_NONE;
	}
}

/* the distance is at the end of the instruction, lowest byte first: 1 byte, or the rest after the opcode */
static s64 distance(const u8 *p, const u8 *op, u32 len)
{
	size_t opcode = *op == 0x0f ? 2 : 1, size = p + len - op - opcode;
	u32 v = 0;

	for (size_t i = 0; i < size && i < sizeof(v); i++)
		v |= (u32)op[opcode + i] << 8 * i;
	return size == 1 ? (s8)v : size == 2 ? (s16)v : (s32)v;
}

bool x86_insn_flow(const u8 *p, size_t nr, bool is64, struct arch_flow *ret)
{
	int len = x86_insn_len(p, nr, is64);
	const u8 *op;
	u8 rep;

	if (len <= 0)
		return false;
	op = skip_prefixes(p, p + len, is64, &rep);
	*ret = (struct arch_flow){ .len = len };
	if (op == p + len)
		return true;
	ret->kind = flow_of(op, p + len - op, is64, rep);
	if (ret->kind == ARCH_FLOW_JCC || ret->kind == ARCH_FLOW_JMP || ret->kind == ARCH_FLOW_CALL)
		ret->distance = distance(p, op, len);
	return true;
}
