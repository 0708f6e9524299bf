/*
 * Times of an Intel PT trace, as values of the processor's time stamp counter. TSC packets have it; MTC
 * packets count a slower clock, which TMA packets relate to it; CYC packets count cycles of the core. How
 * many ticks of the counter these are is known exactly up to the next MTC packet, else by the frequency that
 * CBR packets say. Time never goes back, but by a TSC packet, nor beyond the first one of the next piece, so
 * that pieces are in the order of time.
 */
#ifndef PERF_AUX_PT_TIME_H
#define PERF_AUX_PT_TIME_H

#include "pt-packet.h"

struct pt_time {
	/* set by the recording */
	u32 mtc_shift;		/* an MTC packet every 1 << mtc_shift ticks of the slow clock */
	u32 num, den;		/* of the counter per tick of the slow clock; 0: not known */
	u64 limit;		/* the next piece begins then; 0: not known */
	u32 max_ratio;		/* core frequency at which the counter counts cycles, as in CBR packets */
	bool counts_cycles;	/* CYC packets are recorded; else cycles are times at the frequency */

	bool known;		/* a TSC packet was there */
	u64 tsc;		/* now */
	u64 base;		/* at the last TSC or MTC packet */
	u64 cycles;		/* since then */
	u64 all_cycles;
	u64 span_ticks, span_cycles;	/* from base to the next MTC packet; 0: not known */
	u32 ratio;		/* of the core's frequency; 0: not known */
	bool has_ctc;
	u64 ctc_base;		/* counter value at which the slow clock was at its last tick before TMA */
	u64 ctc;		/* ticks since then */
	u32 last_mtc, ctc_rem;
};

/* true if the packet says something about time */
bool pt_time_packet(struct pt_time *t, const struct pt_packet *p);
/* the same for a CYC packet */
void pt_time_cycles(struct pt_time *t, u64 cycles);
/* after a TMA, MTC or CBR packet: p is what follows it, in a group of that kind */
void pt_time_look_ahead(struct pt_time *t, const u8 *p, size_t len, u8 group);

#endif
