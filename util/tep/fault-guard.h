/*
 * Fault-guard: runs code of a library that follows null pointers, or divides by 0, if its input is damaged,
 * and ends it there. What it had allocated is lost. One caller at a time: the handlers belong to the whole
 * process; a fault of another thread ends the process as ever.
 */
#ifndef PERF_TEP_FAULT_GUARD_H
#define PERF_TEP_FAULT_GUARD_H

#include "../base/types.h"

/* false: it was ended by SIGSEGV, SIGBUS or SIGFPE */
bool fault_guard_run(void (*fn)(void *ctx), void *ctx);

#endif
