/* Packets of Arm SPE: see spe-packet.h. */
#include "spe-packet.h"

#include <endian.h>
#include <string.h>

#define ADDRESS_BITS 56
#define ADDRESS_MASK ((1ull << ADDRESS_BITS) - 1)

static u64 read_le(const u8 *p, u32 size)
{
	u64 v = 0;

	switch (size) {
	case 8:
		memcpy(&v, p, 8);
		break;
	case 4:
		memcpy(&v, p, 4);
		break;
	case 2:
		memcpy(&v, p, 2);
		break;
	default:
		memcpy(&v, p, 1);
	}
	return le64toh(v);
}

/* bits 5:4 of a header are the logarithm of the payload's size */
static u32 payload_size(u8 header)
{
	return 1u << (header >> 4 & 3);
}

/* the type and the index that a header of one byte means; ext: the bits of the byte before it */
static enum spe_type classify(u8 header, u32 ext, u8 *ret_index)
{
	*ret_index = ext << 3 | (header & 7);
	if ((header & 0xf8) == 0xb0)
		return SPE_ADDRESS;
	if ((header & 0xf8) == 0x98)
		return SPE_COUNTER;
	*ret_index = header & 3;
	if (ext)
		return SPE_BAD;
	if ((header & 0xcf) == 0x42)
		return SPE_EVENTS;
	if ((header & 0xcf) == 0x43)
		return SPE_SOURCE;
	if ((header & 0xfc) == 0x64)
		return SPE_CONTEXT;
	if ((header & 0xfc) == 0x48)
		return SPE_OPERATION;
	return header == 0x71 ? SPE_TIMESTAMP : SPE_BAD;
}

/* up to the next multiple of 2, 4, 8, ... bytes of the stream, its header included */
static size_t read_align(const u8 *p, size_t len, u64 off, struct spe_packet *ret)
{
	u64 align = 2ull << (p[1] & 15);
	size_t size = align - (off & (align - 1));

	ret->type = size <= len ? SPE_ALIGN : SPE_CUT;
	return MIN(MAX(size, (size_t)1), len);
}

size_t spe_packet_read(const u8 *p, size_t len, u64 off, struct spe_packet *ret)
{
	u32 ext = (*p & 0xfc) == 0x20, header_len = 1 + ext;

	*ret = (struct spe_packet){ .type = *p ? SPE_END : SPE_PADDING };
	if (*p <= 1)
		return 1;
	ret->type = SPE_CUT;
	if (len < header_len)
		return len;
	if (ext && !(p[1] & 0xf0))
		return read_align(p, len, off, ret);
	/* an extended header whose upper bits are 0 is as good as a short one */
	ret->type = classify(p[ext], ext ? *p & 3 : 0, &ret->index);
	if (ret->type == SPE_BAD || (ext && ret->type != SPE_ADDRESS && ret->type != SPE_COUNTER)) {
		ret->type = SPE_BAD;
		return 1;
	}
	ret->size = payload_size(p[ext]);
	if (len < header_len + ret->size) {
		ret->type = SPE_CUT;
		return len;
	}
	ret->payload = read_le(p + header_len, ret->size);
	return header_len + ret->size;
}

u64 spe_ip(u64 payload)
{
	u64 ip = payload & ADDRESS_MASK;

	/* EL0 is the lower half; EL1 and EL2 are in the upper half, which bit 55 shows */
	return spe_level(payload) && ip >> (ADDRESS_BITS - 1) ? ip | ~ADDRESS_MASK : ip;
}

u64 spe_data_address(u64 payload)
{
	u64 addr = payload & ADDRESS_MASK;

	/* the upper byte may be a tag; kernel addresses have bits 55..52 set */
	return addr >> 52 == 15 ? addr | ~ADDRESS_MASK : addr;
}

static void print_events(u64 v, struct strbuf *out)
{
	static const char *const names[] = {
		"EXCEPTION-GEN", "RETIRED", "L1D-ACCESS", "L1D-REFILL", "TLB-ACCESS", "TLB-REFILL",
		"NOT-TAKEN", "MISPRED", "LLC-ACCESS", "LLC-REFILL", "REMOTE-ACCESS", "ALIGNMENT",
		"LATE-PREFETCH", [16] = "TXN", "SVE-PARTIAL-PRED", "SVE-EMPTY-PRED", "L2D-ACCESS", "L2D-MISS",
		"HITM", "LFB", "SNOOPED", "STREAMING-SVE", "SMCU",
	};
	const char *before = " IMPDEF:";

	strbuf_addstr(out, "EV");
	for (u32 i = 0; i < ARRAY_SIZE(names); i++)
		if (names[i] && i != SPE_EV_LATE_PREFETCH && v >> i & 1)
			strbuf_addf(out, " %s", names[i]);
	if (v >> SPE_EV_LATE_PREFETCH & 1)
		strbuf_addf(out, " %s", names[SPE_EV_LATE_PREFETCH]);
	for (u32 i = 0; i < 64; i++) {
		if (!(v >> i & 1) || (i < ARRAY_SIZE(names) && names[i]))
			continue;
		strbuf_addf(out, "%s%u", before, i);
		before = ",";
	}
}

