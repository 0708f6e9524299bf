/*
 * Packets of the Arm Statistical Profiling Extension, by the Arm Architecture Reference Manual, "Statistical
 * Profiling Extension Sample Record Specification": a header of one byte, or of two where the first is
 * 0b001000xx, and a payload of 1, 2, 4 or 8 bytes, little-endian. A record is the packets of one operation;
 * it ends with an End or a Timestamp packet.
 */
#ifndef PERF_AUX_SPE_PACKET_H
#define PERF_AUX_SPE_PACKET_H

#include <endian.h>
#include "../base/strbuf.h"

enum spe_type {
	SPE_BAD, SPE_CUT, SPE_PADDING, SPE_END, SPE_TIMESTAMP, SPE_EVENTS, SPE_SOURCE, SPE_CONTEXT,
	SPE_OPERATION, SPE_ADDRESS, SPE_COUNTER, SPE_ALIGN
};

/* index of an ADDRESS packet */
enum { SPE_ADDR_PC, SPE_ADDR_TARGET, SPE_ADDR_VIRTUAL, SPE_ADDR_PHYSICAL, SPE_ADDR_PREVIOUS };
/* index of a COUNTER packet */
enum { SPE_COUNT_TOTAL, SPE_COUNT_ISSUE, SPE_COUNT_TRANSLATION };
/* index of an OPERATION packet: its class */
enum { SPE_OP_OTHER, SPE_OP_LDST, SPE_OP_BRANCH };

/* bits of an EVENTS packet */
enum {
	SPE_EV_EXCEPTION, SPE_EV_RETIRED, SPE_EV_L1D_ACCESS, SPE_EV_L1D_REFILL, SPE_EV_TLB_ACCESS,
	SPE_EV_TLB_WALK, SPE_EV_NOT_TAKEN, SPE_EV_MISPREDICTED, SPE_EV_LLC_ACCESS, SPE_EV_LLC_MISS,
	SPE_EV_REMOTE, SPE_EV_ALIGNMENT, SPE_EV_LATE_PREFETCH, SPE_EV_TRANSACTION = 16,
	SPE_EV_PARTIAL_PREDICATE,
	SPE_EV_EMPTY_PREDICATE, SPE_EV_L2D_ACCESS, SPE_EV_L2D_MISS, SPE_EV_CACHE_MODIFIED,
	SPE_EV_RECENTLY_FETCHED, SPE_EV_SNOOPED, SPE_EV_STREAMING_SVE, SPE_EV_SMCU
};

enum { SPE_TIMESTAMP_HEADER = 0x71 };

struct spe_packet {
	u8 type;		/* enum spe_type */
	u8 index;
	u8 size;		/* of the payload */
	u64 payload;
};

/*
 * The packet at p, of which len bytes (at least 1) are there; off: where p is in the stream. Returns its
 * length; 1 for a BAD one, and len for a CUT one, whose end is not there
 */
size_t spe_packet_read(const u8 *p, size_t len, u64 off, struct spe_packet *ret);

/*
 * The length of that packet, without its contents, if at least 9 bytes are there; 0: spe_packet_read() tells.
 * Sizes come from branches, which the processor predicts, instead of a table, for whose answer the next
 * packet would wait
 */
static inline size_t spe_packet_skip(const u8 *p)
{
	u8 header = *p;

#define SPE_SIZE_IF(condition, size) \
	if (condition) { \
		size_t size_ = size; \
		__asm__("" : "+r"(size_)); \
		return size_; \
	}
	SPE_SIZE_IF((header & 0xf8) == 0xb0, 9)
	SPE_SIZE_IF((header & 0xf8) == 0x98, 3)
	SPE_SIZE_IF((header & 0xfc) == 0x48, 2)
	SPE_SIZE_IF(header == 0x52, 3)
	SPE_SIZE_IF((header & 0xfc) == 0x64, 5)
	SPE_SIZE_IF(header == SPE_TIMESTAMP_HEADER, 9)
	SPE_SIZE_IF((header & 0xce) == 0x42, 1 + (1u << (header >> 4 & 3)))
	SPE_SIZE_IF(!header, 1)
	return 0;
}

/* addresses are 56 bits; those of the kernel's half get the upper byte that they have at run time */
u64 spe_ip(u64 payload);
u64 spe_data_address(u64 payload);
/* exception level of an instruction address */
static inline u32 spe_level(u64 payload)
{
	return payload >> 61 & 3;
}

/* appends the packet as text */
void spe_packet_print(const struct spe_packet *p, struct strbuf *out);

#endif
