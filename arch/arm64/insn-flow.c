/*
 * Where an A64 instruction continues: Arm ARM, "A64 instruction set encoding", branches, exception generating
 * and system instructions.
 */
#include "arm64.h"

#include <endian.h>
#include <string.h>

/* rows: v & mask == is; the distance is a signed number of instructions: bits bits from bit low on */
static const struct {
	u32 mask, is;
	u8 kind, low, bits;
} rows[] = {
	{ 0xfc000000, 0x14000000, ARCH_FLOW_JMP, 0, 26 },		/* B */
	{ 0xfc000000, 0x94000000, ARCH_FLOW_CALL, 0, 26 },		/* BL */
	{ 0xff000000, 0x54000000, ARCH_FLOW_JCC, 5, 19 },		/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, ARCH_FLOW_JCC, 5, 19 },		/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, ARCH_FLOW_JCC, 5, 14 },		/* TBZ, TBNZ */
	{ 0x7e000000, 0x74000000, ARCH_FLOW_JCC, 5, 9 },		/* CB<cc> */
	{ 0xfefff000, 0xd61f0000, ARCH_FLOW_JMP_INDIRECT, 0, 0 },	/* BR, BRAA and the like */
	{ 0xfefff000, 0xd63f0000, ARCH_FLOW_CALL_INDIRECT, 0, 0 },	/* BLR */
	{ 0xfffff000, 0xd65f0000, ARCH_FLOW_RET, 0, 0 },		/* RET */
	{ 0xffc0001f, 0x5500001f, ARCH_FLOW_RET, 0, 0 },		/* RETAASPPC and the like */
	{ 0xfffff000, 0xd69f0000, ARCH_FLOW_IRET, 0, 0 },		/* ERET */
	{ 0xffffffff, 0xd6bf03e0, ARCH_FLOW_IRET, 0, 0 },		/* DRPS */
	{ 0xfffff0ff, 0xd50330df, ARCH_FLOW_BARRIER, 0, 0 },		/* ISB */
	{ 0xffffffdf, 0xd503205f, ARCH_FLOW_WAIT, 0, 0 },		/* WFE, WFI */
	{ 0xffffffc0, 0xd5031000, ARCH_FLOW_WAIT, 0, 0 },		/* WFET, WFIT */
};

/* what all rows have in common: most instructions are told apart by it */
static bool may_branch(u32 v)
{
	return (v >> 26 & 7) == 5;
}

bool arm64_insn_flow(const u8 *p, size_t nr, bool is64, struct arch_flow *ret)
{
	u32 v;

	if (nr < sizeof(v) || !is64)
		return false;
	memcpy(&v, p, sizeof(v));
	v = le32toh(v);
	*ret = (struct arch_flow){ .len = sizeof(v) };
	if (!may_branch(v))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if ((v & rows[i].mask) != rows[i].is)
			continue;
		ret->kind = rows[i].kind;
		if (rows[i].bits)
			ret->distance = ((s64)((u64)v << (64 - rows[i].bits - rows[i].low)) >>
					 (64 - rows[i].bits)) * 4 - 4;
		break;
	}
	return true;
}
