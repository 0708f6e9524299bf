/* Packets of Intel Processor Trace: see pt-packet.h. */
#include "pt-packet.h"

#include <string.h>

enum { OP_EXTENDED = 0x02, OP_MODE = 0x99, OP_TSC = 0x19, OP_MTC = 0x59 };

/* by the second byte of packets that begin with 0x02; with IP: bit 7 says that an FUP follows */
static const struct {
	u8 code, type, payload;
	bool ip;
} extended[] = {
	{ 0x03, PT_CBR, 2, false }, { 0x23, PT_PSBEND, 0, false }, { 0x43, PT_PIP, 6, false },
	{ 0x73, PT_TMA, 5, false }, { 0x83, PT_TRACE_STOP, 0, false }, { 0xc8, PT_VMCS, 5, false },
	{ 0xf3, PT_OVF, 0, false }, { 0x12, PT_PTW, 4, true }, { 0x32, PT_PTW, 8, true },
	{ 0x62, PT_EXSTOP, 0, true }, { 0xc2, PT_MWAIT, 8, false }, { 0x22, PT_PWRE, 2, false },
	{ 0xa2, PT_PWRX, 5, false }, { 0x63, PT_BBP, 1, false }, { 0x33, PT_BEP, 0, true },
	{ 0x13, PT_CFE, 2, false }, { 0x53, PT_EVD, 9, false },
};

static u64 number(const u8 *p, size_t size)
{
	u64 v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (u64)p[i] << 8 * i;
	return v;
}

static size_t bad(struct pt_packet *ret)
{
	*ret = (struct pt_packet){ .type = PT_BAD };
	return 1;
}

/* the bits below the highest one that is set, moved to the top */
static void set_tnt(struct pt_packet *ret, u64 bits)
{
	u32 nr = bits ? 63 - __builtin_clzll(bits) : 0;

	*ret = (struct pt_packet){ .type = PT_TNT, .nr = nr, .payload = nr ? bits << (64 - nr) : 0 };
}

static size_t read_long_tnt(const u8 *p, size_t len, struct pt_packet *ret)
{
	if (len < 8)
		return bad(ret);
	set_tnt(ret, number(p + 2, 6));
	return 8;
}

static size_t read_mnt(const u8 *p, size_t len, struct pt_packet *ret)
{
	if (len < 11 || p[2] != 0x88)
		return bad(ret);
	*ret = (struct pt_packet){ .type = PT_MNT, .payload = number(p + 3, 8) };
	return 11;
}

static size_t read_psb(const u8 *p, size_t len, struct pt_packet *ret)
{
	if (len < PT_PSB_SIZE || pt_find_psb(p, PT_PSB_SIZE) != p)
		return bad(ret);
	*ret = (struct pt_packet){ .type = PT_PSB };
	return PT_PSB_SIZE;
}

/* what a payload of more than one field means to the packets that open and close a block */
static void follow_group(struct pt_packet *ret, u8 *group)
{
	if (ret->type == PT_BBP)
		*group = ret->payload & 0x80 ? PT_GROUP_4 : PT_GROUP_8;
	else if (ret->type == PT_BEP || ret->type == PT_OVF || ret->type == PT_PSBEND)
		*group = PT_NO_GROUP;
}

static size_t read_extended(const u8 *p, size_t len, u8 *group, struct pt_packet *ret)
{
	if (len < 2)
		return bad(ret);
	if (p[1] == 0xa3)
		return read_long_tnt(p, len, ret);
	if (p[1] == 0xc3)
		return read_mnt(p, len, ret);
	if (p[1] == 0x82) {
		*group = PT_NO_GROUP;
		return read_psb(p, len, ret);
	}
	for (size_t i = 0; i < ARRAY_SIZE(extended); i++) {
		u32 size = 0;

		if (p[1] != extended[i].code && !(extended[i].ip && p[1] == (extended[i].code | 0x80)))
			continue;
		size = extended[i].payload;
		if (len < 2 + size)
			return bad(ret);
		*ret = (struct pt_packet){ extended[i].type, extended[i].ip && p[1] & 0x80,
					   number(p + 2, MIN(size, 8u)) };
		if (ret->type == PT_EVD) {	/* its type, then 8 bytes */
			ret->nr = p[2] & 0x3f;
			ret->payload = number(p + 3, 8);
		}
		follow_group(ret, group);
		return 2 + size;
	}
	return bad(ret);
}

