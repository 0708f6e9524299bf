/*
 * LBR: call chains that the processor recorded (record --call-graph lbr). The kernel records its own part of
 * the chain as always; the user part is a branch stack of the calls that have not returned, newest first.
 */
#ifndef PERF_RESOLVE_LBR_H
#define PERF_RESOLVE_LBR_H

#include "../session/lbr-tails.h"

/*
 * For samples for which lbr_possible() is true: replaces the recorded user part of s->callchain by the calls:
 * first where the sample, or the system call, left user space, then the address of each call. Does nothing if
 * the kernel recorded no user part. The chain is in scratch then.
 */
void lbr_join(struct sample *s, struct arena *scratch);

#endif
