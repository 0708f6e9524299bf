/*
 * Traced: which functions of the kernel ftrace knows (available_filter_functions). The kernel makes no probes
 * by kprobe_events in the others, which were compiled without the call at their start (notrace).
 */
#ifndef PERF_KERNEL_TRACED_H
#define PERF_KERNEL_TRACED_H

#include "../base/types.h"

struct traced;

/* NULL: the list cannot be read, so nothing is known */
struct traced *traced_load(void);
void traced_free(struct traced *t);
/* true if the list has the function, or the function that it is a part or clone of ("f.cold") */
bool traced_has(const struct traced *t, const char *name, size_t len);

#endif