static size_t read_ip(const u8 *p, size_t len, u8 type, struct pt_packet *ret)
{
	static const s8 sizes[] = { 0, 2, 4, 6, 6, -1, 8, -1 };
	s8 size = sizes[*p >> 5];

	if (size < 0 || len < 1 + (size_t)size)
		return bad(ret);
	*ret = (struct pt_packet){ type, *p >> 5, number(p + 1, size) };
	return 1 + size;
}

/* 5 bits in the first byte, 7 in each that follows */
static size_t read_cyc(const u8 *p, size_t len, struct pt_packet *ret)
{
	u64 v = *p >> 3;
	bool more = *p & 4;
	u32 shift = 5;
	size_t at = 1;

	for (; more; shift += 7) {
		if (at >= len || shift > 63)
			return bad(ret);
		v |= (u64)(p[at] >> 1) << shift;
		more = p[at++] & 1;
	}
	*ret = (struct pt_packet){ .type = PT_CYC, .payload = v };
	return at;
}

static size_t read_sized(const u8 *p, size_t len, u8 type, size_t size, struct pt_packet *ret)
{
	if (len < 1 + size)
		return bad(ret);
	*ret = (struct pt_packet){ .type = type, .payload = number(p + 1, size) };
	return 1 + size;
}

static size_t read_mode(const u8 *p, size_t len, struct pt_packet *ret)
{
	u8 leaf = len < 2 ? 0xff : p[1] >> 5;

	/* CS.L and CS.D are not both set, and a transaction is not both aborted and going on */
	if (leaf > 1 || (p[1] & 3) == 3)
		return bad(ret);
	return read_sized(p, len, leaf ? PT_MODE_TSX : PT_MODE_EXEC, 1, ret);
}

static size_t read_item(const u8 *p, size_t len, u8 group, struct pt_packet *ret)
{
	size_t size = read_sized(p, len, PT_BIP, group == PT_GROUP_8 ? 8 : 4, ret);

	if (ret->type == PT_BIP)
		ret->nr = *p >> 3;
	return size;
}

static size_t read_any(const u8 *p, size_t len, u8 *group, struct pt_packet *ret)
{
	if (!*p) {
		*ret = (struct pt_packet){ .type = PT_PAD };
		return 1;
	}
	if (*p == OP_EXTENDED)
		return read_extended(p, len, group, ret);
	if (*group && (*p & 7) == 4)
		return read_item(p, len, *group, ret);
	if (!(*p & 1)) {
		set_tnt(ret, *p >> 1);
		return 1;
	}
	if ((*p & 3) == 3)
		return read_cyc(p, len, ret);
	switch (*p & 0x1f) {
	case 0x0d:
		return read_ip(p, len, PT_TIP, ret);
	case 0x11:
		return read_ip(p, len, PT_TIP_PGE, ret);
	case 0x01:
		return read_ip(p, len, PT_TIP_PGD, ret);
	case 0x1d:
		return read_ip(p, len, PT_FUP, ret);
	}
	return *p == OP_MODE ? read_mode(p, len, ret) :
	       *p == OP_TSC ? read_sized(p, len, PT_TSC, 7, ret) :
	       *p == OP_MTC ? read_sized(p, len, PT_MTC, 1, ret) : bad(ret);
}

size_t pt_packet_read(const u8 *p, size_t len, u8 *group, struct pt_packet *ret)
{
	size_t size = read_any(p, len, group, ret);

	if (ret->type == PT_BAD)
		*group = PT_NO_GROUP;
	return size;
}

const u8 *pt_find_psb(const u8 *p, size_t len)
{
	static const u8 psb[PT_PSB_SIZE] = { 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82, 2, 0x82,
					     2, 0x82 };

	return memmem(p, len, psb, sizeof(psb));
}

u64 pt_packet_ip(const struct pt_packet *p, u64 last)
{
	switch (p->nr) {
	case 1:
		return (last & ~0xffffull) | p->payload;
	case 2:
		return (last & ~0xffffffffull) | p->payload;
	case 3:
		return (u64)((s64)(p->payload << 16) >> 16);
	case 4:
		return (last & ~0xffffffffffffull) | p->payload;
	default:
		return p->payload;
	}
}
