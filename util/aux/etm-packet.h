/*
 * Packets of the instruction trace of Arm CoreSight ETMv4 (Arm IHI 0064) and ETE (Arm ARM, chapter "Embedded
 * Trace Extension protocol"): a header byte and a payload, little-endian. Knows neither code nor samples.
 */
#ifndef PERF_AUX_ETM_PACKET_H
#define PERF_AUX_ETM_PACKET_H

#include "../base/strbuf.h"

enum etm_type {
	ETM_BAD, ETM_ASYNC, ETM_DISCARD, ETM_OVERFLOW, ETM_TRACE_INFO, ETM_TIMESTAMP, ETM_TRACE_ON,
	ETM_FUNC_RET, ETM_EXCEPT, ETM_EXCEPT_RTN, ETM_RESYNC, ETM_ITE, ETM_TRANS_START, ETM_TRANS_COMMIT,
	ETM_CCNT, ETM_DATA_SYNC, ETM_COMMIT, ETM_CANCEL, ETM_MISPREDICT, ETM_CONDITIONAL, ETM_IGNORE,
	ETM_EVENT, ETM_CONTEXT, ETM_ADDR, ETM_TS_MARKER, ETM_SRC_ADDR, ETM_Q, ETM_ATOM,
};

/* what the registers of a trace unit say of its packets */
struct etm_config {
	u32 max_spec;		/* P0 elements that are not certain yet, at most */
	bool commits;		/* packets say when atoms are not speculative any more */
	bool ete;
	u8 vmid_size, ctx_size;	/* bytes in context packets */
};

struct etm_context {
	u8 el;
	u8 state;		/* security: 0 secure, 1 non-secure, 2 root, 3 realm */
	bool is64, has_vmid, has_ctx;
	u32 vmid, ctx;
};

/* between packets of a stream; zeros at first */
struct etm_state {
	u64 addr[3];		/* the last addresses, which others are compressed with, the newest first */
	u64 time;
	u8 isa[3];		/* of addr: 1: IS1, T32 if the code is of 32 bits */
};

enum { ETM_ASYNC_SIZE = 12, ETM_ATOMS_MAX = 24 };

struct etm_packet {
	u8 type, header;	/* enum etm_type, and the byte that the packet begins with */
	u8 nr;			/* ATOM, and those of others: number of atoms */
	u8 match;		/* ADDR, Q, SRC_ADDR: 1 + entry of etm_state.addr; 0: it has an address */
	u8 el;			/* ITE */
	bool has_addr, has_context, has_count, mispredicts;
	u32 atoms;		/* 1 taken, 0 not, the first one lowest */
	u32 count;		/* cycles; Q: instructions */
	u32 commits, cancels;	/* number of P0 elements */
	u32 exception;		/* number; with match_prev */
	bool addr_follows, match_prev;
	u64 value;		/* ADDR, Q, SRC_ADDR, ITE, TIMESTAMP, EVENT; TRACE_INFO: the INFO field */
	struct etm_context context;
};

/*
 * The packet at p, of which len bytes (at least 1) are there. Returns its length; 1 for a BAD one, which is
 * also one whose end is missing
 */
size_t etm_packet_read(const u8 *p, size_t len, const struct etm_config *c, struct etm_state *s,
		       struct etm_packet *ret);

/* the first ASYNC packet in len bytes; NULL: there is none */
const u8 *etm_find_async(const u8 *p, size_t len);

/* true if nothing but zeros follows, and fewer than an ASYNC packet has: the recorder's padding */
bool etm_is_padding(const u8 *p, size_t len);

/* appends the packet as text */
void etm_packet_print(const struct etm_packet *p, struct strbuf *out);

#endif
