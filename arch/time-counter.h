/* The counter of this machine that gives traces of its PMUs their times. */
#ifndef PERF_ARCH_TIME_COUNTER_H
#define PERF_ARCH_TIME_COUNTER_H

#include "../util/base/types.h"

/* its value; 0: programs cannot read it */
u64 arch_time_counter(void);
/*
 * how often it ticks per tick of the crystal that traces also count: *num / *den; 0 and 0 if the CPU does not
 * say
 */
void arch_crystal_ratio(u32 *num, u32 *den);

#endif
