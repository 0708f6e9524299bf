/*
 * Wall-no-stack: slices without a stack get one of a single frame that says why, as a function of the kernel
 * at an address where kernels have nothing: so all outputs have a name for it in place of an address of 0.
 */
#ifndef PERF_INJECT_WALL_NO_STACK_H
#define PERF_INJECT_WALL_NO_STACK_H

#include "../base/strbuf.h"
#include "../wall/wall.h"

struct inject;

#define WALL_NO_STACK_FRAMES 2u		/* of a chain, with its context marker */

/* the chain of a slice; waker: as in struct wall_slice */
const u64 *wall_no_stack_chain(enum wall_state state, s32 waker);
/* appends the side-band records that name these functions */
void wall_no_stack_put_names(const struct inject *in, struct strbuf *out);

#endif
