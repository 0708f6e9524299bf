/*
 * Length of an x86 instruction from its bytes: prefixes, opcode map, modrm, displacement, immediate. Nothing
 * is disassembled.
 */
#include "insn-len.h"

enum {
	MODRM = 1,
	IMM8 = 2,		/* bytes of immediate */
	IMM16 = 4,
	IMMZ = 8,		/* 4, or 2 with an operand-size prefix */
	IMMV = 16,		/* 8 with REX.W, else as IMMZ */
	MOFFS = 32,		/* as wide as an address */
	GROUP3 = 64,		/* an immediate only for the first two of the eight operations */
	REL = 128,		/* jump distance: 4 in 64-bit mode whatever the prefix */
	INVALID = 256,
};

struct insn {
	const u8 *p, *end;
	bool is64, opsize, addrsize, rex_w, bad;
};

static u8 peek(const struct insn *in)
{
	return in->p < in->end ? *in->p : 0;
}

static u8 next(struct insn *in)
{
	if (in->p >= in->end) {
		in->bad = true;
		return 0;
	}
	return *in->p++;
}

static u32 one_byte(const struct insn *in, u8 op)
{
	static const u16 from60[] = { 0, 0, MODRM, MODRM, 0, 0, 0, 0, IMMZ, MODRM | IMMZ, IMM8, MODRM | IMM8,
				      0, 0, 0, 0 };
	static const u16 from80[] = { MODRM | IMM8, MODRM | IMMZ, MODRM | IMM8, MODRM | IMM8 };
	static const u16 fromc0[] = {
		MODRM | IMM8, MODRM | IMM8, IMM16, 0, MODRM, MODRM, MODRM | IMM8, MODRM | IMMZ,
		IMM16 | IMM8, 0, IMM16, 0, 0, IMM8, 0, 0, MODRM, MODRM, MODRM, MODRM, IMM8, IMM8, 0, 0,
		MODRM, MODRM, MODRM, MODRM, MODRM, MODRM, MODRM, MODRM,
		IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, IMM8, REL, REL, IMMZ | IMM16, IMM8, 0, 0, 0, 0,
		0, 0, 0, 0, 0, 0, MODRM | IMM8 | GROUP3, MODRM | IMMZ | GROUP3, 0, 0, 0, 0, 0, 0, MODRM,
		MODRM,
	};

	if (op < 0x40)
		return (op & 7) < 4 ? MODRM : (op & 7) == 4 ? IMM8 : (op & 7) == 5 ? IMMZ :
		       in->is64 ? INVALID : 0;
	if (op < 0x60)
		return 0;
	if (op < 0x70)
		return from60[op - 0x60];
	if (op < 0x80)
		return IMM8;
	if (op < 0x90)
		return op < 0x84 ? from80[op - 0x80] : MODRM;
	if (op < 0xa0)
		return op == 0x9a ? IMMZ | IMM16 : 0;
	if (op < 0xb0)
		return op < 0xa4 ? MOFFS : op == 0xa8 ? IMM8 : op == 0xa9 ? IMMZ : 0;
	if (op < 0xc0)
		return op < 0xb8 ? IMM8 : IMMV;
	return fromc0[op - 0xc0];
}

/* after 0f */
static u32 two_byte(u8 op)
{
	if (op >= 0x80 && op < 0x90)
		return REL;
	switch (op) {
	case 0x04: case 0x0a: case 0x0c:
		return INVALID;
	case 0x05 ... 0x09: case 0x0b: case 0x0e: case 0x30 ... 0x37: case 0x77: case 0xa0 ... 0xa2:
	case 0xa8 ... 0xaa:
	case 0xc8 ... 0xcf:
		return 0;
	case 0x0f: case 0x70 ... 0x73: case 0xa4: case 0xac: case 0xba: case 0xc2: case 0xc4 ... 0xc6:
		return MODRM | IMM8;
	default:
		return MODRM;
	}
}

