/*
 * Breakpoint: addresses of breakpoints on symbols of programs and libraries ("mem:./prog:counter:w"). For a
 * program linked at a fixed address (not PIE) they are in its file; for anything else they depend on where
 * the processes of -p and -t have it mapped. Before a position-independent program runs, and for all
 * processes at once, there is no such address, which is an error.
 */
#ifndef PERF_KERNEL_BREAKPOINT_H
#define PERF_KERNEL_BREAKPOINT_H

#include "../base/err.h"
#include "../event/event.h"
#include "target.h"

/*
 * Finds the addresses (and lengths, if none was given: the symbol's size) of the set's events that name a
 * symbol of a file. 0 or a negative errno with err: no such file or symbol, not mapped, no address that is
 * right for the whole target.
 */
int breakpoints_resolve(struct evset *set, const struct target *t, struct err *err);

#endif