static void print_ldst(u64 v, struct strbuf *out)
{
	strbuf_addstr(out, v & 1 ? "ST" : "LD");
	if ((v & 0xe2) == 0x02) {	/* extended: atomics, acquire and release, exclusive */
		strbuf_addstr(out, v & 0x04 ? " AT" : "");
		strbuf_addstr(out, v & 0x08 ? " EXCL" : "");
		strbuf_addstr(out, v & 0x10 ? " AR" : "");
	} else if (v & 0x08 && !(v & 0x02)) {
		strbuf_addf(out, " SVE-SME-REG EVLEN %u", 32u << (v >> 4 & 7));
		strbuf_addstr(out, v & 0x04 ? " PRED" : "");
		strbuf_addstr(out, v & 0x80 ? " SG" : "");
	} else {
		static const struct {
			u8 mask, bits;
			const char *name;
		} kinds[] = {
			{ 0xfe, 0x00, "GP-REG" }, { 0xfe, 0x04, "SIMD-FP" }, { 0xfe, 0x10, "UNSPEC-REG" },
			{ 0xfe, 0x14, "MTE-TAG" }, { 0xfe, 0x30, "NV-SYSREG" }, { 0xfe, 0x20, "MEMCPY" },
			{ 0xff, 0x25, "MEMSET" }, { 0xfa, 0x40, "GCS" },
		};

		for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
			if ((v & kinds[i].mask) == kinds[i].bits)
				strbuf_addf(out, " %s", kinds[i].name);
	}
}

static void print_branch(u64 v, struct strbuf *out)
{
	static const char *const ways[] = { "", " CR-BL", " CR-RET", " CR-NON-BL-RET" };

	strbuf_addstr(out, "B");
	strbuf_addstr(out, v & 0x01 ? " COND" : "");
	strbuf_addstr(out, v & 0x02 ? " IND" : "");
	strbuf_addstr(out, v & 0x04 ? " GCS" : "");
	strbuf_addstr(out, ways[v >> 3 & 3]);
}

static void print_other(u64 v, struct strbuf *out)
{
	if ((v & 0x89) == 0x08) {
		strbuf_addf(out, "SVE-OTHER EVLEN %u", 32u << (v >> 4 & 7));
		strbuf_addstr(out, v & 0x02 ? " FP" : "");
		strbuf_addstr(out, v & 0x04 ? " PRED" : "");
	} else {
		strbuf_addf(out, "OTHER%s%s %s", v & 4 ? " ASE" : "", v & 2 ? " FP" : "",
			    v & 1 ? "COND-SELECT" : "INSN-OTHER");
	}
}

static void print_address(const struct spe_packet *p, struct strbuf *out)
{
	static const char *const names[] = { "PC", "TGT", "VA", "PA", "PBT" };
	u64 v = p->payload;

	if (p->index >= ARRAY_SIZE(names)) {
		strbuf_addf(out, "ADDR 0x%llx (%u)", (unsigned long long)v, p->index);
		return;
	}
	if (p->index == SPE_ADDR_VIRTUAL) {
		strbuf_addf(out, "VA 0x%llx", (unsigned long long)v);
		return;
	}
	strbuf_addf(out, "%s 0x%llx", names[p->index], (unsigned long long)(v & ADDRESS_MASK));
	if (p->index == SPE_ADDR_PHYSICAL)
		strbuf_addf(out, " ns=%u ch=%u pat=%x", (u32)(v >> 63), (u32)(v >> 62 & 1),
			    (u32)(v >> 56 & 15));
	else
		strbuf_addf(out, " el%u ns=%u", spe_level(v), (u32)(v >> 63));
}

static void print_counter(const struct spe_packet *p, struct strbuf *out)
{
	static const char *const names[] = { "TOT", "ISSUE", "XLAT" };

	strbuf_addf(out, "LAT %u ", (u32)p->payload);
	if (p->index < ARRAY_SIZE(names))
		strbuf_addstr(out, names[p->index]);
	else
		strbuf_addf(out, "(%u)", p->index);
}

static void print_operation(const struct spe_packet *p, struct strbuf *out)
{
	if (p->index == SPE_OP_LDST)
		print_ldst(p->payload, out);
	else if (p->index == SPE_OP_BRANCH)
		print_branch(p->payload, out);
	else if (p->index == SPE_OP_OTHER)
		print_other(p->payload, out);
	else
		strbuf_addf(out, "OP-TYPE 0x%x (%u)", (u32)p->payload, p->index);
}

void spe_packet_print(const struct spe_packet *p, struct strbuf *out)
{
	unsigned long long v = p->payload;

	switch ((enum spe_type)p->type) {
	case SPE_BAD:		strbuf_addstr(out, "Bad packet!"); break;
	case SPE_CUT:		strbuf_addstr(out, "packet without its end"); break;
	case SPE_PADDING:	strbuf_addstr(out, "PAD"); break;
	case SPE_END:		strbuf_addstr(out, "END"); break;
	case SPE_ALIGN:		strbuf_addstr(out, "ALIGN"); break;
	case SPE_TIMESTAMP:	strbuf_addf(out, "TS %llu", v); break;
	case SPE_EVENTS:	print_events(p->payload, out); break;
	case SPE_SOURCE:	strbuf_addf(out, "DATA-SOURCE %llu", v); break;
	case SPE_CONTEXT:	strbuf_addf(out, "CONTEXT 0x%llx el%u", v, p->index + 1); break;
	case SPE_OPERATION:	print_operation(p, out); break;
	case SPE_ADDRESS:	print_address(p, out); break;
	case SPE_COUNTER:	print_counter(p, out); break;
	}
}
