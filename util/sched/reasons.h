/*
 * Reasons: what a thread waits for, as far as the kernel functions in which it sleeps tell; the marks of its
 * frames in tracing/stacks.h. Frames of the scheduler itself are left out.
 */
#ifndef PERF_SCHED_REASONS_H
#define PERF_SCHED_REASONS_H

#include "../tracing/stacks.h"

enum sched_reason { SCHED_REASON_NONE, SCHED_REASON_LOCK, SCHED_REASON_DISK };

/* a tracing_describe */
void sched_describe(struct tracing_frame *f, const char *symbol);

#endif
