/* mkdata: packets of hardware traces, as body tokens. Always little-endian, as the hardware writes them. */
#include "mkdata.h"

#define ADDRESS_MASK ((1ull << 56) - 1)	/* packets have the lower bits of an address */

/*
 * header bytes, the lowest first, and the number of payload bytes; SPE by the Arm Architecture Reference
 * Manual. A row with a shift has a second number, which is put in there
 */
static const struct packet {
	const char *tag;
	u32 header, header_len, payload;
	u32 shift;
} packets[] = {
	{ "spe-pad", 0x00, 1, 0, 0 },
	{ "spe-end", 0x01, 1, 0, 0 },
	{ "spe-time", 0x71, 1, 8, 0 },
	{ "spe-events1", 0x42, 1, 1, 0 },
	{ "spe-events", 0x52, 1, 2, 0 },
	{ "spe-events4", 0x62, 1, 4, 0 },
	{ "spe-events8", 0x72, 1, 8, 0 },
	{ "spe-source", 0x43, 1, 1, 0 },
	{ "spe-source2", 0x53, 1, 2, 0 },
	{ "spe-context", 0x64, 1, 4, 0 },
	{ "spe-context-el2", 0x65, 1, 4, 0 },
	{ "spe-other", 0x48, 1, 1, 0 },
	{ "spe-ldst", 0x49, 1, 1, 0 },
	{ "spe-branch", 0x4a, 1, 1, 0 },
	{ "spe-pc", 0xb0, 1, 8, 61 },		/* address, exception level */
	{ "spe-target", 0xb1, 1, 8, 61 },
	{ "spe-va", 0xb2, 1, 8, 56 },		/* address, tag */
	{ "spe-pa", 0xb3, 1, 8, 56 },
	{ "spe-previous", 0xb4, 1, 8, 61 },
	{ "spe-address9", 0xb121, 2, 8, 56 },	/* with the header of two bytes: index 9 */
	{ "spe-latency", 0x98, 1, 2, 0 },
	{ "spe-issue", 0x99, 1, 2, 0 },
	{ "spe-translation", 0x9a, 1, 2, 0 },
	{ "spe-counter9", 0x9921, 2, 2, 0 },
	{ "spe-align", 0x0020, 2, 0, 0 },	/* to 2 bytes */
	{ "pt-pad", 0x00, 1, 0, 0 },
	{ "pt-psbend", 0x2302, 2, 0, 0 },
	{ "pt-pip", 0x4302, 2, 6, 0 },
	{ "pt-mode", 0x99, 1, 1, 0 },		/* 0x01: 64-bit code; 0x21: InTX */
	{ "pt-tracestop", 0x8302, 2, 0, 0 },
	{ "pt-cbr", 0x0302, 2, 2, 0 },
	{ "pt-tsc", 0x19, 1, 7, 0 },
	{ "pt-tma", 0x7302, 2, 5, 24 },		/* CTC, FC */
	{ "pt-mtc", 0x59, 1, 1, 0 },
	{ "pt-vmcs", 0xc802, 2, 5, 0 },
	{ "pt-ovf", 0xf302, 2, 0, 0 },
	{ "pt-mnt", 0x88c302, 3, 8, 0 },
	{ "pt-ptw4", 0x1202, 2, 4, 0 },
	{ "pt-ptw", 0x3202, 2, 8, 0 },
	{ "pt-ptw4-ip", 0x9202, 2, 4, 0 },	/* an FUP with its address follows */
	{ "pt-ptw-ip", 0xb202, 2, 8, 0 },
	{ "pt-exstop", 0x6202, 2, 0, 0 },
	{ "pt-exstop-ip", 0xe202, 2, 0, 0 },
	{ "pt-mwait", 0xc202, 2, 8, 32 },	/* hints, extensions */
	{ "pt-pwre", 0x2202, 2, 2, 0 },
	{ "pt-pwrx", 0xa202, 2, 5, 0 },
	{ "pt-bbp", 0x6302, 2, 1, 0 },
	{ "pt-bep", 0x3302, 2, 0, 0 },
	{ "pt-bep-ip", 0xb302, 2, 0, 0 },
	{ "pt-cfe", 0x1302, 2, 2, 8 },		/* type, vector */
	{ "pt-evd0", 0x005302, 3, 8, 0 },	/* CR2 */
};

static const struct packet *packet_of(const char *tag, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(packets); i++)
		if (strlen(packets[i].tag) == len && !strncmp(packets[i].tag, tag, len))
			return &packets[i];
	return NULL;
}

static void put_le(struct strbuf *out, u64 v, u32 size)
{
	for (u32 i = 0; i < size; i++)
		strbuf_addch(out, v >> 8 * i);
}

/* "TNT" */
static void put_tnt(const struct line *l, const char *value, u32 op, struct strbuf *out)
{
	size_t nr = strlen(value);
	u64 bits = 1;

	if (nr > 47 || strspn(value, "TN") != nr)
		fatal(l, "pt-tnt: at most 47 letters T and N, not '%s'", value);
	for (; *value; value++)
		bits = bits << 1 | (*value == 'T');
	if (nr <= 6 && op) {
		put_le(out, bits << 1, 1);
	} else {
		put_le(out, 0xa302, 2);
		put_le(out, bits, 6);
	}
}

/* ADDRESS[,COMPRESSION]: 6 bytes, or the IPBytes field; COMPRESSION 0: no address */
static void put_ip(const struct line *l, const char *value, u32 op, struct strbuf *out)
{
	static const u8 sizes[8] = { 0, 2, 4, 6, 6, 0, 8, 0 };
	struct mk_numbers n = { 0 };
	u32 how;

	numbers_parse(l, value, &n);
	how = n.nr > 1 ? n.v[1] & 7 : 3;
	put_le(out, op | how << 5, 1);
	put_le(out, n.nr ? n.v[0] : 0, sizes[how]);
	vec_release(&n);
}