static u32 legacy(struct insn *in)
{
	u8 op = next(in);

	if (op != 0x0f)
		return one_byte(in, op);
	op = next(in);
	if (op == 0x38 || op == 0x3a) {
		next(in);
		return op == 0x38 ? MODRM : MODRM | IMM8;
	}
	return two_byte(op);
}

/* VEX, EVEX and XOP: the prefix contains the map */
static u32 vector(u32 map, u8 op)
{
	switch (map) {
	case 1:
		return op == 0x77 ? 0 : MODRM | (two_byte(op) & IMM8);
	case 3: case 8:
		return MODRM | IMM8;
	case 10:
		return MODRM | IMMZ;
	default:
		return MODRM;
	}
}

/* true if the bytes at in->p are such a prefix; *ret: what follows the opcode */
static bool vector_prefix(struct insn *in, u32 *ret)
{
	u8 op = peek(in), b = in->p + 1 < in->end ? in->p[1] : 0;
	u32 map = 1, skip;

	if ((op == 0xc4 || op == 0xc5 || op == 0x62) && !in->is64 && b < 0xc0)
		return false;
	if (op == 0x8f && (b & 0x1f) < 8)
		return false;
	switch (op) {
	case 0xc5:
		skip = 2;
		break;
	case 0xc4: case 0x8f:
		map = b & 0x1f;
		skip = 3;
		break;
	case 0x62:
		map = b & 7;
		skip = 4;
		break;
	default:
		return false;
	}
	for (u32 i = 0; i < skip; i++)
		next(in);
	in->opsize = in->rex_w = false;
	*ret = vector(map, next(in));
	return true;
}

static void prefixes(struct insn *in)
{
	for (;; in->p++) {
		switch (peek(in)) {
		case 0x66:
			in->opsize = true;
			break;
		case 0x67:
			in->addrsize = true;
			break;
		case 0xf0: case 0xf2: case 0xf3: case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64:
		case 0x65:
			break;
		default:
			if (!in->is64 || (peek(in) & 0xf0) != 0x40)
				return;
			in->rex_w = peek(in) & 8;	/* REX.W counts only right before the opcode */
			if (in->p + 1 < in->end && (in->p[1] & 0xf0) != 0x40) {
				in->p++;
				return;
			}
		}
		if (in->p >= in->end)
			return;
	}
}

/* number of bytes after the modrm byte */
static u32 displacement(struct insn *in, u8 modrm)
{
	u8 mod = modrm >> 6, rm = modrm & 7;

	if (mod == 3)
		return 0;
	if (!in->is64 && in->addrsize)
		return mod == 1 ? 1 : mod == 2 || rm == 6 ? 2 : 0;
	if (rm == 4)
		rm = next(in) & 7;
	else if (mod == 0 && rm == 5)
		return 4;
	return mod == 1 ? 1 : mod == 2 || rm == 5 ? 4 : 0;
}

int x86_insn_len(const u8 *p, size_t nr, bool is64)
{
	struct insn in = { .p = p, .end = p + (nr < 15 ? nr : 15), .is64 = is64 };
	u32 what, skip = 0;

	prefixes(&in);
	if (!vector_prefix(&in, &what))
		what = legacy(&in);
	if (what & MODRM) {
		u8 modrm = next(&in);

		skip = displacement(&in, modrm);
		if (what & GROUP3 && (modrm & 0x38) > 8)
			what &= ~(IMM8 | IMMZ);
	}
	if (what & IMM8)
		skip += 1;
	if (what & IMM16)
		skip += 2;
	if (what & IMMV)
		skip += in.rex_w ? 8 : in.opsize ? 2 : 4;
	if (what & IMMZ)
		skip += in.opsize && !in.rex_w ? 2 : 4;
	if (what & REL)
		skip += in.opsize && !is64 ? 2 : 4;
	if (what & MOFFS)
		skip += is64 ? (in.addrsize ? 4 : 8) : in.addrsize ? 2 : 4;
	if (in.bad || what & INVALID || skip > (size_t)(in.end - in.p))
		return 0;
	return in.p + skip - p;
}
