/*
 * Open-close: closes descriptors of tracepoints in the background. When the last user of a tracepoint goes,
 * the kernel waits for a grace period of 20 to 40 ms, one after another under a lock: closing them in several
 * threads, or by ending the process, takes as long. So the descriptors become registered files of an
 * io_uring; the kernel closes these in a worker of its own, while perf ends. Without io_uring they stay open
 * until the next set is closed, or perf ends.
 */
#ifndef PERF_KERNEL_OPEN_CLOSE_H
#define PERF_KERNEL_OPEN_CLOSE_H

#include <stddef.h>

/* takes nr descriptors of events, which need not count any longer: disables them, and closes them later */
void close_in_background(const int *fd, size_t nr);

#endif
