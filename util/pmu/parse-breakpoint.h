/*
 * Breakpoints: mem:PLACE[/LEN][:rwx]; PLACE is an address, a symbol of the kernel, or FILE:SYMBOL[+OFFSET].
 */
#ifndef PERF_PMU_PARSE_BREAKPOINT_H
#define PERF_PMU_PARSE_BREAKPOINT_H

#include "parse-state.h"

/* from after "mem" */
int parse_breakpoint(struct parser *ps);

#endif