static void put_psb(const struct line *l UNUSED, const char *value UNUSED, u32 op UNUSED, struct strbuf *out)
{
	for (u32 i = 0; i < 8; i++)
		put_le(out, 0x8202, 2);
}

static void put_cyc(const struct line *l, const char *value, u32 op UNUSED, struct strbuf *out)
{
	struct mk_numbers n = { 0 };
	u64 v;

	numbers_parse(l, value, &n);
	v = n.nr ? n.v[0] : 0;
	vec_release(&n);
	strbuf_addch(out, 3 | (v & 31) << 3 | (v >> 5 ? 4 : 0));
	for (v >>= 5; v; v >>= 7)
		strbuf_addch(out, (v & 127) << 1 | (v >> 7 ? 1 : 0));
}

/* ID,BYTE...: frames of the CoreSight formatter, 14 bytes of it in each; the last one ends in zeros */
static void put_frames(const struct line *l, const char *value, u32 op UNUSED, struct strbuf *out)
{
	struct mk_numbers n = { 0 };

	numbers_parse(l, value, &n);
	for (size_t at = 1; at < n.nr; at += 14) {
		u8 frame[16] = { n.v[0] << 1 | 1 };

		for (size_t i = 1; i < 15 && at + i - 1 < n.nr; i++) {
			frame[i] = n.v[at + i - 1];
			if (i % 2)
				continue;
			frame[15] |= (frame[i] & 1) << i / 2;
			frame[i] &= 0xfe;
		}
		strbuf_add(out, frame, sizeof(frame));
	}
	vec_release(&n);
}

/* ADDRESS, and with op 0x85 EXCEPTION LEVEL[,VMID]: Address packet of 64 bits */
static void put_etm_address(const struct line *l, const char *value, u32 op, struct strbuf *out)
{
	struct mk_numbers n = { 0 };
	u64 v;

	numbers_parse(l, value, &n);
	v = n.nr ? n.v[0] : 0;
	strbuf_addch(out, op);
	strbuf_addch(out, v >> 2 & 0x7f);
	strbuf_addch(out, v >> 9 & 0x7f);
	put_le(out, v >> 16, 6);
	if (op == 0x85)
		strbuf_addch(out, 0x30 | (n.nr > 1 ? n.v[1] & 3 : 0) | (n.nr > 2 ? 0x40 : 0));
	if (op == 0x85 && n.nr > 2)
		put_le(out, n.v[2], 4);
	vec_release(&n);
}

static void put_etm_async(const struct line *l UNUSED, const char *value UNUSED, u32 op UNUSED,
			  struct strbuf *out)
{
	put_le(out, 0, 8);
	put_le(out, 0x80000000, 4);
}

/* "ENN": a packet for each */
static void put_etm_atoms(const struct line *l, const char *value, u32 op, struct strbuf *out)
{
	if (strspn(value, "EN") != strlen(value))
		fatal(l, "etm-atoms: letters E and N, not '%s'", value);
	for (; *value; value++)
		strbuf_addch(out, op | (*value == 'E'));
}

/* Intel PT and CoreSight: packets whose length depends on what they say */
static const struct {
	const char *tag;
	void (*put)(const struct line *l, const char *value, u32 op, struct strbuf *out);
	u32 op;
} long_packets[] = {
	{ "pt-psb", put_psb, 0 }, { "pt-tnt", put_tnt, 1 }, { "pt-tnt8", put_tnt, 0 },
	{ "pt-tip", put_ip, 0x0d }, { "pt-pge", put_ip, 0x11 }, { "pt-pgd", put_ip, 0x01 },
	{ "pt-fup", put_ip, 0x1d }, { "pt-cyc", put_cyc, 0 },
	{ "etm-frames", put_frames, 0 }, { "etm-async", put_etm_async, 0 },
	{ "etm-addr", put_etm_address, 0x9d },
	{ "etm-context", put_etm_address, 0x85 }, { "etm-source", put_etm_address, 0xb8 },
	{ "etm-atoms", put_etm_atoms, 0xf6 },
};

static bool is_long_tag(const char *tag, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(long_packets); i++)
		if (strlen(long_packets[i].tag) == len && !strncmp(long_packets[i].tag, tag, len))
			return true;
	return false;
}

static bool put_long_packet(const struct line *l, const struct token *t, struct strbuf *out)
{
	for (size_t i = 0; i < ARRAY_SIZE(long_packets); i++) {
		if (strcmp(long_packets[i].tag, t->key))
			continue;
		long_packets[i].put(l, t->value, long_packets[i].op, out);
		return true;
	}
	return false;
}

bool is_packet_tag(const char *tag, size_t len)
{
	return packet_of(tag, len) || is_long_tag(tag, len) || (len == 3 && !strncmp(tag, "bts", len));
}

bool put_packet(const struct line *l, const struct token *t, struct strbuf *out)
{
	const struct packet *p = packet_of(t->key, strlen(t->key));
	struct mk_numbers n = { 0 };

	if (!p && strcmp(t->key, "bts"))
		return put_long_packet(l, t, out);
	numbers_parse(l, t->value, &n);
	for (u32 i = 0; i < 3 && !p; i++)	/* from, to, flags */
		put_le(out, i < n.nr ? n.v[i] : 0, 8);
	if (p) {
		put_le(out, p->header, p->header_len);
		put_le(out, ((n.nr ? n.v[0] : 0) & (p->shift ? ADDRESS_MASK : ~0ull)) |
		       (n.nr > 1 ? n.v[1] << p->shift : 0), p->payload);
	}
	vec_release(&n);
	return true;
}
