/*
 * Packets of Intel Processor Trace, by the Intel SDM, volume 3, "Intel Processor Trace", section "Trace
 * Packets and Data Types": an opcode of one byte to three, and a payload, little-endian. Knows neither code
 * nor samples.
 */
#ifndef PERF_AUX_PT_PACKET_H
#define PERF_AUX_PT_PACKET_H

#include "../base/strbuf.h"

enum pt_type {
	PT_BAD, PT_PAD, PT_TNT, PT_TIP, PT_TIP_PGE, PT_TIP_PGD, PT_FUP, PT_PIP, PT_MODE_EXEC, PT_MODE_TSX,
	PT_TRACE_STOP, PT_CBR, PT_TSC, PT_TMA, PT_MTC, PT_CYC, PT_VMCS, PT_OVF, PT_MNT, PT_PTW, PT_EXSTOP,
	PT_MWAIT, PT_PWRE, PT_PWRX, PT_BBP, PT_BIP, PT_BEP, PT_CFE, PT_EVD, PT_PSB, PT_PSBEND
};

enum { PT_PSB_SIZE = 16 };

struct pt_packet {
	u8 type;		/* enum pt_type */
	/*
	 * TNT: number of branches, which are the upper bits of the payload, the first one highest. TIPs and
	 * FUP: how the address is compressed. BIP: id. MNT has none. Others: whether an FUP with its
	 * address follows
	 */
	u8 nr;
	u64 payload;
};

/* groups of items: between BBP and BEP packets, bytes like those of a TNT begin an item */
enum pt_group { PT_NO_GROUP, PT_GROUP_8, PT_GROUP_4 };

/*
 * The packet at p, of which len bytes (at least 1) are there. Returns its length; 1 for a BAD one, which is
 * also one whose end is missing. *group is the state between packets, PT_NO_GROUP at first
 */
size_t pt_packet_read(const u8 *p, size_t len, u8 *group, struct pt_packet *ret);

/* packets of one byte, which most are: bits outside of a group, and up to 31 cycles */
static inline bool pt_is_short_tnt(u8 byte)
{
	return !(byte & 1) && byte > 2;
}

static inline bool pt_is_short_cyc(u8 byte)
{
	return (byte & 7) == 3;
}

/* the first PSB in len bytes, NULL: there is none */
const u8 *pt_find_psb(const u8 *p, size_t len);

/* the address in a TIP or FUP packet, after the one before it; only for nr other than 0 */
u64 pt_packet_ip(const struct pt_packet *p, u64 last);

/* appends the packet as text */
void pt_packet_print(const struct pt_packet *p, struct strbuf *out);

#endif
