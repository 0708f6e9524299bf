/*
 * Steps of a walk of an Intel PT trace through code (pt-walk.c), for the packets of a piece (pt-piece.c).
 * Private to the kind intel-pt.
 */
#ifndef PERF_AUX_PT_STEPS_H
#define PERF_AUX_PT_STEPS_H

#include "pt-walk.h"

/* whose code is executed: the thread of the stream, or the one that ran on its CPU then */
void pt_set_task(struct pt_walk *w);
/* what is executed next is not known, or not traced */
void pt_stop(struct pt_walk *w);
/* the same for a reason that is counted */
void pt_fail(struct pt_walk *w, enum pt_error e);
/* the next instruction is at ip. Code that is missing is only an error if a packet needs it */
void pt_go_to(struct pt_walk *w, u64 ip);
/* walks to the instruction at ip without any packet; false with the error counted */
bool pt_walk_to(struct pt_walk *w, u64 ip);
/* without code, an address in a packet is all that is known */
void pt_meet(struct pt_walk *w, u64 ip, u64 to, u32 flags);
/* nr conditional branches and compressed returns, the first one in the highest bit */
void pt_walk_tnt(struct pt_walk *w, u64 bits, u32 nr);
/* a TIP, TIP.PGE, TIP.PGD or FUP packet */
void pt_walk_address(struct pt_walk *w, const struct pt_packet *p);

#endif
