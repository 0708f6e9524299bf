/*
 * Breakpoint: addresses of breakpoints on symbols of programs and libraries ("mem:./prog:counter:w"). A program linked at a fixed
 * address (not PIE) has them in its file; anything else is where the processes of -p and -t have it mapped. Before a
 * position-independent program runs, and for all processes at once, there is no such address: that is said.
 */
#ifndef PERF_KERNEL_BREAKPOINT_H
#define PERF_KERNEL_BREAKPOINT_H

#include "../base/err.h"
#include "../event/event.h"
#include "target.h"

/*
 * The addresses (and lengths, where none was given: the symbol's size) of the set's events that name a symbol of a file. 0 or a
 * negative errno with err: no such file or symbol, not mapped, no address that holds for the whole target.
 */
int breakpoints_resolve(struct evset *set, const struct target *t, struct err *err);

#endif
