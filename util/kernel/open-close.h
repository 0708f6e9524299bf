/*
 * Open-close: descriptors of tracepoints are closed at the kernel's leisure. As each last user of a tracepoint goes, the kernel waits
 * for a grace period, 20 to 40 ms, one after the other under a lock: threads that close side by side, and the end of the process, take
 * as long. So the descriptors are given to an io_uring as its registered files; the kernel closes these in a worker of its own, while
 * perf ends. Where there is no io_uring they stay open until the next set is closed, or perf ends.
 */
#ifndef PERF_KERNEL_OPEN_CLOSE_H
#define PERF_KERNEL_OPEN_CLOSE_H

#include <stddef.h>

/* takes nr descriptors of events, which need not be counting any more: disables them, and closes them sooner or later */
void close_in_background(const int *fd, size_t nr);

#endif
