/*
 * Unwind: call chains from recorded user registers and a copy of the top of the stack (record --call-graph dwarf), with the
 * call frame information of the mapped files. One unwinder a worker: it caches files and rules; world and symbols are shared.
 */
#ifndef PERF_UNWIND_UNWIND_H
#define PERF_UNWIND_UNWIND_H

#include "../event/sample.h"
#include "../sym/sym.h"
#include "../world/world.h"

struct unwind;

/* e_machine of the recorded machine (64-bit form) */
struct unwind *unwind_new(const struct world *w, const struct symbols *s, u16 e_machine);
void unwind_free(struct unwind *u);

/* whether a sample has what it takes: user registers and a stack */
bool unwind_possible(const struct sample *s);
/*
 * Addresses of the user frames, innermost first, into ips (at most max): the sampled instruction, then for each caller the
 * return address minus one where it is one, so that it lies in the calling line. space, time and off place the sample in the
 * world. Returns how many; 0 where nothing can be said.
 */
int unwind_dwarf(struct unwind *u, const struct sample *s, u32 space, u64 time, u64 off, u64 *ips, int max);

#endif
