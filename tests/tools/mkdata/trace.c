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
};

static const struct packet *packet_of(const char *tag, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(packets); i++)
		if (strlen(packets[i].tag) == len && !strncmp(packets[i].tag, tag, len))
			return &packets[i];
	return NULL;
}

bool is_packet_tag(const char *tag, size_t len)
{
	return packet_of(tag, len) || (len == 3 && !strncmp(tag, "bts", len));
}

static void put_le(struct strbuf *out, u64 v, u32 size)
{
	for (u32 i = 0; i < size; i++)
		strbuf_addch(out, v >> 8 * i);
}

bool put_packet(const struct line *l, const struct token *t, struct strbuf *out)
{
	const struct packet *p = packet_of(t->key, strlen(t->key));
	struct mk_numbers n = { 0 };

	if (!p && strcmp(t->key, "bts"))
		return false;
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
